import { idOf } from "../../../support/account";
import type { Kill, Ran } from "../engine";
import { changeable, repeatable, type Rows, type Steps } from "../refactoring";
import type { Scene, SceneStack } from "../scene";
import { otherDoor } from "./providers";
import { elsewhere } from "./stacks";

/** Runs that are killed after the platform has created something, and what follows. */
export const kills: Rows = {
  ...rowsFor("unanswered"),
  ...rowsFor("unrecorded"),
  "killed before the answer, and the other door": {
    cliOnly: "a model of the engine has one door",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.killed([scene.app()], "unanswered");
      stack.engine.useDoor(otherDoor());
      const { messages } = await again(scene, stack, "unanswered");
      if (scene.facts.secretOnce) assertOrphansNamed(scene, messages);
      else assertNoOrphans(scene);
    },
  },
  "killed while it updates": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const app = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.interrupted(() => stack.engine.up({ resources: [app] }, { kill: "unanswered" }));
      await stack.up([app], { app: "update" }, { warns: true });
    },
  },
  "killed while it deletes": async (scene) => {
    const stack = await scene.created();
    await stack.interrupted(() => stack.engine.destroy({ kill: "unanswered" }));
    await stack.destroy({ warns: true });
  },
  "killed while it deletes, and up": {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      await stack.interrupted(() => stack.engine.destroy({ kill: "unanswered" }));
      await stack.refresh({ ends: "either", warns: true });
      await stack.up([scene.app()], { app: "create" }, { warns: true });
    },
  },
  "killed while it is replaced, and the same again": {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const app = scene.app({ deleteBeforeReplace: scene.facts.twice !== "another" });
      const flags = { replace: ["app"] };
      await stack.interrupted(() => stack.engine.up({ resources: [app] }, { ...flags, kill: "unanswered" }));
      const { messages } = await stack.tries([app], flags);
      await stack.tries([app]);
      if (scene.facts.secretOnce) assertOrphansNamed(scene, messages);
      else assertNoOrphans(scene);
    },
  },
};

function rowsFor(kill: Kill): Rows {
  const when = kill === "unanswered" ? "killed before the answer" : "killed before the record";
  const rows: Readonly<Record<string, (scene: Scene, stack: SceneStack) => Promise<void>>> = {
    "and the same again": async (scene, stack) => {
      const { messages } = await again(scene, stack, kill);
      // A key is never revoked on the ground of its name and time.
      if (scene.facts.secretOnce || kill === "unrecorded") assertOrphansNamed(scene, messages);
      else assertNoOrphans(scene);
    },
    "and another stack": async (scene, stack) => {
      const other = await scene.stack(elsewhere(scene));
      await other.createsTwin();
      const ambiguous = isAmbiguous(scene, kill);
      const { messages } = ambiguous ? await stack.tries([scene.app()]) : await again(scene, stack, kill);
      if (ambiguous || scene.facts.secretOnce || kill === "unrecorded") assertOrphansNamed(scene, messages);
      else assertNoOrphans(scene);
    },
    "and a second backend of the same home": async (scene, stack) => {
      const other = await scene.stack({ backend: scene.folders.backend("second") });
      await other.createsTwin();
      if (isAmbiguous(scene, kill)) await stack.tries([scene.app()]);
      else await again(scene, stack, kill);
    },
    "and a rename with an alias": async (scene, stack) => {
      const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
      const { messages } = await stack.tries([moved]);
      // Without a response and without a tag, only its creation time is known.
      if (!messages.some(({ text }) => /may have created one more/.test(text))) assertOrphansNamed(scene, messages);
    },
    "and another home": async (scene, stack) => {
      const { home, folder } = elsewhere(scene);
      const before = stack.runAt({ home, folder });
      await stack.upOrTry([scene.app()], { app: "create" }, { warns: true });
      stack.runAt(before);
      await stack.tries([scene.app()]);
    },
    "healed, and the home as it was": async (scene, stack) => {
      const { home } = stack.engine.place;
      const cache = scene.folders.cache(home);
      if (kill === "unrecorded") await adopted(scene, stack);
      else await again(scene, stack, kill);
      scene.folders.restore(cache, home);
      await stack.up([scene.app()], {});
      await stack.destroy();
      scene.folders.restore(cache, home);
      // For a minute nobody knows whether an unanswered request can still take effect.
      const warns = kill === "unanswered";
      await stack.up([scene.app({}, await scene.recreatable())], { app: "create" }, { warns });
    },
  };
  return Object.fromEntries(
    Object.entries(rows).map(([title, follow]) => {
      const carryOut: Steps = async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        await follow(scene, stack);
      };
      const modelOnly = "no proxy sees the time between the platform's last response and the record";
      return [`${when}, ${title}`, kill === "unanswered" ? carryOut : { carryOut, modelOnly }];
    }),
  );
}

/** Whether nothing tells two objects of one name and creation time apart, as neither is tagged. */
function isAmbiguous({ facts }: Scene, kill: Kill): boolean {
  return kill === "unanswered" && facts.twice === "another" && !facts.isTagged;
}

/**
 * The same program again: it recovers what no response told of, unless that is of no use without its secret. What the
 * engine received is only named.
 */
function again(scene: Scene, stack: SceneStack, kill: Kill): Promise<Ran> {
  if (kill === "unrecorded") return stack.createsTwin();
  return stack.up([scene.app()], { app: scene.facts.secretOnce ? "create" : "adopt" }, { warns: true });
}

/** Adopts what the killed run has created. */
async function adopted(scene: Scene, stack: SceneStack): Promise<void> {
  const [orphan = ""] = scene.orphans.keys();
  const adopt = scene.facts.isAdoptedByName || idOf(orphan);
  await stack.up([scene.app({}, { ...scene.declared, adopt })], { app: "adopt" });
}

function assertNoOrphans(scene: Scene): void {
  for (const path of scene.orphans.keys()) {
    if (scene.left.has(path)) scene.problem(`no stack manages ${path}, which the killed run has created`);
  }
}

/** The ends of paths of objects that have no id of their own: what they belong to names them. */
const withoutId: ReadonlySet<string> = new Set(["backup_schedule"]);

/** A message names each object that stays behind. */
function assertOrphansNamed(scene: Scene, messages: Ran["messages"]): void {
  for (const path of scene.orphans.keys()) {
    const id = path.split("/").findLast((segment) => !withoutId.has(segment)) ?? "";
    const isNamed = messages.some(({ text }) => text.includes(id) || text.includes(decodeURIComponent(id)));
    if (scene.left.has(path) && !isNamed) scene.problem(`no message names ${path}`);
  }
}
