import type { Refactoring } from "../refactoring";
import { repeatable } from "../refactoring";

/** What the commands of `pulumi state` do. */
export const state: readonly Refactoring[] = [
  {
    title: "state delete, and up",
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.forget("app");
      if (scene.facts.twice === "another") await stack.up([scene.app()], { app: "create" }, { warns: true });
      else await stack.tries([scene.app()]);
    },
  },
  {
    title: "state delete, and adopt",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const adopt = stack.adoption("app");
      await stack.forget("app");
      await stack.up([scene.app({}, { ...scene.declared, adopt })], { app: "adopt" });
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "state rename",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.engine.renameResource("app", "moved");
      await stack.up([{ ...scene.app(), name: "moved" }], {});
    },
  },
  {
    title: "state move",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const other = await scene.stack({ stack: "production" });
      await other.up([], {});
      await stack.engine.move("app", other.engine);
      await other.up([scene.app()], {});
      await stack.up([], {});
      await stack.up([scene.app({}, await scene.another())], { app: "create" }, { warns: true });
    },
  },
  {
    title: "taint",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.engine.taint("app");
      if (scene.facts.twice === "another") {
        await stack.up([scene.app()], { app: "replace" });
        return;
      }
      await stack.tries([scene.app()]);
      // An object that cannot exist twice is deleted first where the program says so; one that can never be created
      // again stays.
      if (scene.facts.once) await stack.engine.untaint("app");
      else await stack.tries([scene.app({ deleteBeforeReplace: true })]);
    },
  },
];
