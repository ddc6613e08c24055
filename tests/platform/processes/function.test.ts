import type { NeonFunction } from "@neon/sdk";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";

import { until } from "../../support/until";
import { isAlive } from "../../../platform/postgres/is-alive";
import { suitePaths } from "../support/paths";
import { answering, type Deployment, deploy, deployed, waitForBuild } from "../support/function";
import { suiteProjects } from "../support/project";
import { assertError, assertMembers } from "../support/responses";
import { second } from "../support/time";

describe("local platform: functions", () => {
  const { platform, project: newProject, finish, clock, time } = suiteProjects();
  const folder = suitePaths();

  const project = async () => {
    const fixture = await newProject();
    const path = (branchId: string, slug = "api") => `/branches/${branchId}/functions/${slug}`;
    const at = (slug?: string, branchId = fixture.main.id) => `/projects/${fixture.id}${path(branchId, slug)}`;
    const get = async (branchId = fixture.main.id, slug?: string): Promise<NeonFunction> => {
      const { status, body } = await fixture.call("GET", path(branchId, slug));
      assert.equal(status, 200, body.message);
      return body.function;
    };
    const slugs = async (branchId: string, query = "") => {
      const { functions, pagination } = (await fixture.call("GET", `/branches/${branchId}/functions${query}`)).body;
      return { slugs: functions.map(({ slug }) => slug), next: pagination?.next };
    };
    /** Deploys, and lets the deployment end. */
    const put = async (deployment: Deployment, slug?: string, branchId?: string) => {
      const made = await deployed(platform(), at(slug, branchId), deployment);
      finish();
      await waitForBuild(platform(), at(slug, branchId));
      return made;
    };
    return { ...fixture, path, at, get, slugs, put };
  };

  it("the first deployment creates a function, which is pending, building and then completed", async () => {
    const { at, get } = await project();
    const environment = { TOKEN: "t0p-secret", LEVEL: "info" };
    const made = await deployed(platform(), at(), { files: answering("one"), environment });
    assertMembers(made, { id: 1, status: "pending", runtime: "nodejs24", memory_mib: 2048 });
    assert.deepEqual(made.environment, ["LEVEL", "TOKEN"]);
    const pending = await get();
    assertMembers(pending, { slug: "api", name: "api", active_deployment: undefined });
    assert.deepEqual(pending.current_deployment, made);
    clock.advance(300);
    assert.equal((await get()).current_deployment?.status, "building");
    finish();
    const { current_deployment: current, active_deployment: active } = await waitForBuild(platform(), at());
    assert.deepEqual(current, { ...made, status: "completed" });
    assert.deepEqual(active, current);
  });

  it("a deployment keeps what it omits, sets named variables, and removes those with an empty value", async () => {
    const { put } = await project();
    await put({ files: answering("one"), environment: { KEPT: "1", DROPPED: "2", CHANGED: "3" } });
    const second = await put({ environment: { CHANGED: "4", DROPPED: "", ADDED: "5", NEVER: "" } });
    assertMembers(second, { id: 2, environment: ["ADDED", "CHANGED", "KEPT"] });
    const third = await put({ files: answering("two") });
    assertMembers(third, { id: 3, environment: second.environment });
    assert.equal((await put({ runtime: "nodejs24" })).id, 4);
  });

  it("a failed deployment says why, and the one before stays active", async () => {
    const { put, get, at } = await project();
    await put({ files: answering("one") });
    await platform().fault({ action: "deploy_function", end: "error" });
    await put({ files: answering("two") });
    const failed = await get();
    assert.deepEqual([failed.current_deployment?.status, failed.active_deployment?.id], ["failed", 1]);
    assert.match(failed.current_deployment?.error ?? "", /scripted fault/);
    await platform().fault({ action: "deploy_function", end: "stuck" });
    await deployed(platform(), at(), { environment: { A: "1" } });
    finish();
    assert.equal((await get()).current_deployment?.status, "building");
    await platform().clearFaults();
    finish();
    assert.deepEqual((await waitForBuild(platform(), at())).active_deployment?.id, 3);
  });

  it("rejects invalid deployments", async () => {
    const { at, put } = await project();
    const refused = async (deployment: Deployment, message: RegExp, slug = "api", status = 400) => {
      assertError(await deploy(platform(), at(slug), deployment), status, message);
    };
    const files = answering("one");
    await refused({ environment: { A: "1" } }, /first deployment of a function must include zip/);
    await refused({ files }, /slug/, "with-hyphen");
    await refused({ files }, /slug/, "a".repeat(21));
    await refused({ files, runtime: "nodejs22" }, /runtime/);
    await refused({ files, environment: "no JSON" }, /environment: must be a JSON object/);
    await refused({ files, environment: { A: 1 } }, /environment: must be a JSON object/);
    await refused({ files, environment: { "A B": "1" } }, /"A B" is not the name of a variable/);
    await refused({ files, environment: { A: "x".repeat(65_536) } }, /64 KiB/);
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`A${index}`, "1"]));
    await refused({ files, environment: many }, /1000 variables/);
    await refused({ zip: new Uint8Array(12 << 20) }, /longer than/, "api", 413);
    await put({ files });
    assertError(await deploy(platform(), at(), {}), 400, /not a form|at least one/);
    const headers = { authorization: `Bearer ${platform().apiKey}`, "content-type": "application/json" };
    const json = await fetch(`${platform().apiUrl}${at()}/deployments`, { method: "POST", headers, body: "{}" });
    assert.equal(json.status, 415);
  });

  it("a rename is trimmed and makes no deployment, and null restores the slug", async () => {
    const { call, main, path, put, get } = await project();
    await put({ files: answering("one") });
    const rename = (name: unknown) => call("PATCH", path(main.id), { name });
    const { status, body } = await rename("  The API ");
    assert.deepEqual([status, body.function.name], [200, "The API"]);
    assert.equal((await get()).current_deployment?.id, 1);
    for (const blank of ["  ", ""]) assertError(await rename(blank), 400, /name/);
    assertError(await call("PATCH", path(main.id), {}), 400, /name \(field required\)/);
    assertError(await call("PATCH", path(main.id, "other"), { name: "a" }), 404, /function not visible on branch/);
    await rename(null);
    assert.equal((await get()).name, "api");
  });

  it("lists functions by slug, page by page", async () => {
    const { main, put, slugs } = await project();
    for (const slug of ["c", "a", "b"]) await put({ files: answering(slug) }, slug);
    assert.deepEqual(await slugs(main.id), { slugs: ["a", "b", "c"], next: undefined });
    const first = await slugs(main.id, "?limit=2");
    assert.deepEqual(first.slugs, ["a", "b"]);
    assert.deepEqual(await slugs(main.id, `?limit=2&cursor=${first.next}`), { slugs: ["c"], next: undefined });
  });

  it("a child starts with the functions of its parent, and neither changes the other", async () => {
    const { call, done, main, path, put, get, slugs } = await project();
    await put({ files: answering("one"), environment: { A: "1" } });
    await put({ files: answering("dropped") }, "dropped");
    const { branch: child } = await done("POST", "/branches", { branch: { name: "child" } });
    const [own, inherited] = [await get(), await get(child.id)];
    assert.deepEqual({ ...inherited, invocation_url: "" }, { ...own, invocation_url: "" });
    assertError(await call("PATCH", path(child.id), { name: "mine" }), 404, /function not visible on branch/);
    assert.deepEqual(await put({ environment: { B: "2" } }, "api", child.id), {
      ...(await get(child.id)).current_deployment,
      status: "pending",
    });
    assert.deepEqual((await get(child.id)).active_deployment?.environment, ["A", "B"]);
    assert.equal((await call("PATCH", path(child.id), { name: "mine" })).status, 200);
    assert.deepEqual(await get(), own);
    assert.equal((await call("DELETE", path(child.id, "dropped"))).status, 204);
    assertError(await call("DELETE", path(child.id, "dropped")), 404, /function not visible on branch/);
    assert.deepEqual([(await slugs(child.id)).slugs, (await slugs(main.id)).slugs], [["api"], ["api", "dropped"]]);
    const empty = await done("POST", "/branches", { branch: { name: "empty", init_source: "schema-only" } });
    assert.deepEqual((await slugs(empty.branch.id)).slugs, []);
  });

  it("a child of an earlier moment has the functions and the versions of that moment", async () => {
    const { done, put, get, slugs } = await project();
    await put({ files: answering("early") });
    const moment = time();
    finish();
    await put({ files: answering("late") });
    await put({ files: answering("late") }, "late");
    const { branch } = await done("POST", "/branches", { branch: { parent_timestamp: moment } });
    assert.deepEqual((await slugs(branch.id)).slugs, ["api"]);
    assert.equal((await get(branch.id)).active_deployment?.id, 1);
  });

  for (const [what, code] of [
    ["never answers", "new Promise(() => undefined)"],
    ["loops", "(() => { for (;;); })()"],
  ] as const) {
    it(`a function that ${what} is ended after 15 minutes, and the next request is served by another process`, async () => {
      const { at, put, call, main } = await project();
      const path = folder(what.replace(" ", "-"));
      const source = `import { existsSync, writeFileSync } from "node:fs";
        export default () => {
          if (existsSync("${path}.began")) return new Response("ok");
          writeFileSync("${path}.began", String(process.pid));
          return ${code}; };`;
      await put({ files: { "index.mjs": source } });
      const { invocation_url: url } = await waitForBuild(platform(), at());
      const held = fetch(url);
      await until(() => existsSync(`${path}.began`));
      clock.advance(15 * 60 * second);
      const answer = await held;
      assert.deepEqual([answer.status, await answer.text()], [504, "the function sent nothing for 15 minutes\n"]);
      assert.equal(await (await fetch(url)).text(), "ok");
      const { body } = await call("POST", `/branches/${main.id}/logs/query`, { body_contains: "15 minutes" });
      assert.equal(body.logs[0]?.message, "the function sent nothing for 15 minutes: its process ends");
      const pid = Number(readFileSync(`${path}.began`, "utf8"));
      await until(() => !isAlive(pid));
    });
  }

  it("a process without a connection ends after 15 minutes", async () => {
    const { at, put } = await project();
    await put({ files: { "index.mjs": "export default () => Response.json(process.pid);" } });
    const { invocation_url: url } = await waitForBuild(platform(), at());
    const pidNow = async () => (await (await fetch(url, { headers: { connection: "close" } })).json()) as number;
    const first = await pidNow();
    assert.equal(await pidNow(), first);
    await until(() => {
      clock.advance(15 * 60 * second);
      return !isAlive(first);
    });
    assert.notEqual(await pidNow(), first);
  });
});
