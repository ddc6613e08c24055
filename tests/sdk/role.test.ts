import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, secretOutputsOf, suiteAccount, valueOf } from "./program";
import { Registrations } from "./registrations";

describe("Role", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  it("registers its type token and the declared arguments, and marks `password` as secret", async () => {
    const args = { projectId: "spring-example-302709", branchId: "br-wispy-meadow-118737" };
    const role = new neon.Role("app", { ...args, passwordTrigger: "1" });
    const { type, inputs } = await registered.one("app");
    assert.equal(type, "pulumi-nodejs:dynamic/neon:Role");
    assert.deepEqual(Object.keys(inputs).sort(), ["__neon", "__provider", "branchId", "passwordTrigger", "projectId"]);
    assert.deepEqual(
      secretOutputsOf((options) => new neon.Role("secret", args, options)),
      ["password"],
    );
    assert.ok(neon.Role.isInstance(role) && !neon.Database.isInstance(role) && !neon.Role.isInstance({}));
  });

  it("get decodes the segments of the id", async () => {
    const role = neon.Role.get("theirs", "spring-example-302709/br-wispy-meadow-118737/team%2Fapp");
    const { inputs } = await registered.one("theirs");
    assert.deepEqual(
      [inputs["projectId"], inputs["branchId"], inputs["name"]],
      ["spring-example-302709", "br-wispy-meadow-118737", "team/app"],
    );
    assert.equal(await valueOf(role.id), "spring-example-302709/br-wispy-meadow-118737/team%2Fapp");
  });

  it("rejects the option `import`, and suggests `adopt`", () => {
    const create = (): unknown => new neon.Role("taken", { projectId: "p", branchId: "b" }, { import: "p/b/taken" });
    assert.throws(create, (error) => pulumi.RunError.isInstance(error) && error.message.includes("adopt"));
  });
});

describe("getRoles", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  before(async () => {
    const { project, branch } = await platform().project();
    projectId = project.id;
    branchId = branch.id;
    const path = `/projects/${projectId}/branches/${branchId}/roles`;
    await platform().call("POST", path, { role: { name: "team/readers", no_login: true } });
    await platform().settled(projectId);
  });

  it("lists all roles of a branch without their passwords", async () => {
    const roles = await neon.getRoles({ projectId, branchId });
    for (const { createdAt, updatedAt } of roles) {
      for (const time of [createdAt, updatedAt]) assert.ok(Date.parse(time ?? "") > 0);
    }
    assert.deepEqual(
      roles.map(({ createdAt: _, updatedAt: __, ...rest }) => rest),
      [
        { branchId, name: "neondb_owner", protected: false, authenticationMethod: "password" },
        { branchId, name: "team/readers", protected: false, authenticationMethod: "no_login" },
      ],
    );
  });

  it("accepts outputs as arguments in its output form", async () => {
    const roles = neon.getRolesOutput({ projectId: pulumi.output(projectId), branchId: pulumi.output(branchId) });
    assert.deepEqual(
      (await valueOf(roles)).map(({ name }) => name),
      ["neondb_owner", "team/readers"],
    );
  });

  it("fails with 401, 403 or 404 instead of returning an empty list", async () => {
    await assertFails(neon.getRoles({ projectId, branchId: "br-no-such-1" }), /HTTP 404: branch not found/);
    await platform().fault({ method: "GET", path: "/roles$", status: 403, body: { code: "", message: "not yours" } });
    await assertFails(
      neon.getRoles({ projectId, branchId }),
      /HTTP 403: not yours \[request [\w-]+\]\. This API key lacks the permission/,
    );
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getRoles({ projectId, branchId }), /HTTP 401/);
    await assertFails(valueOf(neon.getRolesOutput({ projectId, branchId })), /HTTP 401/);
  });
});
