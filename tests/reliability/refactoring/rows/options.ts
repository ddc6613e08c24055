import { changeable, inProject, repeatable, type Rows } from "../refactoring";

/** Options of resources, and flags of `pulumi up`. */
export const options: Rows = {
  "retainOnDelete, destroy, and up": async (scene) => {
    const stack = await scene.created();
    await stack.up([scene.app({ retainOnDelete: true })], {});
    await stack.destroy({ releases: ["app"] });
    await stack.upOrTry([scene.app()], { app: "create" });
  },
  "retainOnDelete, removed from the program": async (scene) => {
    const stack = await scene.created(scene.app({ retainOnDelete: true }));
    await stack.up([], { app: "delete" }, { releases: ["app"] });
  },
  protect: async (scene) => {
    const stack = await scene.created(scene.app({ protect: true }));
    await stack.destroy({ ends: "badly" });
    await stack.fails([]);
    await stack.fails([scene.app({ protect: true })], {}, { replace: ["app"] });
    await stack.up([scene.app()], {});
  },
  ignoreChanges: {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const args = scene.changed(stack.outputs("app"));
      const ignoreChanges = Object.keys(args).filter((name) => args[name] !== scene.declared[name]);
      await stack.up([scene.app({ ignoreChanges }, args)], {});
      await stack.up([scene.app({}, args)], { app: "update" });
    },
  },
  replaceOnChanges: {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const args = scene.changed(stack.outputs("app"));
      await stack.tries([scene.app({ replaceOnChanges: ["*"] }, args)]);
    },
  },
  "replaceOnChanges, deleteBeforeReplace": {
    only: (facts, sample) => changeable(facts, sample) && repeatable(facts, sample),
    carryOut: async (scene) => {
      const stack = await scene.created();
      const args = scene.changed(stack.outputs("app"));
      await stack.up([scene.app({ replaceOnChanges: ["*"], deleteBeforeReplace: true }, args)], { app: "replace" });
    },
  },
  deleteBeforeReplace: {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created(scene.app({ deleteBeforeReplace: true }));
      await stack.up([scene.app({ deleteBeforeReplace: true })], { app: "replace" }, {}, { replace: ["app"] });
    },
  },
  "--replace": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry([scene.app()], { app: "replace" }, {}, { replace: ["app"] });
  },
  "deletedWith, and destroy": {
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
  "a transform that sets options": async (scene) => {
    const stack = await scene.created();
    const moved = { ...scene.app(), name: "moved" };
    const transform = { aliases: [{ name: "app" }], protect: true };
    await stack.up({ resources: [moved], transform }, {});
    await stack.destroy({ ends: "badly" });
    await stack.up([moved], {});
  },
  "--target": async (scene) => {
    const stack = await scene.stack();
    const other = { ...scene.app({}, await scene.another()), name: "other" };
    await stack.up([scene.app(), other], { app: "create" }, {}, { target: ["app"] });
    await stack.up([scene.app(), other], { other: "create" });
    await stack.up([scene.app()], {}, {}, { target: ["app"] });
    await stack.up([scene.app()], { other: "delete" });
  },
  "--target, --target-dependents": {
    cliOnly: "the model knows no dependents",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const other = { ...scene.app({ dependsOn: "app" }, await scene.another()), name: "other" };
      const flags = { target: ["app"], targetDependents: true };
      await stack.up([scene.app(), other], { app: "create", other: "create" }, {}, flags);
      await stack.up([scene.app(), other], {}, {}, flags);
      await stack.tries([scene.app(), other], { ...flags, replace: ["app"] });
      await stack.tries([scene.app(), other]);
    },
  },
  "destroy --target": async (scene) => {
    const stack = await scene.stack();
    const other = { ...scene.app({}, await scene.another()), name: "other" };
    await stack.up([scene.app(), other], { app: "create", other: "create" });
    await stack.destroy({}, { target: ["other"] });
    await stack.up([scene.app()], {});
    await stack.refresh();
  },
};
