import { changeable, inProject, repeatable, type Rows } from "../row";

/** Options of resources, and flags of `pulumi up`. */
export const options: Rows = {
  "retainOnDelete, destroy, and up": async (scene) => {
    const stack = await scene.created();
    await stack.up(scene.app({ options: "retainOnDelete: true" }));
    await stack.destroy({ releases: true });
    await stack.upOrTry(scene.app(), { did: { app: "create" } });
  },
  "retainOnDelete, removed from the program": async (scene) => {
    const stack = await scene.created(scene.app({ options: "retainOnDelete: true" }));
    await stack.up("", { did: { app: "delete" }, releases: true });
  },
  protect: async (scene) => {
    const app = scene.app({ options: "protect: true" });
    const stack = await scene.created(app);
    await stack.destroy({ ends: "badly" });
    await stack.fails("");
    await stack.fails(app, { flags: ["--replace", stack.urn("app")] });
    await stack.up(scene.app());
  },
  ignoreChanges: {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const args = scene.changed(stack);
      const ignored = Object.keys(args).filter((name) => args[name] !== scene.declared[name]);
      await stack.up(scene.app({ args, options: `ignoreChanges: ${JSON.stringify(ignored)}` }));
      await stack.up(scene.app({ args }), { did: { app: "update" } });
    },
  },
  replaceOnChanges: {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      await stack.tries(scene.app({ args: scene.changed(stack), options: 'replaceOnChanges: ["*"]' }));
    },
  },
  "replaceOnChanges, deleteBeforeReplace": {
    only: (facts, sample) => changeable(facts, sample) && repeatable(facts, sample),
    carryOut: async (scene) => {
      const stack = await scene.created();
      const replaced = 'replaceOnChanges: ["*"], deleteBeforeReplace: true';
      await stack.up(scene.app({ args: scene.changed(stack), options: replaced }), { did: { app: "replace" } });
    },
  },
  deleteBeforeReplace: {
    only: repeatable,
    carryOut: async (scene) => {
      const app = scene.app({ options: "deleteBeforeReplace: true" });
      const stack = await scene.created(app);
      await stack.up(app, { did: { app: "replace" }, flags: ["--replace", stack.urn("app")] });
    },
  },
  "--replace": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry(scene.app(), { did: { app: "replace" }, flags: ["--replace", stack.urn("app")] });
  },
  "deletedWith, and destroy": {
    only: inProject,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const base = scene.resource("Project", { name: "base", args: { adopt: scene.declared["projectId"] } });
      const both = base + scene.app({ options: "deletedWith: base" });
      await stack.up(both, { did: { base: "adopt", app: "create" } });
      await stack.up(both);
      await stack.up(base, { did: { app: "delete" } });
      if (!scene.facts.once) await stack.up(both, { did: { app: "create" } });
      await stack.up(base + scene.app({ options: "deletedWith: base, retainOnDelete: false" }));
    },
  },
  "a transform that sets options": async (scene) => {
    const stack = await scene.created();
    const transform = `
      const more = { aliases: [{ name: "app" }], protect: true };
      pulumi.runtime.registerStackTransformation(({ props, opts }) => ({ props, opts: pulumi.mergeOptions(opts, more) }));
    `;
    await stack.up(transform + scene.app({ name: "moved" }));
    await stack.destroy({ ends: "badly" });
    await stack.up(scene.app({ name: "moved" }));
  },
  "--target": async (scene) => {
    const stack = await scene.stack();
    const both = scene.app() + (await scene.other());
    const flags = ["--target", stack.urn("app")];
    await stack.up(both, { did: { app: "create" }, flags });
    await stack.up(both, { did: { other: "create" } });
    await stack.up(scene.app(), { flags });
    await stack.up(scene.app(), { did: { other: "delete" } });
  },
  "--target, --target-dependents": async (scene) => {
    const stack = await scene.stack();
    const both = scene.app() + (await scene.other("dependsOn: app"));
    const flags = ["--target", stack.urn("app"), "--target-dependents"];
    await stack.up(both, { did: { app: "create", other: "create" }, flags });
    await stack.up(both, { flags });
    await stack.tries(both, [...flags, "--replace", stack.urn("app")]);
    await stack.tries(both);
  },
  "destroy --target": async (scene) => {
    const stack = await scene.stack();
    await stack.up(scene.app() + (await scene.other()), { did: { app: "create", other: "create" } });
    await stack.destroy({ did: { other: "delete" }, flags: ["--target", stack.urn("other")] });
    await stack.up(scene.app());
    await stack.refresh();
  },
};
