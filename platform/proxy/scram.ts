import { randomBytes, timingSafeEqual } from "node:crypto";

import { base64, hmac, sha256, type Verifier } from "../storage/scram-verifier";

/** The server's side of SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677). */

const mechanismPlain = "SCRAM-SHA-256";
const mechanismWithBinding = "SCRAM-SHA-256-PLUS";
const channelBinding = "p=tls-server-end-point";

const nonceBytes = 18;

/** A message of the client is not SCRAM, or the exchange must not go on. */
export class ScramError extends Error {}

/** The server's first message, and a function that checks the client's final one. */
export interface ScramAnswer {
  readonly answer: string;
  /** Returns the server's final message, or undefined if the password is wrong. @throws ScramError */
  readonly finish: (final: string) => string | undefined;
}

/** The server's side of one exchange: `begin`, then `finish` of its result. */
export class ScramServer {
  /** The mechanisms to offer, the preferred one first. */
  readonly mechanisms: readonly string[];
  readonly #verifier: Verifier;
  readonly #endPoint: Buffer | undefined;

  /**
   * @param serverEndPoint the hash of the server's certificate (RFC 5929, `tls-server-end-point`), if the client can bind
   *   to the channel
   */
  constructor(verifier: Verifier, serverEndPoint?: Buffer) {
    this.#verifier = verifier;
    this.#endPoint = serverEndPoint;
    this.mechanisms = serverEndPoint ? [mechanismWithBinding, mechanismPlain] : [mechanismPlain];
  }

  /**
   * Reads the client's first message.
   *
   * @throws ScramError
   */
  begin(mechanism: string, first: string): ScramAnswer {
    if (!this.mechanisms.includes(mechanism)) throw new ScramError(`the mechanism ${mechanism} is not offered`);
    const match = /^((?:[ny]|p=[A-Za-z0-9.-]+),,)(n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/s.exec(first);
    if (!match) throw new ScramError("malformed first SCRAM message");
    const [, header = "", bare = "", clientNonce = ""] = match;
    this.#checkHeader(mechanism, header);
    const { salt, iterations } = this.#verifier;
    const nonce = clientNonce + base64(randomBytes(nonceBytes));
    const answer = `r=${nonce},s=${base64(salt)},i=${iterations}`;
    const binding = header.startsWith("p") && this.#endPoint ? this.#endPoint : Buffer.alloc(0);
    const expectedBinding = base64(Buffer.concat([Buffer.from(header), binding]));
    return { answer, finish: (final) => this.#finish(final, { bare, answer, nonce, expectedBinding }) };
  }

  #checkHeader(mechanism: string, header: string): void {
    const binds = header.startsWith("p");
    if (binds !== (mechanism === mechanismWithBinding)) {
      throw new ScramError("the channel binding of the client does not fit its mechanism");
    }
    if (binds && header !== `${channelBinding},,`) throw new ScramError("unsupported SCRAM channel binding type");
    // The client could bind but did not see the offer, so somebody has removed it.
    if (header.startsWith("y") && this.#endPoint) throw new ScramError("SCRAM channel binding negotiation error");
  }

  #finish(
    final: string,
    expected: {
      readonly bare: string;
      readonly answer: string;
      readonly nonce: string;
      readonly expectedBinding: string;
    },
  ): string | undefined {
    const match = /^(c=([^,]*),r=([^,]*)(?:,.*)?),p=([A-Za-z0-9+/=]{44})$/s.exec(final);
    if (!match) throw new ScramError("malformed final SCRAM message");
    const [, withoutProof = "", binding, nonce, encodedProof = ""] = match;
    if (binding !== expected.expectedBinding) throw new ScramError("SCRAM channel binding check failed");
    if (nonce !== expected.nonce) throw new ScramError("the nonce of the final SCRAM message is wrong");
    const proof = Buffer.from(encodedProof, "base64");
    const { storedKey, serverKey } = this.#verifier;
    if (proof.length !== storedKey.length) throw new ScramError("malformed proof in the final SCRAM message");
    const exchange = `${expected.bare},${expected.answer},${withoutProof}`;
    const signature = hmac(storedKey, exchange);
    const clientKey = proof.map((byte, index) => byte ^ (signature[index] ?? 0));
    if (!timingSafeEqual(sha256(clientKey), storedKey)) return undefined;
    return `v=${base64(hmac(serverKey, exchange))}`;
  }
}
