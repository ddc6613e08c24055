import { type Rows, named } from "../row";
import type { Scene } from "../scene";

const site = 'const site = new pulumi.ComponentResource("shop:index:Site", "site");\n';
const renamedType =
  'const site = new pulumi.ComponentResource("shop:index:Shop", "site", {}, { aliases: [{ type: "shop:index:Site" }] });\n';
/** A component that is no longer in the program, but whose URN is known. */
const inSite = 'aliases: [{ parent: pulumi.createUrn("site", "shop:index:Site") }]';

/** Resources that get another name, parent or type. */
export const names: Rows = {
  "rename with an alias": (scene) => renamesWithAlias(scene),
  "rename with an alias, default name": { only: named, carryOut: (scene) => renamesWithAlias(scene, scene.unnamed) },
  "rename without an alias": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry(scene.app({ name: "moved" }), { did: { moved: "create", app: "delete" } });
  },
  "rename without an alias, default name": {
    only: named,
    carryOut: async (scene) => {
      const args = scene.unnamed;
      const stack = await scene.created(scene.app({ args }));
      const moved = scene.app({ name: "moved", args });
      // A branch has one read-write endpoint, whatever its name.
      if (scene.sample.kind === "Endpoint") await stack.tries(moved);
      else await stack.up(moved, { did: { moved: "create", app: "delete" } });
    },
  },
  "rename without an alias, and the old name again": async (scene) => {
    const stack = await scene.created();
    const moved = scene.app({ name: "moved", args: await scene.another() });
    await stack.up(moved, { did: { moved: "create", app: "delete" } });
    const args = scene.facts.once ? await scene.another() : scene.declared;
    await stack.up(moved + scene.app({ args }), { did: { app: "create" } });
  },
  "rename with an alias, and the old name for another resource": async (scene) => {
    const stack = await scene.created();
    await stack.up(scene.app({ name: "moved", options: 'aliases: [{ name: "app" }]' }));
    const moved = scene.app({ name: "moved" });
    await stack.up(moved + scene.app({ args: await scene.another() }), { did: { app: "create" } });
    await stack.up(moved, { did: { app: "delete" } });
  },
  "into a component with an alias": async (scene) => {
    const stack = await scene.created();
    await stack.up(site + scene.app({ options: "parent: site, aliases: [{ parent: pulumi.rootStackResource }]" }));
    await stack.up(site + scene.app({ options: "parent: site" }));
  },
  "into a component without an alias": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry(site + scene.app({ options: "parent: site" }), { did: { app: "delete" } });
  },
  "out of a component with an alias": async (scene) => {
    const stack = await scene.created(site + scene.app({ options: "parent: site" }));
    await stack.up(scene.app({ options: inSite }));
  },
  "out of a component without an alias": async (scene) => {
    const stack = await scene.created(site + scene.app({ options: "parent: site" }));
    await stack.upOrTry(scene.app(), { did: { app: "delete" } });
  },
  "another type of the component, with an alias": async (scene) => {
    const stack = await scene.created(site + scene.app({ options: "parent: site" }));
    await stack.up(renamedType + scene.app({ options: "parent: site" }));
  },
};

async function renamesWithAlias(scene: Scene, args = scene.declared): Promise<void> {
  const stack = await scene.created(scene.app({ args }));
  await stack.up(scene.app({ name: "moved", args, options: 'aliases: [{ name: "app" }]' }));
  await stack.up(scene.app({ name: "moved", args }));
}
