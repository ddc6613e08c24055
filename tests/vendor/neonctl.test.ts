import assert from "node:assert/strict";

import type { Branch, Database, Project, Role } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { hostPattern } from "../support/postgres-files";
import { suiteVendorCli } from "../support/vendor-cli";

/** The older name is another package with an older version of the same command. A script for previews needs these. */
describe("vendor: the command `neonctl`", () => {
  const platform = suitePlatform({ operationTime: "1ms" });
  const cli = suiteVendorCli("neonctl", () => platform());

  it("makes a preview environment that can be connected to", async () => {
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
    const uri = await cli().text("connection-string", "pr-1", "--database-name", "shop", "--role-name", "app", ...of);
    const { username, hostname, pathname } = new URL(uri);
    assert.deepEqual([username, pathname], ["app", "/shop"]);
    assert.match(hostname, hostPattern({ pooled: false }));
  });
});
