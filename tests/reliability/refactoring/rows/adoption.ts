import type { Values } from "../../../support/dynamic-server";
import type { Refactoring } from "../refactoring";
import { changeable, named } from "../refactoring";
import type { Scene, SceneStack } from "../scene";
import { elsewhere } from "./stacks";

/** Objects that are read, adopted, and shared by mistake. */
export const adoption: readonly Refactoring[] = [
  {
    title: "get of what another resource manages",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const view = viewOf(scene, stack);
      await stack.up([scene.app(), view], { view: "read" });
      await stack.up([scene.app(), view], { view: "read" });
      await stack.up([scene.app()], { view: "delete" });
    },
  },
  {
    title: "get of what another resource manages, which changes",
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const view = viewOf(scene, stack);
      await stack.up([scene.app(), view], { view: "read" });
      const app = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.up([app, view], { app: "update", view: "read" });
      await stack.up([app], { view: "delete" });
    },
  },
  {
    title: "get of what another stack manages",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const reader = await scene.stack(elsewhere(scene));
      await reader.up([viewOf(scene, stack)], { view: "read" });
      await reader.refresh();
      await reader.up([], { view: "delete" });
    },
  },
  {
    title: "adopt by id",
    carryOut: async (scene) => {
      const adopt = await unmanaged(scene);
      const stack = await scene.stack();
      await stack.up([scene.app({}, { ...scene.declared, adopt })], { app: "adopt" });
      await stack.up([scene.app({}, { ...scene.declared, adopt })], {});
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "adopt: true",
    only: { because: "other kinds are adopted by id only", suits: ({ isAdoptedByName }) => isAdoptedByName },
    carryOut: async (scene) => {
      await unmanaged(scene);
      const stack = await scene.stack();
      await stack.up([scene.app({}, { ...scene.declared, adopt: true })], { app: "adopt" });
      await stack.up([scene.app({}, { ...scene.declared, adopt: true })], {});
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "two resources adopt one object",
    carryOut: async (scene) => {
      const adopt = await unmanaged(scene);
      const stack = await scene.stack();
      const app = scene.app({}, { ...scene.declared, adopt });
      await stack.fails([app, { ...app, name: "other" }]);
      await stack.up([app], {});
      await stack.fails([app, { ...app, name: "other" }]);
      await stack.up([app], {});
    },
  },
  {
    title: "adopt and rename in one update",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const moved = { ...scene.app({}, { ...scene.declared, adopt: stack.adoption("app") }), name: "moved" };
      await stack.tries([moved]);
      await stack.tries([moved]);
    },
  },
  {
    title: "adopt and rename in one update, default name",
    only: named,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const app = scene.app({}, scene.unnamed);
      await stack.up([app], { app: "create" });
      const moved = { ...app, name: "moved", args: { ...app.args, adopt: stack.adoption("app") } };
      await stack.tries([moved]);
      await stack.tries([moved]);
    },
  },
  {
    title: "adopt, rename and an explicit provider in one update",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const args = { ...scene.declared, adopt: stack.adoption("app") };
      const moved = { ...scene.app({ provider: "explicit" }, args), name: "moved" };
      const program = { resources: [moved], providers: { explicit: scene.owner.apiKey } };
      await stack.tries(program);
      await stack.tries(program);
    },
  },
  {
    title: "an Endpoint becomes the compute of its Branch",
    only: { because: "it is about branches and their endpoints", suits: (_, { kind }) => kind === "Branch" },
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      const endpoint = endpointOf(stack.outputs("app"));
      await stack.up([bare, endpoint], { endpoint: "create" });
      await stack.tries([branch]);
      await stack.tries([branch]);
    },
  },
  {
    title: "the compute of a Branch becomes an Endpoint",
    only: { because: "it is about branches and their endpoints", suits: (_, { kind }) => kind === "Branch" },
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      await stack.up([branch], { app: "update" });
      const endpoint = endpointOf(stack.outputs("app"));
      await stack.tries([bare, endpoint]);
      await stack.tries([bare, endpoint]);
    },
  },
];

/** An object that a stack has created, and that nobody manages any more; what adopts it. */
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

/** A branch without a compute, and the same with one. */
async function withBranch(scene: Scene) {
  const stack = await scene.stack();
  const { compute: _, ...args } = scene.declared;
  const bare = scene.app({}, args);
  await stack.up([bare], { app: "create" });
  return { stack, bare, branch: scene.app() };
}

function endpointOf({ projectId, branchId }: Values) {
  return { name: "endpoint", kind: "Endpoint", args: { projectId, branchId, type: "read_write" } } as const;
}
