import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { ScramError, ScramServer } from "../../../platform/proxy/scram";
import {
  matchesVerifier,
  parseVerifier,
  scramVerifier,
  verifierOfUnknownRole,
} from "../../../platform/storage/scram-verifier";

const sha256 = (data: Buffer): Buffer => createHash("sha256").update(data).digest();
const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const endPoint = sha256(Buffer.from("certificate"));

describe("SCRAM", () => {
  const binding = { mechanism: "SCRAM-SHA-256-PLUS", header: "p=tls-server-end-point,,", overTls: true };

  for (const [what, says] of [
    ["without channel binding", {}],
    ["with channel binding", binding],
    ["without channel binding over TLS, by a client that cannot", { overTls: true }],
    ["by a client that could bind, in plain text", { header: "y,," }],
  ] as const) {
    it(`a client that knows the password logs in ${what}, and the server proves itself`, () => {
      assert.ok(exchange(says) !== undefined);
    });
  }

  for (const [what, says] of [
    ["a wrong password", { password: "pencils" }],
    [
      "a changed proof",
      { proof: (proof: Buffer) => Buffer.from(proof.map((byte, index) => (index === 0 ? byte ^ 1 : byte))) },
    ],
  ] as const) {
    it(`${what} is refused`, () => {
      assert.equal(exchange(says), undefined);
    });
  }

  for (const [what, says, reason] of [
    ["a client that could bind but did not see the offer", { header: "y,,", overTls: true }, /negotiation error/],
    ["a binding to another certificate", { ...binding, binding: sha256(Buffer.from("other")) }, /binding check failed/],
    ["a binding of another type", { ...binding, header: "p=tls-unique,," }, /unsupported SCRAM channel binding type/],
    ["a binding without its mechanism", { ...binding, mechanism: "SCRAM-SHA-256" }, /does not fit/],
    ["the mechanism without a binding", { ...binding, header: "n,," }, /does not fit/],
    ["the binding mechanism in plain text", { ...binding, overTls: false }, /is not offered/],
    ["another mechanism", { mechanism: "PLAIN" }, /is not offered/],
    ["an authorization identity", { header: "n,a=root," }, /malformed first/],
    ["a nonce of another exchange", { nonce: (nonce: string) => `${nonce}x` }, /nonce/],
    ["a short proof", { proof: (proof: Buffer) => proof.subarray(1) }, /malformed/],
  ] as const) {
    it(`${what} is refused: ${String(reason)}`, () => {
      assert.throws(
        () => exchange(says),
        (error) => error instanceof ScramError && reason.test(error.message),
      );
    });
  }

  it("a verifier has the form of PostgreSQL and matches its password only", async () => {
    const text = scramVerifier("secret");
    assert.match(text, /^SCRAM-SHA-256\$4096:[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=:[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(scramVerifier("secret"), text);
    const verifier = parseVerifier(text);
    assert.ok(verifier);
    assert.deepEqual(
      [await matchesVerifier("secret", verifier), await matchesVerifier("Secret", verifier)],
      [true, false],
    );
  });

  it("the verifier of RFC 7677 matches its password", async () => {
    const verifier = parseVerifier(
      "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
    );
    assert.ok(verifier);
    assert.equal(await matchesVerifier("pencil", verifier), true);
  });

  it("other forms of stored passwords are no verifiers", () => {
    for (const text of [
      "",
      "md5d41d8cd98f00b204e9800998ecf8427e",
      "SCRAM-SHA-256$0:c2FsdA==$x:y",
      "SCRAM-SHA-256$9999999:c2FsdA==$",
    ]) {
      assert.equal(parseVerifier(text), undefined, text);
    }
  });

  it("an unknown role always has the same salt, and no password", async () => {
    const secret = Buffer.from("secret");
    const verifier = verifierOfUnknownRole("bob", secret);
    assert.deepEqual(verifierOfUnknownRole("bob", secret).salt, verifier.salt);
    assert.notDeepEqual(verifierOfUnknownRole("eve", secret).salt, verifier.salt);
    assert.equal(await matchesVerifier("", verifier), false);
  });
});

/** What a client says in an exchange, and how a test falsifies it. */
interface ClientSays {
  readonly password?: string;
  readonly mechanism?: string;
  readonly header?: string;
  readonly binding?: Buffer;
  readonly nonce?: (nonce: string) => string;
  readonly proof?: (proof: Buffer) => Buffer;
  /** Whether the server offers channel binding. */
  readonly overTls?: boolean;
}

/** Runs a client written after RFC 5802 against the server; returns the server's last message. */
function exchange(says: ClientSays = {}): string | undefined {
  const { password = "pencil", mechanism = "SCRAM-SHA-256", header = "n,,", overTls = false } = says;
  const verifier = parseVerifier(scramVerifier("pencil"));
  assert.ok(verifier);
  const server = new ScramServer(verifier, overTls ? endPoint : undefined);
  const bare = "n=,r=rOprNGfwEbeRWgbNEkqO";
  const { answer, finish } = server.begin(mechanism, header + bare);
  const [, nonce = "", salt = "", iterations = ""] = /^r=(.*),s=(.*),i=(\d+)$/.exec(answer) ?? [];
  assert.ok(nonce.startsWith("rOprNGfwEbeRWgbNEkqO") && nonce.length > 40);
  const salted = pbkdf2Sync(password, Buffer.from(salt, "base64"), Number(iterations), 32, "sha256");
  const clientKey = hmac(salted, "Client Key");
  const binding = Buffer.concat([
    Buffer.from(header),
    says.binding ?? (header.startsWith("p") ? endPoint : Buffer.alloc(0)),
  ]);
  const withoutProof = `c=${binding.toString("base64")},r=${says.nonce?.(nonce) ?? nonce}`;
  const signature = hmac(sha256(clientKey), `${bare},${answer},${withoutProof}`);
  const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
  const final = finish(`${withoutProof},p=${(says.proof?.(proof) ?? proof).toString("base64")}`);
  if (final === undefined) return undefined;
  const expected = hmac(hmac(salted, "Server Key"), `${bare},${answer},${withoutProof}`).toString("base64");
  assert.equal(final, `v=${expected}`);
  return final;
}
