import { currentDoor } from "../../../support/door";
import { repeatable, type Rows } from "../row";

/** What the commands of `pulumi state` do. */
export const state: Rows = {
  "state delete, and up": {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      await stack.forget("app");
      await stack.upOrTry(scene.app(), { did: { app: "create" } });
    },
  },
  "state delete, and adopt": async (scene) => {
    const stack = await scene.created();
    const adopt = stack.adoption("app");
    await stack.forget("app");
    await stack.up(scene.app({ args: { ...scene.declared, adopt } }), { did: { app: "adopt" } });
    await stack.up(scene.app());
  },
  "state delete, and import": {
    only: () => currentDoor() === "plugin",
    carryOut: async (scene) => {
      const stack = await scene.created();
      const { id } = stack.held("app");
      await stack.forget("app");
      // A value that the platform never reports is a change of what was imported, and can replace it.
      await stack.tries(scene.app({ options: `import: ${JSON.stringify(id)}` }));
      await stack.tries(scene.app());
      await stack.refresh();
    },
  },
  "state rename": async (scene) => {
    const stack = await scene.created();
    await stack.command("state", "rename", "--yes", stack.urn("app"), "moved");
    await stack.up(scene.app({ name: "moved" }));
  },
  "state move": async (scene) => {
    const stack = await scene.created();
    const other = await scene.stack({ stack: "production" });
    await other.up("");
    await stack.command("state", "move", "--yes", "--source", "dev", "--dest", "production", stack.urn("app"));
    await other.up(scene.app());
    await stack.up("");
    await stack.up(scene.app({ args: await scene.another() }), { did: { app: "create" }, warns: true });
  },
  taint: async (scene) => {
    const stack = await scene.created();
    await stack.command("state", "taint", "--yes", stack.urn("app"));
    await stack.upOrTry(scene.app(), { did: { app: "replace" } });
    if (scene.facts.twice === "another") return;
    // With `deleteBeforeReplace`, an object that cannot exist twice is deleted first. One that can never be created again
    // stays.
    if (scene.facts.once) await stack.command("state", "untaint", "--yes", stack.urn("app"));
    else await stack.tries(scene.app({ options: "deleteBeforeReplace: true" }));
  },
};
