import assert from "node:assert/strict";

import type { Branch, Database, Operation, Project, Role } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { suiteVendorCli } from "../support/vendor-cli";

/** The older name is another package, over another version of the same command: what a script is made of is tried. */
describe("vendor: the command `neonctl`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neonctl", () => platform());

  it("leads a preview environment from a new project to its end", async () => {
    const { project } = await cli().json<{ project: Project }>("projects", "create", "--name", "shop");
    const of = ["--project-id", project.id];
    const made = async <Answer>(...args: readonly string[]): Promise<Answer> => {
      const answer = await cli().json<Answer>(...args, ...of);
      await platform().settled(project.id);
      return answer;
    };
    await platform().settled(project.id);
    const { branch } = await made<{ branch: Branch }>("branches", "create", "--name", "pr-1");
    assert.ok((await made<Role>("roles", "create", "--name", "app", "--branch", "pr-1")).password);
    const database = await made<Database>(
      ...["databases", "create", "--name", "shop", "--owner-name", "app", "--branch", branch.id],
    );
    assert.equal(database.branch_id, branch.id);
    const [branches, operations, uri] = await Promise.all([
      cli().json<Branch[]>("branches", "list", ...of),
      cli().json<Operation[]>("operations", "list", ...of),
      cli().text("connection-string", "pr-1", "--database-name", "shop", "--role-name", "app", ...of),
    ]);
    assert.ok(branches.some(({ name }) => name === "pr-1"));
    assert.ok(operations.every(({ status }) => (status as string) === "finished"));
    assert.match(uri, /^postgresql:\/\/app:[^@]+@ep-[^/]+\/shop/);
    await made("branches", "reset", "pr-1", "--parent");
    await made("branches", "delete", "pr-1");
    await cli().text("projects", "delete", project.id);
    const { projects } = await cli().json<{ projects: Project[] }>("projects", "list");
    assert.deepEqual(projects, []);
  });

  it("is told that a key is wrong", async () => {
    assert.match(await cli().complaint(["me"], "napi_never_made"), /ERROR/);
  });
});
