import { currentDoor, type Door } from "../../../support/door";
import { changeable, type Rows } from "../refactoring";

const cliOnly = "a model of the engine has one door";

/** Resources that move to another provider, and stacks that get another key. */
export const providers: Rows = {
  "default provider to an explicit one": async (scene) => {
    const stack = await scene.created();
    const explicit = { explicit: scene.owner.apiKey };
    await stack.up({ resources: [scene.app({ provider: "explicit" })], providers: explicit }, {});
  },
  "explicit provider to the default one": async (scene) => {
    const stack = await scene.stack();
    const explicit = { explicit: scene.owner.apiKey };
    await stack.up({ resources: [scene.app({ provider: "explicit" })], providers: explicit }, { app: "create" });
    await stack.up([scene.app()], {});
  },
  "explicit provider of another account": async (scene) => {
    const stack = await scene.created();
    const resources = [scene.app({ provider: "explicit" })];
    await stack.tries({ resources, providers: { explicit: scene.stranger.apiKey } });
    await stack.refresh({ ends: "either" });
    await stack.up([scene.app()], {}, { warns: true });
  },
  "key of another account: refresh": async (scene) => {
    const stack = await scene.created();
    const before = stack.runAt({ apiKey: scene.stranger.apiKey });
    await stack.tries([scene.app()]);
    await stack.refresh({ ends: "badly", namesAccounts: true });
    stack.runAt(before);
    await stack.up([scene.app()], {});
  },
  "key of another account: update": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const before = stack.runAt({ apiKey: scene.stranger.apiKey });
      const changed = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.fails([changed], { namesAccounts: true });
      stack.runAt(before);
      await stack.up([changed], { app: "update" });
    },
  },
  "key of another account: delete": async (scene) => {
    const stack = await scene.stack();
    const other = { ...scene.app({}, await scene.another()), name: "other" };
    await stack.up([scene.app(), other], { app: "create", other: "create" });
    const before = stack.runAt({ apiKey: scene.stranger.apiKey });
    // The engine gives the new key to the default provider only where the program still uses it.
    await stack.fails([other], { namesAccounts: true });
    await stack.destroy({ ends: "badly", namesAccounts: true });
    stack.runAt(before);
    await stack.up([scene.app(), other], {});
  },
  "key of another account: create": {
    // Every user can create these in their own account.
    only: (_, { kind }) => !["Project", "ApiKey"].includes(kind),
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const before = stack.runAt({ apiKey: scene.stranger.apiKey });
      await stack.fails([scene.app()]);
      stack.runAt(before);
      await stack.up([scene.app()], { app: "create" });
    },
  },
  "dynamic providers to the plugin, or back": {
    cliOnly,
    carryOut: async (scene) => {
      const stack = await scene.created();
      // What the plugin has created has no text of a dynamic provider: one update, without a request, adds it.
      const there = currentDoor() === "plugin" ? "update" : "same";
      stack.engine.useDoor(otherDoor());
      await stack.up([scene.app()], { app: there });
      stack.engine.useDoor(currentDoor());
      const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
      await stack.up([moved], {});
      stack.engine.useDoor(otherDoor());
      // By now it has the text: the plugin keeps it in the state.
      await stack.up([moved], {});
      await stack.destroy();
    },
  },
  "dynamic providers to the plugin, or back, with a change": {
    cliOnly,
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      stack.engine.useDoor(otherDoor());
      await stack.up([scene.app({}, scene.changed(stack.outputs("app")))], { app: "update" });
      await stack.refresh();
    },
  },
};

function otherDoor(): Door {
  return currentDoor() === "dynamic" ? "plugin" : "dynamic";
}
