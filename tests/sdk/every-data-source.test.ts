import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
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
};

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
    const { read, output } = formsOf(name);
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

    if (oneOf === undefined) continue;
    it(`${name} fails unless exactly one of ${oneOf.join(" and ")} is given`, async () => {
      const message = `${name} takes either \`${oneOf[0]}\` or \`${oneOf[1]}\`.`;
      const both = Object.fromEntries(oneOf.map((arg) => [arg, "one"]));
      const neither = Object.fromEntries(oneOf.map((arg) => [arg, undefined]));
      for (const changed of [both, neither]) await assertFails(read({ ...given(), ...changed }), message);
    });
  }
});
