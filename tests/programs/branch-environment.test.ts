import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { branchNames, suiteStacks } from "../support/stack";

describe("programs: an environment for each pull request", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  /** A project whose default branch has two roles. */
  async function withTwoRoles(name: string): Promise<string> {
    const { project, branch } = await platform().project({ name });
    const made = await platform().call("POST", `/projects/${project.id}/branches/${branch.id}/roles`, {
      role: { name: "reporting" },
    });
    assert.equal(made.status, 201);
    await platform().settled(project.id);
    return project.id;
  }

  /** The mutations of a project, without the ids. */
  const mutations = async (projectId: string): Promise<string[]> =>
    (await platform().requests())
      .filter(({ method, path }) => method !== "GET" && path.includes(projectId))
      .map(
        ({ method, path }) => `${method} ${path.replace(/\/api\/v2\/projects\/[^/]+/, "").replace(/br-[\w-]+/, "br")}`,
      )
      .sort();

  it("sends one mutation for a branch with inherited role and database, and one more for each declared one", async () => {
    const { project } = await platform().project({ name: "shop" });
    const { project: another } = await platform().project({ name: "another" });
    const chosen = await withTwoRoles("chosen");
    const program = (more = ""): string => `
        const env = new neon.BranchEnvironment("pr-42", { projectId: "${project.id}", ${more} });
        for (const name of ["branchId", "endpointId", "host", "roleName", "databaseName", "connectionUri"]) {
          exports[name] = env[name];
        }
        const own = new neon.BranchEnvironment("pr-43", {
          projectId: "${another.id}", pooled: true, role: { name: "app" }, database: { name: "orders" },
        });
        exports.ownHost = own.host;
        exports.ownUri = own.connectionUri;
        exports.chosenUri = new neon.BranchEnvironment("pr-44", {
          projectId: "${chosen}", roleName: "reporting",
        }).connectionUri;
      `;
    const stack = await newStack({ platform: platform(), program: program() });
    await platform().clearRequests();
    const { text } = await stack.up();
    assert.match(text, /neon:index:BranchEnvironment pr-42 creat/);
    assert.match(text, /connectionUri *: \[secret\]/);
    assert.deepEqual(await mutations(project.id), ["POST /branches"]);
    const { host, roleName, databaseName, connectionUri, ownHost, ownUri, chosenUri } = stack.outputs();
    assert.deepEqual([roleName, databaseName], ["neondb_owner", "neondb"]);
    assert.match(String(connectionUri), new RegExp(`^postgresql://neondb_owner:[^@]+@${String(host)}/neondb\\?`));

    const ownMutations = ["POST /branches", "POST /branches/br/databases", "POST /branches/br/roles"];
    assert.deepEqual(await mutations(another.id), ownMutations);
    assert.match(String(ownHost), /^ep-[\w-]+-pooler\./);
    assert.match(String(ownUri), new RegExp(`^postgresql://app:[^@]+@${String(ownHost)}/orders\\?`));
    assert.match(String(chosenUri), /^postgresql:\/\/reporting:[^@]+@ep-/);

    stack.write(program('role: { name: "app" }, database: { name: "orders" }'));
    await platform().clearRequests();
    await stack.up();
    assert.deepEqual(await mutations(project.id), ["POST /branches/br/databases", "POST /branches/br/roles"]);
    assert.match(
      String(stack.outputs()["connectionUri"]),
      new RegExp(`^postgresql://app:[^@]+@${String(host)}/orders`),
    );

    await platform().clearRequests();
    await stack.destroy();
    assert.deepEqual(await mutations(another.id), ["DELETE /branches/br"], "what is in a branch goes with it");
    assert.deepEqual(await branchNames(platform(), "another"), ["main"]);
  });

  it("fails if the branch has several roles or databases and the program names none", async () => {
    const stack = await newStack({
      platform: platform(),
      program: `
        const env = new neon.BranchEnvironment("pr-1", { projectId: "${await withTwoRoles("several")}" });
        exports.url = env.connectionUri;
      `,
    });
    const failed = await stack.failing("up");
    assert.match(failed.text, /has several roles, or none\. Set `roleName` to the one to use/);
  });
});
