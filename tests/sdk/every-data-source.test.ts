import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";

type Args = Readonly<Record<string, unknown>>;

/** A data source as this suite calls it. */
interface DataSource {
  /** Names of arguments with the values of `ids`. */
  readonly args: readonly (keyof typeof ids)[];
  /** Arguments that must have a value. Default: all. */
  readonly required?: readonly string[];
  /** Two arguments of which exactly one is given. */
  readonly oneOf?: readonly [string, string];
  /** The error for a project or a branch that does not exist. Default: the 404. */
  readonly missing?: RegExp;
}

/** What all arguments of these names are set to. */
const ids = {
  projectId: "",
  branchId: "",
  endpointId: "",
  operationId: "",
  orgId: "",
  databaseName: "neondb",
  roleName: "neondb_owner",
};

const dataSources: Readonly<Record<string, DataSource>> = {
  compareSchema: { args: ["projectId", "branchId", "databaseName"] },
  getApiKeys: { args: ["orgId"], required: [] },
  getBranch: { args: ["projectId", "branchId"], required: ["projectId"], oneOf: ["branchId", "name"] },
  getBranchSchema: { args: ["projectId", "branchId", "databaseName"] },
  getBranches: { args: ["projectId"] },
  getConnectionUri: { args: ["projectId", "branchId", "roleName", "databaseName"], missing: /^There is no branch / },
  getCurrentUser: { args: [] },
  getDatabases: { args: ["projectId", "branchId"] },
  getEndpoint: { args: ["projectId", "endpointId"], required: ["projectId"], oneOf: ["endpointId", "branchId"] },
  getEndpoints: { args: ["projectId", "branchId"], required: ["projectId"] },
  getJwks: { args: ["projectId"] },
  getOperation: { args: ["projectId", "operationId"] },
  getOperations: { args: ["projectId"] },
  getOrganization: { args: ["orgId"], required: [], oneOf: ["orgId", "name"] },
  getOrganizations: { args: [] },
  getPermissions: { args: ["projectId"] },
  getProject: { args: ["projectId"], required: [], oneOf: ["projectId", "name"] },
  getProjects: { args: ["orgId"], required: [] },
  getRegions: { args: ["orgId"], required: [] },
  getRoles: { args: ["projectId", "branchId"] },
  getSnapshots: { args: ["projectId"] },
};

const functions = neon as unknown as Readonly<Record<string, unknown>>;

describe("every data source", () => {
  const platform = suiteAccount();
  before(async () => {
    ids.orgId = await platform().firstOrganization();
    const { project, branch, endpoints, operations } = await platform().project({ org_id: ids.orgId });
    [ids.projectId, ids.branchId] = [project.id, branch.id];
    [ids.endpointId, ids.operationId] = [endpoints[0]?.id ?? "", operations[0]?.id ?? ""];
    // The parent of the branch is what its schema is compared with.
    const created = await platform().call("POST", `/projects/${project.id}/branches`, { branch: { name: "preview" } });
    ids.branchId = created.body.branch.id;
    const compute = { branch_id: ids.branchId, type: "read_write" };
    await platform().call("POST", `/projects/${project.id}/endpoints`, { endpoint: compute });
    await platform().settled(project.id);
  });

  it("is in this suite", () => {
    const exported = Object.keys(neon).filter((name) => `${name}Output` in neon);
    assert.deepEqual(Object.keys(dataSources), exported.sort());
  });

  for (const [name, { args, required = args, oneOf, missing }] of Object.entries(dataSources)) {
    const read = functions[name] as (args: Args) => Promise<unknown>;
    const output = functions[`${name}Output`] as (args: Args) => pulumi.Output<unknown>;
    const given = (): Args => Object.fromEntries(args.map((arg) => [arg, ids[arg]]));

    it(`${name} accepts outputs as arguments in its output form`, async () => {
      const outputs = Object.entries(given()).map(([arg, value]) => [arg, pulumi.output(Promise.resolve(value))]);
      const found = await read(given());
      assert.notEqual(found, undefined);
      assert.deepEqual(await valueOf(output(Object.fromEntries(outputs) as Args)), found);
    });

    it(`${name} fails with 401 or 403 instead of returning an empty result`, async () => {
      await platform().fault({ method: "GET", path: ".", status: 403, body: { code: "", message: "not yours" } });
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
    ] as const) {
      if (!args.includes(arg) || (arg !== "projectId" && oneOf === undefined && !required.includes(arg))) continue;
      it(`${name} fails with 404 if the ${what} does not exist`, async () => {
        await assertFails(read({ ...given(), [arg]: id }), missing ?? new RegExp(`HTTP 404: ${what} not found`));
      });
    }

    for (const arg of required) {
      it(`${name} names the argument ${arg} if it has no value`, async () => {
        const message = new RegExp(`^${name} needs \`${arg}\`\\.$`);
        for (const nothing of [undefined, ""]) {
          await assertFails(read({ ...given(), [arg]: nothing }), message);
          await assertFails(valueOf(output({ ...given(), [arg]: pulumi.output(nothing) })), message);
        }
      });
    }

    if (oneOf === undefined) continue;
    it(`${name} fails unless exactly one of ${oneOf.join(" and ")} is given`, async () => {
      const message = new RegExp(`^${name} takes either \`${oneOf[0]}\` or \`${oneOf[1]}\`\\.$`);
      const both = Object.fromEntries(oneOf.map((arg) => [arg, "one"]));
      const neither = Object.fromEntries(oneOf.map((arg) => [arg, undefined]));
      for (const changed of [both, neither]) await assertFails(read({ ...given(), ...changed }), message);
    });
  }
});
