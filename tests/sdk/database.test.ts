import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, suiteAccount, valueOf } from "./program";
import { Registrations } from "./registrations";

describe("Database", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  it("registers its type token and the declared arguments", async () => {
    const args = { projectId: "spring-example-302709", branchId: "br-wispy-meadow-118737" };
    const role = new neon.Role("owner", { ...args, name: "app" });
    const database = new neon.Database("shop", { ...args, ownerName: role.name });
    const { type, inputs } = await registered.one("shop");
    assert.equal(type, "pulumi-nodejs:dynamic/neon:Database");
    assert.deepEqual(Object.keys(inputs).sort(), ["__neon", "__provider", "branchId", "ownerName", "projectId"]);
    assert.equal(inputs["ownerName"], "app");
    assert.ok(neon.Database.isInstance(database) && !neon.Role.isInstance(database));
  });

  it("get decodes the segments of the id", async () => {
    const database = neon.Database.get("theirs", "spring-example-302709/br-wispy-meadow-118737/50%25%20off");
    const { inputs } = await registered.one("theirs");
    assert.deepEqual(
      [inputs["projectId"], inputs["branchId"], inputs["name"]],
      ["spring-example-302709", "br-wispy-meadow-118737", "50% off"],
    );
    assert.equal(await valueOf(database.id), "spring-example-302709/br-wispy-meadow-118737/50%25%20off");
  });
});

describe("getDatabases", () => {
  const platform = suiteAccount();
  let projectId = "";
  let branchId = "";
  before(async () => {
    const { project, branch } = await platform().project();
    projectId = project.id;
    branchId = branch.id;
    const path = `/projects/${projectId}/branches/${branchId}/databases`;
    await platform().call("POST", path, { database: { name: "50% off", owner_name: "neondb_owner" } });
    await platform().settled(projectId);
  });

  it("lists all databases of a branch", async () => {
    const databases = await neon.getDatabases({ projectId, branchId });
    assert.equal(new Set(databases.map(({ id }) => id)).size, 2);
    for (const { createdAt, updatedAt } of databases) {
      for (const time of [createdAt, updatedAt]) assert.ok(Date.parse(time ?? "") > 0);
    }
    assert.deepEqual(
      databases.map(({ id: _, createdAt: __, updatedAt: ___, ...rest }) => rest),
      ["neondb", "50% off"].map((name) => ({ branchId, name, ownerName: "neondb_owner" })),
    );
  });

  it("accepts outputs as arguments in its output form", async () => {
    const databases = neon.getDatabasesOutput({ projectId: pulumi.output(projectId), branchId });
    assert.deepEqual(
      (await valueOf(databases)).map(({ name }) => name),
      ["neondb", "50% off"],
    );
  });

  it("fails with 401, 403 or 404 instead of returning an empty list", async () => {
    await assertFails(neon.getDatabases({ projectId, branchId: "br-no-such-1" }), /HTTP 404: branch not found/);
    await platform().fault({
      method: "GET",
      path: "/databases$",
      status: 403,
      body: { code: "", message: "not yours" },
    });
    await assertFails(
      neon.getDatabases({ projectId, branchId }),
      /HTTP 403: not yours \[request [\w-]+\]\. This API key lacks the permission/,
    );
    configure({ apiKey: "napi_wrong", apiUrl: platform().apiUrl });
    await assertFails(neon.getDatabases({ projectId, branchId }), /HTTP 401/);
    await assertFails(valueOf(neon.getDatabasesOutput({ projectId, branchId })), /HTTP 401/);
  });
});
