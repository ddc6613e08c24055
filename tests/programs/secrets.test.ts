import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { ApiKeyCreateResponse } from "@neondatabase/api-client";
import { after, before, describe, it } from "mocha";

import { filesIn } from "../support/files";
import { leakText, SecretSearch, type Leak } from "../support/secret-search";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { suiteStacks, type Stack } from "../support/stack";

/** A secret of the program, declared as an annotation, which the platform stores as it is. */
const own = 'hunter2/of+the "program" & more';

describe("programs: secrets", function () {
  this.timeout(900_000);
  const newStack = suiteStacks();
  let folder: string;
  let platform: TestPlatform;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "neon-pulumi-secrets-"));
    platform = await startTestPlatform({ operationTime: "100ms", data: join(folder, "data") });
  });
  after(async () => {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const personalKey = async (name: string): Promise<ApiKeyCreateResponse> =>
    (await platform.call("POST", "/api_keys", { key_name: name })).body as unknown as ApiKeyCreateResponse;

  it("are encrypted where they belong, and in no other place of any file that Pulumi writes", async () => {
    const secrets = new SecretSearch();
    const organization = await platform.firstOrganization();
    const keys = [platform.apiKey, await platform.signIn("ann@example.com")];
    const [account = "", other = ""] = keys;
    secrets.add("the account's key", account);
    secrets.add("the other provider's key", other);
    secrets.add("the program's own secret", own);
    const written = (name: string): string => join(folder, name);
    const stack = await newStack({
      platform,
      config: { "neon:logLevel": "debug" },
      environment: { PULUMI_DEBUG_COMMANDS: "true", PULUMI_DEBUG_GRPC: written("grpc.json") },
      program: everything(organization, ""),
    });
    stack.configure({}, { "app:key": other, "app:own": own });

    const told: [where: string, text: string][] = [];
    const run = async (...args: string[]): Promise<void> => {
      const { text } = await stack.run(args);
      told.push([`pulumi ${args.join(" ")}`, text]);
    };
    await run("up", "--yes", "--skip-preview", "--diff", "--event-log", written("events.json"));
    for (const [name, value] of Object.entries(secretsOf(stack))) {
      if (value.startsWith("postgresql:")) secrets.addUri(name, value);
      else secrets.add(name, value);
    }
    assert.ok(secrets.count >= 13, `only ${secrets.count} secrets were known`);

    // Failed halfway, and rejected: the requests contain secrets.
    await platform.fault({ action: "start_compute", end: "error" });
    await platform.fault({ method: "PATCH", path: "/annotations|/branches/", status: 400, times: 2 });
    stack.write(everything(organization, 'new neon.Branch("broken", { projectId: shop.id, compute: {} });'));
    await run("up", "--yes", "--skip-preview", "--json", "--event-log", written("failed.json"), "--continue-on-error");
    await platform.clearFaults();
    await run("preview", "--diff", "--save-plan", written("plan.json"));
    await run("stack", "output", "--json");

    for (const name of ["events.json", "failed.json", "plan.json"])
      told.push([name, readFileSync(written(name), "utf8")]);
    const leaks = told.flatMap(([where, text]) => secrets.search(where, withoutDebugging(text)));
    leaks.push(...inFiles(secrets, stack.kept), ...inFiles(secrets, written("data"), own));
    for (const path of ["", "/local/requests"]) {
      const text = await (await fetch(`${platform.platform.consoleUrl}${path}`)).text();
      leaks.push(...secrets.search(`the console's ${path}`, text, [own]));
    }
    assert.deepEqual(leaks.map(leakText), []);

    // Messages between engine and provider are in plain text, so check that secrets are only in properties for them.
    const misplaced = misplacedIn(readFileSync(written("grpc.json"), "utf8"), secrets);
    assert.ok(misplaced.found > 50, `only ${misplaced.found} secrets were found in what is told`);
    assert.deepEqual(misplaced.places, []);
  });

  it("a key that is revoked in the middle ends the run, with one request for each resource that is not done", async () => {
    const secrets = new SecretSearch();
    const revoked = await personalKey("to be revoked");
    secrets.add("the revoked key", revoked.key);
    const stack = await newStack({
      environment: { NEON_API_KEY: revoked.key, NEON_API_HOST: platform.apiUrl },
      program: `
        const home = new neon.Project("home", {});
        for (let index = 0; index < 4; index += 1) new neon.Branch("branch-" + index, { projectId: home.id, compute: {} });
        for (let index = 0; index < 3; index += 1) new neon.Project("project-" + index, {}, { dependsOn: [home] });
      `,
    });
    await platform.clearRequests();
    const run = stack.start(["up", "--yes", "--skip-preview", "--continue-on-error"]);
    await untilMade(platform, 2);
    assert.equal((await platform.call("DELETE", `/api_keys/${revoked.id}`)).status, 200);
    const { code, text } = await run.ended;
    assert.notEqual(code, 0);

    // Each unfinished resource fails once, after one request, and says what to do.
    const [, diagnostics = ""] = text.split("\nDiagnostics:");
    const failed = [...diagnostics.matchAll(/\((branch-\d|project-\d)\):/g)].map(([, name]) => name);
    assert.ok(failed.length >= 3 && failed.length === new Set(failed).size, diagnostics);
    const refusals = diagnostics.split("\n").filter((line) => line.includes("HTTP 401"));
    assert.equal(refusals.length, failed.length, diagnostics);
    for (const line of refusals)
      assert.match(line, /failed with HTTP 401.* The key is that of .*\. Set a valid one there\./);
    const refused = (await platform.requests()).filter(({ status }) => status === 401);
    assert.ok(refused.length <= failed.length, `${refused.length} requests were sent for ${failed.length} resources`);
    assert.deepEqual([...secrets.search("the run", text), ...inFiles(secrets, stack.kept)].map(leakText), []);
  });
});

/** The text without Pulumi's debugging messages, which `up --json` always has, and which show every result to the program. */
function withoutDebugging(text: string): string {
  const isDebugging = (line: string): boolean =>
    line.startsWith('{"sequence":') && line.includes('"severity":"debug"') && line.includes('"diagnosticEvent":');
  return text
    .split("\n")
    .filter((line) => !isDebugging(line))
    .join("\n");
}

/** A program with each type of secret. */
function everything(organization: string, more: string): string {
  return `
    const app = new pulumi.Config("app");
    const own = app.requireSecret("own");
    const other = new neon.Provider("other", { apiKey: app.requireSecret("key") });
    new neon.Project("theirs", {}, { provider: other });
    const shop = new neon.Project("shop", { orgId: "${organization}" });
    const at = { projectId: shop.id };
    const branch = new neon.Branch("pr", { ...at, compute: {}, annotations: { token: own${more === "" ? "" : ', more: "1"'} } });
    const role = new neon.Role("app", { ...at, branchId: branch.branchId });
    const database = new neon.Database("shop", { ...at, branchId: branch.branchId, ownerName: role.name });
    new neon.ApiKey("personal", {});
    new neon.Credential("uploads", { ...at, branchId: branch.branchId, scopes: ["storage:read"] });
    new neon.OrganizationApiKey("of-org", { orgId: "${organization}" });
    new neon.ProjectApiKey("of-project", { orgId: "${organization}", projectId: shop.id });
    ${more}
    exports.uri = neon.getConnectionUriOutput({
      ...at, branchId: branch.branchId, databaseName: database.name, roleName: role.name,
    }).uri;
    exports.own = own;
  `;
}

/** The names of properties that may hold a secret in resources, configuration and outputs of the program. */
const places =
  /^((pulumi-nodejs:config:)?(neon:apiKey|app:key|app:own)|connectionUri|password|key|apiToken|s3SecretAccessKey|token|uri|own)$/;

/** The secrets of a stack in plain text, by their places. */
function secretsOf(stack: Stack): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { urn, outputs = {} } of stack.everyResource()) {
    for (const [name, value] of Object.entries(outputs)) {
      const plain = stack.reveal(value);
      if (plain !== value && typeof plain === "string")
        found[`${name} of ${urn.slice(urn.lastIndexOf("::") + 2)}`] = plain;
    }
  }
  return found;
}

/** The places of secrets in messages between engine and provider other than the properties for them. */
function misplacedIn(lines: string, secrets: SecretSearch): { readonly found: number; readonly places: string[] } {
  let found = 0;
  const misplaced: string[] = [];
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === "string") {
      const leaks = secrets.search(path.join("."), value);
      found += leaks.length;
      const name = path.findLast((segment) => segment !== "value" && !/^\d+$/.test(segment)) ?? "";
      if (!places.test(name)) misplaced.push(...leaks.map(leakText));
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        misplaced.push(...secrets.search(`a name in ${path.join(".")}`, name).map(leakText));
        look(member, [...path, name]);
      }
    }
  };
  for (const line of lines.split("\n")) {
    if (line !== "") look(JSON.parse(line), []);
  }
  return { found, places: misplaced };
}

function inFiles(secrets: SecretSearch, folder: string, allowed?: string): Leak[] {
  return filesIn(folder).flatMap((file) =>
    secrets.search(file, readFileSync(file), allowed === undefined ? [] : [allowed]),
  );
}

/** Waits until more than this number of objects was created. */
async function untilMade(platform: TestPlatform, count: number): Promise<void> {
  for (;;) {
    const made = (await platform.requests()).filter(({ method, status }) => method === "POST" && status === 201);
    if (made.length > count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
