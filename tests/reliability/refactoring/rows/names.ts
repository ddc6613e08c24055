import type { Component, Declared } from "../program";
import { type Rows, named } from "../refactoring";
import type { Scene } from "../scene";

const site: Component = { name: "site", type: "shop:index:Site" };
const renamedType: Component = { name: "site", type: "shop:index:Shop", oldType: "shop:index:Site" };

/** Resources that get another name, parent or type. */
export const names: Rows = {
  "rename with an alias": (scene) => renamesWithAlias(scene, scene.app()),
  "rename with an alias, default name": {
    only: named,
    carryOut: (scene) => renamesWithAlias(scene, scene.app({}, scene.unnamed)),
  },
  "rename without an alias": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry([{ ...scene.app(), name: "moved" }], { moved: "create", app: "delete" });
  },
  "rename without an alias, default name": {
    only: named,
    carryOut: async (scene) => {
      const app = scene.app({}, scene.unnamed);
      const stack = await scene.created(app);
      // A branch has one read-write endpoint, whatever its name.
      if (scene.sample.kind === "Endpoint") await stack.tries([{ ...app, name: "moved" }]);
      else await stack.up([{ ...app, name: "moved" }], { moved: "create", app: "delete" });
    },
  },
  "rename without an alias, and the old name again": async (scene) => {
    const stack = await scene.created();
    const moved = { ...scene.app({}, await scene.another()), name: "moved" };
    await stack.up([moved], { moved: "create", app: "delete" });
    await stack.up([moved, scene.app({}, await scene.recreatable())], { app: "create" });
  },
  "rename with an alias, and the old name for another resource": async (scene) => {
    const stack = await scene.created();
    const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
    await stack.up([moved], {});
    const app = scene.app({}, await scene.another());
    await stack.up([{ ...moved, options: {} }, app], { app: "create" });
    await stack.up([{ ...moved, options: {} }], { app: "delete" });
  },
  "into a component with an alias": async (scene) => {
    const stack = await scene.created();
    await stack.up([scene.app({ parent: site, aliases: [{ parent: null }] })], {});
    await stack.up([scene.app({ parent: site })], {});
  },
  "into a component without an alias": async (scene) => {
    const stack = await scene.created();
    await stack.upOrTry([scene.app({ parent: site })], { app: "delete" });
  },
  "out of a component with an alias": async (scene) => {
    const stack = await scene.created(scene.app({ parent: site }));
    await stack.up([scene.app({ aliases: [{ parent: site }] })], {});
  },
  "out of a component without an alias": async (scene) => {
    const stack = await scene.created(scene.app({ parent: site }));
    await stack.upOrTry([scene.app()], { app: "delete" });
  },
  "another type of the component, with an alias": async (scene) => {
    const stack = await scene.created(scene.app({ parent: site }));
    await stack.up([scene.app({ parent: renamedType })], {});
  },
};

async function renamesWithAlias(scene: Scene, app: Declared): Promise<void> {
  const stack = await scene.created(app);
  await stack.up([{ ...app, name: "moved", options: { aliases: [{ name: "app" }] } }], {});
  await stack.up([{ ...app, name: "moved" }], {});
}
