import type { Role } from "@neondatabase/api-client";
import Database from "libsql";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesIn } from "../../support/files";
import { type Leak, leakText, SecretSearch } from "../../support/secret-search";
import { startTestPlatform, suitePlatform, TestPlatform } from "../../support/platform";
import { runPlatform, spawnPlatform } from "../../support/platform-process";
import { createContents, mailPassword, type Names, pathTo } from "../support/contents";
import { suitePaths } from "../support/paths";
import { withPlatform } from "../support/running";

describe("local platform: secrets at rest", () => {
  const folder = suitePaths();

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
    const { names } = await createFixture(platform(), secrets);
    const sent = `npg_${"sent".repeat(5)}`;
    secrets.add("a password that a client sends", sent);
    for (const body of [{ role: { name: "x", password: sent } }, `{"role":{"password":"${sent}"`]) {
      assert.ok((await platform().call("POST", pathTo(`${ofBranch}/roles`, names), body)).status >= 400);
    }
    const accept = pathTo(`${ofProject}/transfer_requests/:request_id`, names);
    assert.equal((await platform().call("PUT", accept, { org_id: names["org_id"] })).status, 422);
    for (const path of ["", "/local/requests", "/local/faults", "/local/organizations"]) {
      const response = await fetch(`${platform().platform.consoleUrl}${path}`);
      assert.equal(response.status, 200);
      assertNoLeaks(secrets.search(path === "" ? "the console" : path, await response.text()));
    }
  });
});

describe("local platform: lookup of API keys", () => {
  const folder = suitePaths();

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
  readonly names: Names;
  /** The passwords of the roles on the branch, by name. */
  readonly passwords: Readonly<Record<string, string>>;
  /** A credential that was rotated, with its valid secrets. */
  readonly credential: CredentialSecrets;
  /** One key of each kind that can access the project. */
  readonly keys: readonly string[];
  readonly strangerKey: string;
}

const ofProject = "/projects/:project_id";
const ofBranch = `${ofProject}/branches/:branch_id`;

/** Creates secrets of every kind, and leaves a password reset in progress. */
async function createFixture(platform: TestPlatform, secrets: SecretSearch): Promise<Fixture> {
  const strangerKey = await platform.signIn("ann@example.com");
  const keys = [platform.apiKey];
  const passwords: Record<string, string> = {};
  const heard = (answer: object | undefined): void => {
    addSecrets(secrets, answer);
    const { key, role } = (answer ?? {}) as { readonly key?: string; readonly role?: Role };
    if (key !== undefined) keys.push(key);
    if (role !== undefined) passwords[role.name] = role.password ?? "";
  };
  const settle = async (id: string): Promise<void> => {
    if (id !== "") await platform.settled(id);
  };
  const names = await createContents(platform, settle, heard);
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { status, body: answer } = await platform.call(method, pathTo(path, names), body);
    assert.ok(status < 300, JSON.stringify(answer));
    heard(answer);
    await settle(names["project_id"] ?? "");
    return answer;
  };
  for (const name of ["reset", "removed"]) await call("POST", `${ofBranch}/roles`, { role: { name } });
  await call("DELETE", `${ofBranch}/roles/removed`);
  delete passwords["removed"];
  const credential = (await call("POST", `${ofBranch}/credentials/:token_id/rotate`)) as CredentialSecrets;
  for (const [index, key] of [platform.apiKey, strangerKey].entries()) secrets.add(`key ${index}`, key);
  secrets.add("the id of a transfer request", names["request_id"]);
  secrets.add("the password of an e-mail provider", mailPassword);
  await platform.fault({ action: "apply_config", end: "stuck" });
  const { role } = (await platform.call("POST", `${pathTo(ofBranch, names)}/roles/reset/reset_password`)).body;
  heard({ role });
  return { names, passwords, credential, keys, strangerKey };
}

/** Remembers the secrets in an answer, which its members name. */
function addSecrets(secrets: SecretSearch, answer: unknown): void {
  if (typeof answer !== "object" || answer === null) return;
  for (const [name, value] of Object.entries(answer)) {
    if (name === "connection_uri") secrets.addUri(name, value);
    else if (/^key$|password$|secret|token$/.test(name) && typeof value === "string" && value !== "") {
      secrets.add(name, value);
    } else addSecrets(secrets, value);
  }
}

/** Asserts that the secrets are still valid and that the passwords can be revealed. */
async function assertIntact(platform: TestPlatform, fixture: Fixture): Promise<void> {
  const { names, passwords, credential, keys, strangerKey } = fixture;
  const call = (method: string, path: string, body?: unknown, key?: string) =>
    platform.call(method, pathTo(path, names), body, { key });
  await platform.clearFaults();
  await platform.settled(names["project_id"] ?? "");
  for (const key of keys) assert.equal((await call("GET", ofProject, undefined, key)).status, 200);
  assert.equal((await call("GET", ofProject, undefined, strangerKey)).status, 404);
  for (const [name, password] of Object.entries(passwords)) {
    const { body } = await call("GET", `${ofBranch}/roles/${name}/reveal_password`);
    assert.equal(body.password, password, name);
  }
  const { token_id, api_token, s3_secret_access_key } = credential;
  const revealed = await call("POST", `${ofBranch}/credentials/:token_id/reveal`);
  assert.deepEqual(revealed.body, { token_id, api_token, s3_secret_access_key });
  const accept = async (id = ""): Promise<number> =>
    (await call("PUT", `${ofProject}/transfer_requests/${id}`, { org_id: names["org_id"] })).status;
  // 422: the request exists, but the project already belongs to the organization.
  assert.equal(await accept(names["request_id"]), 422);
  assert.equal(await accept(withLastCharacterChanged(names["request_id"] ?? "")), 404);
  const restored = await call("POST", `${ofProject}/snapshots/:snapshot_id/restore`, {});
  assert.ok(restored.status < 300, restored.body.message);
  await platform.settled(names["project_id"] ?? "");
  const copy = `${ofProject}/branches/${restored.body.branch.id}/roles/app/reveal_password`;
  assert.equal((await call("GET", copy)).body.password, passwords["app"]);
}

function assertClean(secrets: SecretSearch, data: string, when: string): void {
  assertNoLeaks(filesIn(data).flatMap((file) => secrets.search(`${file} ${when}`, readFileSync(file))));
}

function assertNoLeaks(leaks: readonly Leak[]): void {
  assert.deepEqual(leaks.map(leakText), []);
}

function withLastCharacterChanged(text: string): string {
  return text.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
}

function hash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
