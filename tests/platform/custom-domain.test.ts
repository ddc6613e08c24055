import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { answering, deployed } from "./support/function";
import { suiteProjects } from "./support/project";
import { assertError, assertMembers } from "./support/responses";

describe("local platform: custom domains", () => {
  const { platform, project: newProject, finish } = suiteProjects();

  /** A project with two functions. Each has domains of its own, because no two projects share one. */
  const project = async () => {
    const fixture = await newProject();
    for (const slug of ["api", "www"]) {
      await deployed(platform(), `/projects/${fixture.id}/branches/${fixture.main.id}/functions/${slug}`, {
        files: answering(slug),
      });
      finish();
    }
    const path = (branchId = fixture.main.id) => `/branches/${branchId}/custom-domains`;
    const register = (domain: string, changes: object = {}, branchId?: string) =>
      fixture.call("POST", path(branchId), { domain, entity_type: "function", entity_id: "api", ...changes });
    const list = async (branchId?: string, query = "") => (await fixture.call("GET", path(branchId) + query)).body;
    const host = (name: string) => `${name}.${fixture.id}.example.com`;
    return { ...fixture, path, register, list, host };
  };

  it("a domain is registered in lower case, and waits for its DNS records", async () => {
    const { register, list, host, created } = await project();
    const domain = host("one");
    const { status, body } = await register(`${domain.toUpperCase()}.`);
    const cname_target = `fn-custom-domains.c-2.${created.project.region_id.replace("aws-", "")}.aws.neon.tech`;
    const expected = { domain, entity_type: "function", entity_id: "api", cname_target };
    assert.deepEqual([status, body], [201, expected]);
    const checked = { status: "pending", dns_status: "pending", binding_status: "present", status_reason: "" };
    assert.deepEqual((await list()).custom_domains, [{ ...expected, ...checked }]);
  });

  it("registering a domain again changes nothing, and another target is refused without saying which it has", async () => {
    const { register, list, host, done } = await project();
    const domain = host("two");
    await register(domain);
    const before = await list();
    assert.equal((await register(domain)).status, 201);
    const taken = await register(domain, { entity_id: "www" });
    assertError(taken, 409, /already registered/);
    assert.doesNotMatch(JSON.stringify(taken.body), /api/);
    const { branch: child } = await done("POST", "/branches", { branch: { name: "child" } });
    assertError(await register(domain, {}, child.id), 409, /already registered/);
    assert.deepEqual([await list(), (await list(child.id)).custom_domains], [before, []]);
  });

  it("rejects an invalid domain, and a target that does not exist", async () => {
    const { register, host } = await project();
    for (const domain of ["a", "no dots", "-a.example.com", "a..example.com", `${"a".repeat(64)}.example.com`]) {
      assert.equal((await register(domain)).status, 400, domain);
    }
    for (const domain of ["shop.neon.tech", "api.localhost"]) {
      assertError(await register(domain), 400, /cannot be registered/);
    }
    assertError(await register(host("three"), { entity_type: "bucket" }), 400, /bucket/, "invalid_entity_type");
    assertError(await register(host("three"), { entity_id: "none" }), 404, /function not found/);
  });

  it("a domain survives its function, and says that nothing is behind it", async () => {
    const { call, main, path, register, list, host } = await project();
    await register(host("four"));
    await call("DELETE", `/branches/${main.id}/functions/api`);
    const [domain] = (await list()).custom_domains;
    assertMembers(domain, { status: "error", binding_status: "missing", status_reason: "binding-missing" });
    assert.equal((await call("DELETE", `${path()}/${host("four").toUpperCase()}`)).status, 204);
    assertError(await call("DELETE", `${path()}/${host("four")}`), 404, /custom domain not found/);
    assert.deepEqual((await list()).custom_domains, []);
  });

  it("a domain is active once its DNS records lead here, and says what is wrong with them", async () => {
    const { register, list, host } = await project();
    await register(host("five"));
    const expected = [
      ["ok", "active", ""],
      ["misconfigured", "error", "cname-not-pointing-at-edge"],
      ["caa_blocked", "error", "caa-blocks-lets-encrypt"],
    ] as const;
    for (const [dns_status, status, reason] of expected) {
      await platform().local("PUT", `/custom-domains/${host("five")}`, { dns_status });
      const [domain] = (await list()).custom_domains;
      assertMembers(domain, { dns_status, status, status_reason: reason });
    }
    assert.equal((await platform().local("PUT", "/custom-domains/none", { dns_status: "ok" })).status, 404);
  });

  it("lists domains by name, page by page", async () => {
    const { register, list, host } = await project();
    for (const name of ["c", "a", "b"]) await register(host(name));
    const first = await list(undefined, "?limit=2");
    const rest = await list(undefined, `?limit=2&cursor=${first.pagination?.next}`);
    const names = [first, rest].map(({ custom_domains }) => custom_domains.map(({ domain }) => domain.slice(0, 1)));
    assert.deepEqual([names, rest.pagination], [[["a", "b"], ["c"]], undefined]);
  });
});
