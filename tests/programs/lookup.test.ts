import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { type Door, doors } from "../support/door";
import { assertSays } from "../support/expected-errors";
import { withPlugin } from "../support/plugin";
import { suiteStage } from "../support/stage";
import { type Stack, suiteStacks } from "../support/stack";
import { changingNothing } from "../support/unchanged-account";

describe("a program that reads an object by its id with `get`", function () {
  this.timeout(900_000);
  const stage = suiteStage({ isServed: false });
  const newStack = suiteStacks();

  const stackOf = (door: Door): Promise<Stack> =>
    newStack({ platform: stage().platform, program: "", project: door === "plugin" ? withPlugin : {} });

  /** Asserts that a command fails with one error, and that the state has nothing of the lookup. */
  async function assertMissing(stack: Stack, noun: string, id: string): Promise<void> {
    for (const command of ["preview", "up"] as const) {
      const { text } = await stack.failing(command);
      const diagnostics = text.slice(text.indexOf("Diagnostics:"));
      const [message, ...others] = [...diagnostics.matchAll(/ error: (.*)/g)]
        .map(([, said = ""]) => said.replace("Preview failed: ", ""))
        .filter((said) => !/^(preview|update) failed$/.test(said));
      assert.deepEqual(others, [], text);
      assertSays(
        message ?? "",
        `There is no ${noun} ${id}, or this API key cannot see it: the key belongs to account `,
        /Nothing was changed\. Check the id, or use an API key of the account or organization that owns it\.$/,
      );
      assert.doesNotMatch(text, /undefined/i);
      assert.deepEqual([...stack.resources().keys()], []);
    }
  }

  for (const door of doors) {
    it(`fails in preview and up if there is no such object, and creates nothing that depends on it (${door})`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const stack = await stackOf(door);
      const id = `${projectId}/br-absent-12345678`;
      stack.write(`
        const found = neon.Branch.get("found", "${id}");
        new neon.Role("app", { projectId: "${projectId}", branchId: "${branchId}" }, { dependsOn: found });
      `);
      await changingNothing(stage(), () => assertMissing(stack, "branch", id));
    });

    it(`loses what was deleted in a refresh, and then fails for it (${door})`, async () => {
      const { id: projectId } = await stage().project();
      const { id: branchId } = await stage().branch(projectId);
      const stack = await stackOf(door);
      const id = `${projectId}/${branchId}`;
      stack.write(`neon.Branch.get("found", "${id}");`);
      await stack.up();
      assert.equal(stack.resource("found").external, true);
      assert.match((await stack.refresh("--diff")).text, /Resources:\n +2 unchanged/);
      await stage().platform.call("DELETE", `/projects/${projectId}/branches/${branchId}`);
      await stage().settled(projectId);
      assert.match((await stack.refresh()).text, /- 1 deleted/);
      await assertMissing(stack, "branch", id);
    });
  }
});
