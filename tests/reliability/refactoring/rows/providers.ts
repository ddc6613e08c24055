import { currentDoor, type Door } from "../../../support/door";
import { changeable, explicitProvider, type Rows } from "../row";

const ofOwner = explicitProvider("OWNER");
const ofStranger = explicitProvider("STRANGER");
const options = "provider: explicit";

/** Resources that move to another provider, and stacks that get another key. */
export const providers: Rows = {
  "default provider to an explicit one": async (scene) => {
    const stack = await scene.created();
    await stack.up(ofOwner + scene.app({ options }));
  },
  "explicit provider to the default one": async (scene) => {
    const stack = await scene.created(ofOwner + scene.app({ options }));
    await stack.up(scene.app());
  },
  "explicit provider of another account": async (scene) => {
    const stack = await scene.created();
    await stack.tries(ofStranger + scene.app({ options }));
    await stack.refresh({ ends: "either" });
    await stack.up(scene.app(), { warns: true });
  },
  "key of another account: refresh": async (scene) => {
    const stack = await scene.created();
    const before = stack.runAt({ apiKey: scene.stranger.apiKey });
    await stack.tries(scene.app());
    await stack.refresh({ ends: "badly", namesAccounts: true });
    stack.runAt(before);
    await stack.up(scene.app());
  },
  "key of another account: update": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const before = stack.runAt({ apiKey: scene.stranger.apiKey });
      const changed = scene.app({ args: scene.changed(stack) });
      await stack.fails(changed, { namesAccounts: true });
      stack.runAt(before);
      await stack.up(changed, { did: { app: "update" } });
    },
  },
  "key of another account: delete": async (scene) => {
    const other = await scene.other();
    const stack = await scene.stack();
    await stack.up(scene.app() + other, { did: { app: "create", other: "create" } });
    const before = stack.runAt({ apiKey: scene.stranger.apiKey });
    // The engine gives the new key to the default provider only where the program still uses it.
    await stack.fails(other, { namesAccounts: true });
    await stack.destroy({ ends: "badly", namesAccounts: true });
    stack.runAt(before);
    await stack.up(scene.app() + other);
  },
  "key of another account: create": {
    // Every user can create these in their own account.
    only: (_, { kind }) => !["Project", "ApiKey"].includes(kind),
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const before = stack.runAt({ apiKey: scene.stranger.apiKey });
      await stack.fails(scene.app());
      stack.runAt(before);
      await stack.up(scene.app(), { did: { app: "create" } });
    },
  },
  "dynamic providers to the plugin, or back": async (scene) => {
    const stack = await scene.created();
    // The plugin's state lacks the text of a dynamic provider. One update, without a request, adds it.
    const there = currentDoor() === "plugin" ? "update" : "same";
    stack.useDoor(otherDoor());
    await stack.up(scene.app(), { did: { app: there } });
    stack.useDoor(currentDoor());
    const moved = scene.app({ name: "moved", options: 'aliases: [{ name: "app" }]' });
    await stack.up(moved);
    stack.useDoor(otherDoor());
    // The state already has the text, and the plugin keeps it.
    await stack.up(moved);
    await stack.destroy();
  },
  "dynamic providers to the plugin, or back, with a change": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      stack.useDoor(otherDoor());
      await stack.up(scene.app({ args: scene.changed(stack) }), { did: { app: "update" } });
      await stack.refresh();
    },
  },
};

function otherDoor(): Door {
  return currentDoor() === "dynamic" ? "plugin" : "dynamic";
}
