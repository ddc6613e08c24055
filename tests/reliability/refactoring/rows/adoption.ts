import { changeable, explicitProvider, named, type Rows } from "../row";
import type { Scene, SceneStack } from "../scene";
import { elsewhere } from "./stacks";

/** Objects that are read, adopted, and shared by mistake. */
export const adoption: Rows = {
  "get of what another resource manages": async (scene) => {
    const stack = await scene.created();
    const both = scene.app() + viewOf(scene, stack);
    await stack.up(both, { did: { view: "read" } });
    await stack.up(both, { did: { view: "read" } });
    await stack.up(scene.app(), { did: { view: "delete" } });
  },
  "get of what another resource manages, which changes": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const view = viewOf(scene, stack);
      await stack.up(scene.app() + view, { did: { view: "read" } });
      const app = scene.app({ args: scene.changed(stack) });
      await stack.up(app + view, { did: { app: "update", view: "read" } });
      await stack.up(app, { did: { view: "delete" } });
    },
  },
  "get of what another stack manages": async (scene) => {
    const stack = await scene.created();
    const reader = await scene.stack(elsewhere(scene));
    await reader.up(viewOf(scene, stack), { did: { view: "read" } });
    await reader.refresh();
    await reader.up("", { did: { view: "delete" } });
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
    const args = { ...scene.declared, adopt: await unmanaged(scene) };
    const stack = await scene.stack();
    const app = scene.app({ args });
    const both = app + scene.app({ name: "other", args, options: "dependsOn: app" });
    await stack.fails(both);
    await stack.up(app);
    await stack.fails(both);
    await stack.up(app);
  },
  "adopt and rename in one update": (scene) => adoptsRenamed(scene),
  "adopt and rename in one update, default name": {
    only: named,
    carryOut: (scene) => adoptsRenamed(scene, { args: scene.unnamed }),
  },
  "adopt, rename and an explicit provider in one update": (scene) => adoptsRenamed(scene, { isExplicit: true }),
  "an Endpoint becomes the compute of its Branch": {
    only: (_, { kind }) => kind === "Branch",
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      await stack.up(bare + endpointOf(scene, stack), { did: { endpoint: "create" } });
      await stack.triesTwice(branch);
    },
  },
  "the compute of a Branch becomes an Endpoint": {
    only: (_, { kind }) => kind === "Branch",
    carryOut: async (scene) => {
      const { stack, bare, branch } = await withBranch(scene);
      await stack.up(branch, { did: { app: "update" } });
      await stack.triesTwice(bare + endpointOf(scene, stack));
    },
  },
};

/** Adopts the object, and removes `adopt` from the program again. */
async function adopts(scene: Scene, adopt: string | true): Promise<void> {
  const stack = await scene.stack();
  const app = scene.app({ args: { ...scene.declared, adopt } });
  await stack.up(app, { did: { app: "adopt" } });
  await stack.up(app);
  await stack.up(scene.app());
}

/** Declares the object under another logical name, and adopts it there. */
async function adoptsRenamed(scene: Scene, { args = scene.declared, isExplicit = false } = {}): Promise<void> {
  const stack = await scene.created(scene.app({ args }));
  const provider = isExplicit ? explicitProvider("OWNER") : "";
  const adopting = { ...args, adopt: stack.adoption("app") };
  const options = isExplicit ? "provider: explicit" : "";
  await stack.triesTwice(provider + scene.app({ name: "moved", args: adopting, options }));
}

/** Creates the object with a stack that then forgets it; @returns the value of `adopt` for it. */
async function unmanaged(scene: Scene): Promise<string | true> {
  const maker = await scene.stack({ ...elsewhere(scene), stack: "past" });
  await maker.up(scene.app(), { did: { app: "create" } });
  const adopt = maker.adoption("app");
  await maker.forget("app");
  return adopt;
}

function viewOf(scene: Scene, stack: SceneStack): string {
  return `neon.${scene.sample.kind}.get("view", ${JSON.stringify(stack.held("app").id)});\n`;
}

/** A created branch without a compute, and its declaration with one, which not every sample has. */
async function withBranch(scene: Scene) {
  const { compute = {}, ...args } = scene.declared;
  const bare = scene.app({ args });
  return { stack: await scene.created(bare), bare, branch: scene.app({ args: { ...args, compute } }) };
}

function endpointOf(scene: Scene, stack: SceneStack): string {
  const { projectId, branchId } = stack.held("app").outputs;
  return scene.resource("Endpoint", { name: "endpoint", args: { projectId, branchId, type: "read_write" } });
}
