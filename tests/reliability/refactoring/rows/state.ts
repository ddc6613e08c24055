import { currentDoor } from "../../../support/door";
import { repeatable, type Rows } from "../refactoring";

/** What the commands of `pulumi state` do. */
export const state: Rows = {
  "state delete, and up": {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      await stack.forget("app");
      await stack.upOrTry([scene.app()], { app: "create" });
    },
  },
  "state delete, and adopt": async (scene) => {
    const stack = await scene.created();
    const adopt = stack.adoption("app");
    await stack.forget("app");
    await stack.up([scene.app({}, { ...scene.declared, adopt })], { app: "adopt" });
    await stack.up([scene.app()], {});
  },
  "state delete, and import": {
    only: () => currentDoor() === "plugin",
    cliOnly: "the model does not import",
    carryOut: async (scene) => {
      const stack = await scene.created();
      const id = stack.id("app");
      await stack.forget("app");
      // A value that the platform never reports is a change of what was imported, and can replace it.
      await stack.tries([scene.app({ import: id })]);
      await stack.tries([scene.app()]);
      await stack.refresh();
    },
  },
  "state rename": async (scene) => {
    const stack = await scene.created();
    await stack.engine.renameResource("app", "moved");
    await stack.up([{ ...scene.app(), name: "moved" }], {});
  },
  "state move": async (scene) => {
    const stack = await scene.created();
    const other = await scene.stack({ stack: "production" });
    await other.up([], {});
    await stack.engine.move("app", other.engine);
    await other.up([scene.app()], {});
    await stack.up([], {});
    await stack.up([scene.app({}, await scene.another())], { app: "create" }, { warns: true });
  },
  taint: async (scene) => {
    const stack = await scene.created();
    await stack.engine.taint("app", true);
    await stack.upOrTry([scene.app()], { app: "replace" });
    if (scene.facts.twice === "another") return;
    // With `deleteBeforeReplace`, an object that cannot exist twice is deleted first. One that can never be created again
    // stays.
    if (scene.facts.once) await stack.engine.taint("app", false);
    else await stack.tries([scene.app({ deleteBeforeReplace: true })]);
  },
};
