import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { lookups, type Lookup, type LookupName } from "../../api/lookups";
import { shapeProblems } from "../../provider/kind/input-problems";
import { answering, deployed } from "../platform/support/function";
import * as neon from "../../sdk";
import { ProviderServer } from "../support/provider-server";
import { createPosted } from "../support/samples";
import { suite } from "../support/suite";
import { type Args, dataSources, formsOf } from "./data-sources";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

/** What all arguments of these names are set to. */
const ids = {
  projectId: "",
  branchId: "",
  endpointId: "",
  operationId: "",
  orgId: "",
  databaseName: "neondb",
  roleName: "neondb_owner",
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date(Date.now() + 86_400_000).toISOString(),
  granularity: "daily",
  slug: "api",
  bucketName: "avatars",
};

describe("every data source", () => {
  const platform = suiteAccount();
  before(async () => {
    ids.orgId = await platform().firstOrganization();
    const { project, branch, endpoints, operations } = await platform().project({ org_id: ids.orgId });
    [ids.projectId, ids.branchId] = [project.id, branch.id];
    [ids.endpointId, ids.operationId] = [endpoints[0]?.id ?? "", operations[0]?.id ?? ""];
    // The branch inherits this: on a branch with a parent, Neon Auth cannot become an OAuth provider.
    const parentAuth = `/projects/${project.id}/branches/${branch.id}/auth`;
    await platform().call("POST", parentAuth, { auth_provider: "better_auth" });
    await platform().call("PATCH", `${parentAuth}/plugins/oauth-provider`, { enabled: true });
    const client = { name: "partner", type: "public", redirect_uris: ["https://partner.example"], resources: [] };
    await platform().call("POST", `${parentAuth}/oauth-provider/clients`, client);
    // The parent of the branch is what its schema is compared with.
    const created = await platform().call("POST", `/projects/${project.id}/branches`, { branch: { name: "preview" } });
    ids.branchId = created.body.branch.id;
    const compute = { branch_id: ids.branchId, type: "read_write" };
    await platform().call("POST", `/projects/${project.id}/endpoints`, { endpoint: compute });
    await platform().settled(project.id);
    // What a new project has none of.
    const jwks = { jwks_url: "https://auth.example.com/jwks.json", provider_name: "auth" };
    await platform().call("POST", `/projects/${project.id}/jwks`, jwks);
    await platform().settled(project.id);
    await platform().call("POST", `/projects/${project.id}/branches/${ids.branchId}/data-api/neondb`);
    await platform().settled(project.id);
    const auth = `/projects/${project.id}/branches/${ids.branchId}/auth`;
    await platform().call("POST", `${auth}/domains`, { domain: "https://a.example", auth_provider: "better_auth" });
    const base = `/projects/${project.id}/branches/${ids.branchId}`;
    await platform().call("POST", `${base}/buckets`, { name: "avatars" });
    await deployed(platform(), `${base}/functions/api`, { files: answering("hello") });
    const schedule = { cron: "0 3 1 1 *" };
    await platform().call("POST", `${base}/triggers`, {
      type: "schedule",
      name: "yearly",
      function_slug: "api",
      schedule,
    });
    const { body: upload } = await platform().call("POST", `${base}/buckets/avatars/objects/ann.png/presign`, {
      operation: "upload",
    });
    const { url, method } = upload as unknown as { readonly url: string; readonly method: string };
    await fetch(url, { method, body: "an image" });
    const domain = { domain: "api.example.com", entity_type: "function", entity_id: "api" };
    await platform().call("POST", `${base}/custom-domains`, domain);
    await platform().call("POST", `${base}/credentials`, { scopes: ["storage:read"], principal_type: "user" });
    await createPosted(platform(), ids);
    await platform().settled(project.id);
    await platform().call("POST", `/projects/${project.id}/permissions`, { email: "guest@example.com" });
    await platform().call("POST", `/projects/${project.id}/branches/${branch.id}/snapshot`);
    const invitations = [{ email: "invited@example.com", role: "member" }];
    await platform().call("POST", `/organizations/${ids.orgId}/invitations`, { invitations });
    const theirs = { key: await platform().signIn("owner@example.com") };
    const { body: shared } = await platform().call("POST", "/projects", { project: {} }, theirs);
    const me = await platform().call("GET", "/users/me");
    const { email } = me.body as unknown as { readonly email: string };
    await platform().call("POST", `/projects/${shared.project.id}/permissions`, { email }, theirs);
    await platform().call("POST", `/organizations/${ids.orgId}/api_keys`, { key_name: "theirs" });
    await platform().settled(project.id);
  });

  const plugin = suite(
    () => {
      const { apiKey, apiUrl } = platform();
      return ProviderServer.start({ door: "plugin", config: { apiKey, apiUrl } });
    },
    (server) => server.stop(),
  );

  it("is in this suite", () => {
    const exported = Object.keys(neon).filter((name) => `${name}Output` in neon);
    assert.deepEqual(Object.keys(dataSources).sort(), exported.sort());
  });

  for (const [name, { args, required, oneOf, missing, empty = false }] of Object.entries(dataSources)) {
    const { read, output } = formsOf(name);
    const given = (): Args => Object.fromEntries(args.map((arg) => [arg, ids[arg]]));
    /** Arguments that another value of this one can be added to. */
    const without = (arg: string): Args =>
      Object.fromEntries(
        Object.entries(given()).filter(([one]) => one !== arg && !(oneOf?.includes(arg) && oneOf.includes(one))),
      );
    const lookup: Lookup = lookups[name as LookupName];

    it(`${name} returns what the schema of its lookup declares, in an object if it is a list, and so does the plugin`, async () => {
      const { list, answer } = lookup;
      const found = await lookup.invoke({ client: new NeonClient(platform()), orgId: undefined }, given());
      assert.deepEqual(answer.parse(found), found);
      const result = list === undefined ? found : found[list];
      if (!empty) assert.notDeepEqual(result, []);
      assert.deepEqual(await read(given()), result);
      assert.deepEqual(await plugin().invoke(name, given()), JSON.parse(JSON.stringify(found)));
    });

    it(`${name} has a schema of its arguments that names each invalid one`, () => {
      const properties = (values: Args): string[] => shapeProblems(lookup.args, values).map(({ property }) => property);
      assert.deepEqual(properties(given()), []);
      assert.deepEqual(properties({ ...given(), moon: "full" }), ["moon"]);
      for (const arg of required) assert.deepEqual(properties({ ...given(), [arg]: "" }), [arg]);
    });

    it(`${name} accepts outputs as arguments in its output form`, async () => {
      const outputs = Object.entries(given()).map(([arg, value]) => [arg, pulumi.output(Promise.resolve(value))]);
      const found = await read(given());
      assert.notEqual(found, undefined);
      assert.deepEqual(await valueOf(output(Object.fromEntries(outputs) as Args)), found);
    });

    it(`${name} fails with 401 or 403 instead of returning an empty result`, async () => {
      await platform().fault({ path: ".", status: 403, body: { code: "", message: "not yours" } });
      await assertFails(read(given()), /HTTP 403: not yours \[request [\w-]+\]\. This API key lacks the permission/);
      await platform().clearFaults();
      configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
      const unauthorized = /HTTP 401: .* The API key is invalid or revoked/;
      await assertFails(read(given()), unauthorized);
      await assertFails(valueOf(output(given())), unauthorized);
    });

    for (const [arg, what, id] of [
      ["projectId", "project", "no-such-project-1"],
      ["branchId", "branch", "br-no-such-1"],
      ["operationId", "operation", "d8ac46eb-a757-42b1-9907-f78322ee394e"],
    ] as const) {
      if (!args.includes(arg) || (arg !== "projectId" && oneOf === undefined && !required.includes(arg))) continue;
      it(`${name} fails with 404 if the ${what} does not exist`, async () => {
        await assertFails(read({ ...given(), [arg]: id }), missing ?? new RegExp(`HTTP 404: ${what} not found`));
      });
    }

    for (const arg of required) {
      it(`${name} names the argument ${arg} if it has no value`, async () => {
        const message = `${name} needs \`${arg}\`.`;
        for (const nothing of [undefined, ""]) {
          await assertFails(read({ ...given(), [arg]: nothing }), message);
          await assertFails(valueOf(output({ ...given(), [arg]: pulumi.output(nothing) })), message);
        }
      });
    }

    for (const arg of args.filter((one) => !required.includes(one))) {
      it(`${name} names the argument ${arg} if it is an empty text, or one that no request can address`, async () => {
        const others = without(arg);
        for (const [text, reason] of [
          ["", "must not be empty"],
          ["..", 'must not be "." or ".."'],
        ] as const) {
          await assertFails(read({ ...others, [arg]: text }), `${name}: \`${arg}\` ${reason}.`);
          assert.deepEqual(shapeProblems(lookup.args, { ...others, [arg]: text }).length, 1);
        }
      });
    }

    for (const arg of args.filter((one) => /Id$/.test(one))) {
      it(`${name} names the argument ${arg} if it is not the form of an id, such as the id of a resource in the state`, async () => {
        const others = without(arg);
        for (const [text, reason] of [
          [`${ids.projectId}/${ids.branchId}`, /must be an id without its parents: use the output that holds it/],
          ["The Shop", /must be (the id of .*, not its name|an id of lower-case letters, digits and dashes\.$)/],
        ] as const) {
          await platform().clearRequests();
          await assertFails(read({ ...others, [arg]: text }), new RegExp(`^${name}: \`${arg}\` ${reason.source}`));
          // Only what has the name is searched.
          const sent = await platform().requests();
          assert.ok(sent.every(({ path }) => path.includes("search=The%20Shop")));
        }
      });
    }

    if (oneOf === undefined) continue;
    it(`${name} fails unless exactly one of ${oneOf.join(" and ")} is given`, async () => {
      const message = `${name} takes either \`${oneOf.join("` or `")}\`.`;
      const both = Object.fromEntries(
        oneOf.map((arg) => [arg, /Id$/.test(arg) ? ids[arg as keyof typeof ids] : "one"]),
      );
      const neither = Object.fromEntries(oneOf.map((arg) => [arg, undefined]));
      for (const changed of [both, neither]) {
        await assertFails(read({ ...given(), ...changed }), message);
        assert.deepEqual(shapeProblems(lookup.args, { ...given(), ...changed }), [{ property: "", reason: message }]);
      }
    });
  }
});
