import type { OrgApiKeyCreateResponse, ProjectTransferRequestResponse } from "@neondatabase/api-client";
import Database from "libsql";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sinon from "sinon";
import { type Leak, leakText, SecretSearch } from "../../tests/support/secret-search";
import { type AnswerBody, startTestPlatform, suitePlatform, TestPlatform } from "../../tests/support/platform";
import { runPlatform, spawnPlatform } from "../../tests/support/platform-process";
import { bodyOf } from "./support/responses";
import { suiteFolder } from "./support/folder";
import { withPlatform } from "./support/running";

describe("local platform: secrets at rest", () => {
  const folder = suiteFolder();

  it("no file of the data folder has a secret: while running, after kill -9 and after a close", async () => {
    const data = folder("all");
    const secrets = new SecretSearch();
    const first = await spawnPlatform(["--data", data, "--operation-time", "5ms"]);
    const fixture = await createFixture(new TestPlatform(first.platform), secrets);
    assert.ok(secrets.count >= 15, String(secrets.count));
    assertClean(secrets, data, "while it runs");
    first.child.kill("SIGKILL");
    await new Promise((resolve) => first.child.once("exit", resolve));
    assert.ok(readdirSync(data).includes("platform.db-wal"));
    assertClean(secrets, data, "after a kill");

    const second = await spawnPlatform(["--data", data, "--operation-time", "5ms"]);
    const platform = new TestPlatform(second.platform);
    secrets.add("the key of the second start", platform.apiKey);
    await assertIntact(platform, fixture);
    assertClean(secrets, data, "after a restart");
    await platform.close();
    assertClean(secrets, data, "after its end");
  });

  it("each folder has its own key, which only the current user can read", async () => {
    const keys = [];
    for (const name of ["one", "other"]) {
      const data = folder(name);
      await (await startTestPlatform({ data })).close();
      const file = join(data, "platform.key");
      assert.equal(statSync(file).mode & 0o777, 0o600);
      keys.push(readFileSync(file, "utf8"));
      await (await startTestPlatform({ data })).close();
      assert.equal(readFileSync(file, "utf8"), keys.at(-1), "the key has changed");
    }
    assert.notEqual(keys[0], keys[1]);
  });

  const brokenKeys: readonly (readonly [title: string, content: string | undefined, problem: string])[] = [
    ["missing", undefined, "the key file FILE is missing"],
    ["another one", `${"0f".repeat(32)}\n`, "the key in FILE is not the one of this data"],
    ["cut off", "0f0f\n", "FILE holds no key"],
    ["empty", "", "FILE holds no key"],
  ];
  it("a wrong key file is reported in one line and nothing is changed", async () => {
    const data = folder("broken");
    const file = join(data, "platform.key");
    const fixture = await withPlatform({ data }, (platform) => createFixture(platform, new SecretSearch()));
    const key = readFileSync(file);
    for (const [title, content, problem] of brokenKeys) {
      if (content === undefined) rmSync(file);
      else writeFileSync(file, content);
      const { code, stdout, stderr } = await runPlatform(["--data", data]);
      assert.deepEqual([code, stdout], [1, ""], title);
      assert.equal(
        stderr,
        `neon-platform: ${problem.replace("FILE", file)}, so the role passwords cannot be decrypted. ` +
          "Restore the key file or use another data folder\n",
      );
      assert.equal(readdirSync(data).includes("platform.key"), content !== undefined, title);
      if (content !== undefined) assert.equal(readFileSync(file, "utf8"), content, title);
    }
    writeFileSync(file, key);
    await withPlatform({ data }, (platform) => assertIntact(platform, fixture));
  });

  it("a start that was killed after the key file was created can be repeated", async () => {
    const data = folder("unfinished");
    await (await startTestPlatform({ data })).close();
    const database = new Database(join(data, "platform.db"));
    database.exec("DELETE FROM vault");
    database.close();
    writeFileSync(join(data, "platform.key.new"), "half of a k");
    const fixture = await withPlatform({ data }, (platform) => createFixture(platform, new SecretSearch()));
    await withPlatform({ data }, (platform) => assertIntact(platform, fixture));
  });
});

describe("local platform: secrets in the console and the request log", () => {
  const platform = suitePlatform({ operationTime: "1ms" });

  it("neither of them shows a secret", async () => {
    const secrets = new SecretSearch();
    secrets.add("the key of the start", platform().apiKey);
    const fixture = await createFixture(platform(), secrets);
    const sent = `npg_${"sent".repeat(5)}`;
    secrets.add("a password that a client sends", sent);
    for (const body of [{ role: { name: "x", password: sent } }, `{"role":{"password":"${sent}"`]) {
      assert.ok((await platform().call("POST", `${fixture.branch}/roles`, body)).status >= 400);
    }
    const accept = `${fixture.project}/transfer_requests/${fixture.transferRequestId}`;
    assert.equal((await platform().call("PUT", accept, { org_id: fixture.organization })).status, 422);
    for (const path of ["", "/local/requests", "/local/faults", "/local/organizations"]) {
      const response = await fetch(`${platform().platform.consoleUrl}${path}`);
      assert.equal(response.status, 200);
      assertNoLeaks(secrets.search(path === "" ? "the console" : path, await response.text()));
    }
  });
});

describe("local platform: lookup of API keys", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const folder = suiteFolder();
  const status = async (key: string) => (await platform().call("GET", "/users/me", undefined, { key })).status;

  it("hashes are compared as a whole in constant time", async () => {
    const compare = sinon.spy(crypto, "timingSafeEqual");
    try {
      assert.equal(await status(platform().apiKey), 200);
      const compared = compare.args.map((hashes) => hashes.map((one) => Buffer.from(one as Buffer).toString()));
      assert.deepEqual(compared, [[hash(platform().apiKey), hash(platform().apiKey)]]);
    } finally {
      compare.restore();
    }
    const never = sinon.stub(crypto, "timingSafeEqual").returns(false);
    try {
      assert.equal(await status(platform().apiKey), 401);
    } finally {
      never.restore();
    }
    assert.equal(await status(platform().apiKey), 200);
  });

  it("a key whose hash only starts like that of a valid key is rejected", async () => {
    const data = folder("lookup");
    const key = await withPlatform({ data }, ({ apiKey }) => Promise.resolve(apiKey));
    const database = new Database(join(data, "platform.db"));
    const { changes } = database
      .prepare("UPDATE api_keys SET body = json_set(body, '$.hash', ?) WHERE hash = ?")
      .run(withLastCharacterChanged(hash(key)), hash(key));
    assert.equal(changes, 1);
    database.close();
    await withPlatform({ data }, async (running) => {
      assert.equal((await running.call("GET", "/users/me", undefined, { key })).status, 401);
    });
  });
});

interface CredentialSecrets {
  readonly token_id: string;
  readonly api_token: string;
  readonly s3_secret_access_key: string;
}

/** The objects of a platform that have secrets. */
interface Fixture {
  readonly organization: string;
  readonly project: string;
  readonly branch: string;
  readonly snapshot: string;
  /** The passwords of the roles on the branch, by name. */
  readonly passwords: Readonly<Record<string, string>>;
  /** A credential that was rotated, with its valid secrets. */
  readonly credential: CredentialSecrets;
  readonly transferRequestId: string;
  /** One key of each kind that can access the project. */
  readonly keys: readonly string[];
  readonly strangerKey: string;
}

/** Creates secrets of every kind, and leaves a password reset in progress. */
const mailServer = {
  type: "standard",
  host: "smtp.example.com",
  port: 587,
  username: "shop",
  sender_email: "shop@example.com",
  sender_name: "Shop",
};

async function createFixture(platform: TestPlatform, secrets: SecretSearch): Promise<Fixture> {
  const organization = await platform.firstOrganization();
  const made = await platform.project({ org_id: organization });
  const project = `/projects/${made.project.id}`;
  const branch = `${project}/branches/${made.branch.id}`;
  const call = async (method: string, path: string, body?: unknown): Promise<AnswerBody> => {
    const answer = await platform.call(method, path, body);
    assert.ok(answer.status < 300, answer.body.message);
    return answer.body;
  };
  const passwords: Record<string, string> = {};
  for (const { connection_uri: uri } of made.connection_uris) {
    secrets.addUri("a project's connection URI", uri);
    passwords[new URL(uri).username] = new URL(uri).password;
  }
  for (const name of ["kept", "reset", "removed"]) {
    const { role } = await call("POST", `${branch}/roles`, { role: { name } });
    passwords[name] = role.password ?? "";
    secrets.add(`the password of ${name}`, passwords[name]);
    await platform.settled(made.project.id);
  }
  await call("DELETE", `${branch}/roles/removed`);
  delete passwords["removed"];
  await platform.settled(made.project.id);
  await call("POST", `${branch}/auth`, { auth_provider: "better_auth" });
  const [mailPassword, clientSecret] = ["the password of the mail server", "the secret of the shop's client"];
  await call("PATCH", `${branch}/auth/email_provider`, { ...mailServer, password: mailPassword });
  secrets.add("the password of an e-mail provider", mailPassword);
  const client = { id: "github", client_id: "shop", client_secret: clientSecret };
  await call("POST", `${branch}/auth/oauth_providers`, client);
  secrets.add("the secret of an OAuth provider", clientSecret);
  const asked = { scopes: ["storage:read"], principal_type: "user" };
  const issued = (await call("POST", `${branch}/credentials`, asked)) as unknown as CredentialSecrets;
  const of = `${branch}/credentials/${issued.token_id}`;
  const credential = (await call("POST", `${of}/rotate`)) as unknown as CredentialSecrets;
  for (const { api_token: token, s3_secret_access_key: key } of [issued, credential]) {
    secrets.add("the token of a credential", token);
    secrets.add("the access key of a credential", key);
  }
  const { snapshot } = await call("POST", `${branch}/snapshot?name=copy`);
  await platform.settled(made.project.id);

  const [strangerKey, ownKey] = [await platform.signIn("ann@example.com"), platform.apiKey];
  const keys = [ownKey];
  for (const body of [{}, { project_id: made.project.id }]) {
    const answer = await platform.call("POST", `/organizations/${organization}/api_keys`, { key_name: "ci", ...body });
    keys.push((bodyOf(answer) as OrgApiKeyCreateResponse).key);
  }
  for (const [index, key] of [...keys, strangerKey].entries()) secrets.add(`key ${index}`, key);
  const { id: transferRequestId } = bodyOf(
    await platform.call("POST", `${project}/transfer_requests`),
  ) as ProjectTransferRequestResponse;
  secrets.add("the id of a transfer request", transferRequestId);

  await platform.fault({ action: "apply_config", end: "stuck" });
  const { role } = await call("POST", `${branch}/roles/reset/reset_password`);
  passwords["reset"] = role.password ?? "";
  secrets.add("the next password", passwords["reset"]);
  const ids = { organization, project, branch, snapshot: snapshot.id, transferRequestId };
  return { ...ids, passwords, credential, keys, strangerKey };
}

/** Asserts that the secrets are still valid and that the passwords can be revealed. */
async function assertIntact(platform: TestPlatform, fixture: Fixture): Promise<void> {
  const { organization, project, branch, snapshot, passwords, credential, transferRequestId, keys, strangerKey } =
    fixture;
  await platform.clearFaults();
  await platform.settled(project.slice("/projects/".length));
  for (const key of keys) assert.equal((await platform.call("GET", project, undefined, { key })).status, 200);
  assert.equal((await platform.call("GET", project, undefined, { key: strangerKey })).status, 404);
  for (const [name, password] of Object.entries(passwords)) {
    const { body } = await platform.call("GET", `${branch}/roles/${name}/reveal_password`);
    assert.equal(body.password, password, name);
  }
  const { token_id, api_token, s3_secret_access_key } = credential;
  const revealed = await platform.call("POST", `${branch}/credentials/${token_id}/reveal`);
  assert.deepEqual(revealed.body, { token_id, api_token, s3_secret_access_key });
  const accept = async (id: string): Promise<number> =>
    (await platform.call("PUT", `${project}/transfer_requests/${id}`, { org_id: organization })).status;
  // 422: the request exists, but the project already belongs to the organization.
  assert.equal(await accept(transferRequestId), 422);
  assert.equal(await accept(withLastCharacterChanged(transferRequestId)), 404);
  const restored = await platform.call("POST", `${project}/snapshots/${snapshot}/restore`, {});
  assert.ok(restored.status < 300, restored.body.message);
  await platform.settled(project.slice("/projects/".length));
  const copy = `${project}/branches/${restored.body.branch.id}/roles/kept/reveal_password`;
  assert.equal((await platform.call("GET", copy)).body.password, passwords["kept"]);
}

/** The files of a folder with their contents. */
function filesOf(folder: string): (readonly [name: string, content: Buffer])[] {
  return readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name))]);
}

function assertClean(secrets: SecretSearch, data: string, when: string): void {
  assertNoLeaks(filesOf(data).flatMap(([name, content]) => secrets.search(`${name} ${when}`, content)));
}

function assertNoLeaks(leaks: readonly Leak[]): void {
  assert.deepEqual(leaks.map(leakText), []);
}

function withLastCharacterChanged(text: string): string {
  return text.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
}

function hash(secret: string): string {
  return crypto.createHash("sha256").update(secret).digest("hex");
}
