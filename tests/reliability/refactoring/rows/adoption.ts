import type { Values } from "../../../support/provider-server";
import type { Declared, Program } from "../program";
import { changeable, named, type Rows } from "../refactoring";
import type { Scene, SceneStack } from "../scene";
import { elsewhere } from "./stacks";

/** Objects that are read, adopted, and shared by mistake. */
export const adoption: Rows = {
  "get of what another resource manages": async (scene) => {
    const stack = await scene.created();
    const view = viewOf(scene, stack);
    await stack.up([scene.app(), view], { view: "read" });
    await stack.up([scene.app(), view], { view: "read" });
    await stack.up([scene.app()], { view: "delete" });
  },
  "get of what another resource manages, which changes": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const view = viewOf(scene, stack);
      await stack.up([scene.app(), view], { view: "read" });
      const app = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.up([app, view], { app: "update", view: "read" });
      await stack.up([app], { view: "delete" });
    },
  },
  "get of what another stack manages": async (scene) => {
    const stack = await scene.created();
    const reader = await scene.stack(elsewhere(scene));
    await reader.up([viewOf(scene, stack)], { view: "read" });
    await reader.refresh();
    await reader.up([], { view: "delete" });
  },
  "adopt by id": async (scene) => {
    await adopts(scene, await unmanaged(scene));
  },
  "adopt: true": {
    // Other kinds are adopted by id only.
    only: ({ isAdoptedByName }) => isAdoptedByName,
    carryOut: async (scene) => {
      await unmanaged(scene);
      await adopts(scene, true);
    },
  },
  "two resources adopt one object": async (scene) => {
    const adopt = await unmanaged(scene);
    const stack = await scene.stack();
    const app = scene.app({}, { ...scene.declared, adopt });
    const other = { ...app, name: "other", options: { ...app.options, dependsOn: "app" } };
    await stack.fails([app, other]);
    await stack.up([app], {});
    await stack.fails([app, other]);
    await stack.up([app], {});
  },
  "adopt and rename in one update": (scene) => adoptsRenamed(scene, scene.app()),
  "adopt and rename in one update, default name": {
    only: named,
    carryOut: (scene) => adoptsRenamed(scene, scene.app({}, scene.unnamed)),
  },
  "adopt, rename and an explicit provider in one update": (scene) =>
    adoptsRenamed(scene, scene.app(), { explicit: scene.owner.apiKey }),
  "an Endpoint becomes the compute of its Branch": {
    only: (_, { kind }) => kind === "Branch",
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      const endpoint = endpointOf(stack.outputs("app"));
      await stack.up([bare, endpoint], { endpoint: "create" });
      await stack.triesTwice([branch]);
    },
  },
  "the compute of a Branch becomes an Endpoint": {
    only: (_, { kind }) => kind === "Branch",
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      await stack.up([branch], { app: "update" });
      const endpoint = endpointOf(stack.outputs("app"));
      await stack.triesTwice([bare, endpoint]);
    },
  },
};

/** Adopts the object, and removes `adopt` from the program again. */
async function adopts(scene: Scene, adopt: string | true): Promise<void> {
  const stack = await scene.stack();
  const app = scene.app({}, { ...scene.declared, adopt });
  await stack.up([app], { app: "adopt" });
  await stack.up([app], {});
  await stack.up([scene.app()], {});
}

/** Declares the object under another logical name, and adopts it there. */
async function adoptsRenamed(scene: Scene, app: Declared, providers: Program["providers"] = {}): Promise<void> {
  const stack = await scene.created(app);
  const moved = { ...app, name: "moved", args: { ...app.args, adopt: stack.adoption("app") } };
  const [provider] = Object.keys(providers);
  const options = provider === undefined ? {} : { provider };
  await stack.triesTwice({ resources: [{ ...moved, options }], providers });
}

/** Creates the object with a stack that then forgets it; @returns the value of `adopt` for it. */
async function unmanaged(scene: Scene): Promise<string | true> {
  const maker = await scene.stack({ ...elsewhere(scene), stack: "past" });
  await maker.up([scene.app()], { app: "create" });
  const adopt = maker.adoption("app");
  await maker.forget("app");
  return adopt;
}

function viewOf(scene: Scene, stack: SceneStack) {
  return { name: "view", kind: scene.sample.kind, args: {}, get: stack.id("app") };
}

/** A created branch without a compute, and its declaration with one, which not every sample has. */
async function withBranch(scene: Scene) {
  const { compute = {}, ...args } = scene.declared;
  const bare = scene.app({}, args);
  return { stack: await scene.created(bare), bare, branch: scene.app({}, { ...args, compute }) };
}

function endpointOf({ projectId, branchId }: Values) {
  return { name: "endpoint", kind: "Endpoint", args: { projectId, branchId, type: "read_write" } } as const;
}
