import type { Refactoring } from "../refactoring";
import { named } from "../refactoring";
import type { Component } from "../program";

const site: Component = { name: "site", type: "shop:index:Site" };
const renamedType: Component = { name: "site", type: "shop:index:Shop", oldType: "shop:index:Site" };

/** Resources that get another name, parent or type. */
export const names: readonly Refactoring[] = [
  {
    title: "rename with an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
      await stack.up([moved], {});
      await stack.up([{ ...scene.app(), name: "moved" }], {});
    },
  },
  {
    title: "rename with an alias, default name",
    only: named,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const app = scene.app({}, scene.unnamed);
      await stack.up([app], { app: "create" });
      await stack.up([{ ...app, name: "moved", options: { aliases: [{ name: "app" }] } }], {});
      await stack.up([{ ...app, name: "moved" }], {});
    },
  },
  {
    title: "rename without an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const program = [{ ...scene.app(), name: "moved" }];
      if (scene.facts.twice === "another") await stack.up(program, { moved: "create", app: "delete" });
      else await stack.tries(program);
    },
  },
  {
    title: "rename without an alias, default name",
    only: named,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const app = scene.app({}, scene.unnamed);
      await stack.up([app], { app: "create" });
      // A branch has one read-write endpoint, whatever its name.
      if (scene.sample.kind === "Endpoint") await stack.tries([{ ...app, name: "moved" }]);
      else await stack.up([{ ...app, name: "moved" }], { moved: "create", app: "delete" });
    },
  },
  {
    title: "rename without an alias, and the old name again",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const moved = { ...scene.app({}, await scene.another()), name: "moved" };
      await stack.up([moved], { moved: "create", app: "delete" });
      const app = scene.app({}, scene.facts.once ? await scene.another() : scene.declared);
      await stack.up([moved, app], { app: "create" });
    },
  },
  {
    title: "rename with an alias, and the old name for another resource",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
      await stack.up([moved], {});
      const app = scene.app({}, await scene.another());
      await stack.up([{ ...moved, options: {} }, app], { app: "create" });
      await stack.up([{ ...moved, options: {} }], { app: "delete" });
    },
  },
  {
    title: "into a component with an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.up([scene.app({ parent: site, aliases: [{ parent: null }] })], {});
      await stack.up([scene.app({ parent: site })], {});
    },
  },
  {
    title: "into a component without an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const program = [scene.app({ parent: site })];
      if (scene.facts.twice === "another") await stack.up(program, { app: "delete" });
      else await stack.tries(program);
    },
  },
  {
    title: "out of a component with an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ parent: site })], { app: "create" });
      await stack.up([scene.app({ aliases: [{ parent: site }] })], {});
    },
  },
  {
    title: "out of a component without an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ parent: site })], { app: "create" });
      const program = [scene.app()];
      if (scene.facts.twice === "another") await stack.up(program, { app: "delete" });
      else await stack.tries(program);
    },
  },
  {
    title: "another type of the component, with an alias",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app({ parent: site })], { app: "create" });
      await stack.up([scene.app({ parent: renamedType })], {});
    },
  },
];
