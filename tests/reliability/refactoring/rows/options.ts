import type { Refactoring } from "../refactoring";
import { changeable, inProject, repeatable } from "../refactoring";

/** Options of resources, and flags of `pulumi up`. */
export const options: readonly Refactoring[] = [
  {
    title: "retainOnDelete, destroy, and up",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.up([scene.app({ retainOnDelete: true })], {});
      await stack.destroy({ releases: ["app"] });
      if (scene.facts.twice === "another") await stack.up([scene.app()], { app: "create" }, { warns: true });
      else await stack.tries([scene.app()]);
    },
  },
  {
    title: "retainOnDelete, removed from the program",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ retainOnDelete: true })], { app: "create" });
      await stack.up([], { app: "delete" }, { releases: ["app"] });
    },
  },
  {
    title: "protect",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ protect: true })], { app: "create" });
      await stack.destroy({ ends: "badly" });
      await stack.fails([]);
      await stack.fails([scene.app({ protect: true })], {}, { replace: ["app"] });
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "ignoreChanges",
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const args = scene.changed(stack.outputs("app"));
      const ignoreChanges = Object.keys(args).filter((name) => args[name] !== scene.declared[name]);
      await stack.up([scene.app({ ignoreChanges }, args)], {});
      await stack.up([scene.app({}, args)], { app: "update" });
    },
  },
  {
    title: "replaceOnChanges",
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const args = scene.changed(stack.outputs("app"));
      await stack.tries([scene.app({ replaceOnChanges: ["*"] }, args)]);
    },
  },
  {
    title: "replaceOnChanges, deleteBeforeReplace",
    only: {
      because: "nothing is changed in place, or the same is never created again",
      suits: (facts, sample) => changeable.suits(facts, sample) && !facts.once,
    },
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const args = scene.changed(stack.outputs("app"));
      await stack.up([scene.app({ replaceOnChanges: ["*"], deleteBeforeReplace: true }, args)], { app: "replace" });
    },
  },
  {
    title: "deleteBeforeReplace",
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ deleteBeforeReplace: true })], { app: "create" });
      await stack.up([scene.app({ deleteBeforeReplace: true })], { app: "replace" }, {}, { replace: ["app"] });
    },
  },
  {
    title: "--replace",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const flags = { replace: ["app"] };
      if (scene.facts.twice === "another") await stack.up([scene.app()], { app: "replace" }, {}, flags);
      else await stack.tries([scene.app()], flags);
    },
  },
  {
    title: "deletedWith, and destroy",
    only: inProject,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const project = { name: "base", kind: "Project", args: { adopt: scene.declared["projectId"] } } as const;
      await stack.up([project, scene.app({ deletedWith: "base" })], { base: "adopt", app: "create" });
      await stack.up([project, scene.app({ deletedWith: "base" })], {});
      await stack.up([project], { app: "delete" });
      if (!scene.facts.once) await stack.up([project, scene.app({ deletedWith: "base" })], { app: "create" });
      await stack.up([project, scene.app({ deletedWith: "base", retainOnDelete: false })], {});
    },
  },
  {
    title: "a transform that sets options",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up({ resources: [scene.app()] }, { app: "create" });
      const moved = { ...scene.app(), name: "moved" };
      const transform = { aliases: [{ name: "app" }], protect: true };
      await stack.up({ resources: [moved], transform }, {});
      await stack.destroy({ ends: "badly" });
      await stack.up({ resources: [moved] }, {});
    },
  },
  {
    title: "--target",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const other = { ...scene.app({}, await scene.another()), name: "other" };
      await stack.up([scene.app(), other], { app: "create" }, {}, { target: ["app"] });
      await stack.up([scene.app(), other], { other: "create" });
      await stack.up([scene.app()], {}, {}, { target: ["app"] });
      await stack.up([scene.app()], { other: "delete" });
    },
  },
];
