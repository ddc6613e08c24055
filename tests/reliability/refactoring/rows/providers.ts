import type { Refactoring } from "../refactoring";
import { changeable } from "../refactoring";

/** Resources that move to another provider, and stacks that get another key. */
export const providers: readonly Refactoring[] = [
  {
    title: "default provider to an explicit one",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const explicit = { explicit: scene.owner.apiKey };
      await stack.up([scene.app()], { app: "create" });
      await stack.up({ resources: [scene.app({ provider: "explicit" })], providers: explicit }, {});
    },
  },
  {
    title: "explicit provider to the default one",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const explicit = { explicit: scene.owner.apiKey };
      await stack.up({ resources: [scene.app({ provider: "explicit" })], providers: explicit }, { app: "create" });
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "explicit provider of another account",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const resources = [scene.app({ provider: "explicit" })];
      await stack.tries({ resources, providers: { explicit: scene.stranger.apiKey } });
      await stack.refresh({ ends: "either" });
      await stack.up([scene.app()], {}, { warns: true });
    },
  },
  {
    title: "key of another account: refresh",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const { place } = stack.engine;
      stack.engine.place = { ...place, apiKey: scene.stranger.apiKey };
      await stack.tries([scene.app()]);
      await stack.refresh({ ends: "badly", namesAccounts: true });
      stack.engine.place = place;
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "key of another account: update",
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const { place } = stack.engine;
      stack.engine.place = { ...place, apiKey: scene.stranger.apiKey };
      const changed = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.fails([changed], { namesAccounts: true });
      stack.engine.place = place;
      await stack.up([changed], { app: "update" });
    },
  },
  {
    title: "key of another account: delete",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const other = { ...scene.app({}, await scene.another()), name: "other" };
      await stack.up([scene.app(), other], { app: "create", other: "create" });
      const { place } = stack.engine;
      stack.engine.place = { ...place, apiKey: scene.stranger.apiKey };
      // The engine gives the new key to the default provider only where the program still uses it.
      await stack.fails([other], { namesAccounts: true });
      await stack.destroy({ ends: "badly", namesAccounts: true });
      stack.engine.place = place;
      await stack.up([scene.app(), other], {});
    },
  },
  {
    title: "key of another account: create",
    only: {
      because: "whoever has a key can create these for themselves",
      suits: (_, { kind }) => !["Project", "ApiKey"].includes(kind),
    },
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const { place } = stack.engine;
      stack.engine.place = { ...place, apiKey: scene.stranger.apiKey };
      await stack.fails([scene.app()]);
      stack.engine.place = place;
      await stack.up([scene.app()], { app: "create" });
    },
  },
];
