import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { doors } from "../support/door";
import { assertSays } from "../support/expected-errors";
import { withPlugin } from "../support/plugin";
import { suiteStage } from "../support/stage";
import { type CliResult, suiteStacks } from "../support/stack";
import { changingNothing } from "../support/unchanged-account";

describe("a program that reads an object by its id with `get`", function () {
  this.timeout(900_000);
  const stage = suiteStage({ isServed: false });
  const newStack = suiteStacks();

  for (const door of doors) {
    it(`fails if there is no such object, creates no dependents, and leaves the state in a refresh after it was deleted (${door})`, async () => {
      const { id: projectId, branchId: main } = await stage().project();
      const { id: branchId } = await stage().branch(projectId);
      const project = door === "plugin" ? withPlugin : {};
      const stack = await newStack({ platform: stage().platform, program: "", project });
      const write = (id: string): void =>
        stack.write(`
          const found = neon.Branch.get("found", "${projectId}/${id}");
          new neon.Role("app", { projectId: "${projectId}", branchId: "${main}" }, { dependsOn: found });
        `);
      const absent = "br-absent-12345678";
      write(absent);
      await changingNothing(stage(), async () => {
        for (const command of ["preview", "up"] as const)
          assertMissing(await stack.failing(command), projectId, absent);
        assert.equal(stack.resources().size, 0);
      });

      write(branchId);
      await stack.up();
      assert.equal(stack.resource("found").external, true);
      assert.match((await stack.refresh("--diff")).text, /Resources:\n +3 unchanged/);
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
      await stage().settled(projectId);
      assert.match((await stack.refresh()).text, /- 1 deleted/);
      assertMissing(await stack.failing("up"), projectId, branchId);
      assert.deepEqual([...stack.resources().keys()], ["app"]);
    });
  }
});

/** Asserts that a command has failed with one error. */
function assertMissing({ text }: CliResult, projectId: string, branchId: string): void {
  const diagnostics = text.slice(text.indexOf("Diagnostics:"));
  const [message = "", ...others] = [...diagnostics.matchAll(/ error: (.*)/g)]
    .map(([, said = ""]) => said.replace("Preview failed: ", ""))
    .filter((said) => !/^(preview|update) failed$/.test(said));
  assert.deepEqual(others, [], text);
  assertSays(
    message,
    `There is no branch ${projectId}/${branchId}, or this API key cannot see it: the key belongs to account `,
    /Nothing was changed\. Check the id, or use an API key of the account or organization that owns it\.$/,
  );
  assert.doesNotMatch(text, /undefined/i);
}
