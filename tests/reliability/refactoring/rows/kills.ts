import { idOf } from "../../../support/account";
import type { Ran } from "../engine";
import { changeable, repeatable, type Rows, type Steps } from "../refactoring";
import type { Scene, SceneStack } from "../scene";
import { otherDoor } from "./providers";
import { elsewhere } from "./stacks";

/** Runs that are killed after the platform has changed something, and what follows on another machine. */
export const kills: Rows = {
  "killed, and the same again": afterKill(async (scene, stack) => {
    await withoutConsent(scene, stack);
    if (scene.facts.twice !== "another") await withConsent(scene, stack);
  }),
  "killed, and consent": afterKill(withConsent),
  "killed, and the other door": {
    cliOnly: "a model of the engine has one door",
    carryOut: afterKill(async (scene, stack) => {
      stack.engine.useDoor(otherDoor());
      await withConsent(scene, stack);
    }),
  },
  "killed, and another stack": afterKill(async (scene, stack) => {
    const other = await scene.stack({ backend: scene.folders.backend("second") });
    await other.createsTwin();
    await withoutConsent(scene, stack);
    if (scene.facts.twice !== "another") await withConsent(scene, stack);
  }),
  "killed, another stack, and consent": {
    // Then there are two of one name, and one is the other stack's.
    only: ({ twice, isAdoptedByName }) => twice === "another" && isAdoptedByName,
    carryOut: afterKill(async (scene, stack) => {
      const other = await scene.stack({ backend: scene.folders.backend("second") });
      await other.createsTwin();
      await stack.fails([scene.app()], {}, { consents: true });
    }),
  },
  "killed, and another name in the program": {
    // Many stacks have projects of one name. Only the tag of this resource tells that one of them may be its own.
    only: (_, { kind }) => kind !== "Project",
    carryOut: afterKill(async (scene, stack) => {
      const { messages } = await stack.tries([{ ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" }]);
      assertOrphansNamed(scene, messages);
    }),
  },
  "killed while it updates": {
    only: changeable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      const app = scene.app({}, scene.changed(stack.outputs("app")));
      await stack.interrupted(() => stack.engine.up({ resources: [app] }, { isKilled: true }));
      moveOn(scene, stack);
      await stack.up([app], { app: "update" }, { warns: true });
    },
  },
  "killed while it deletes": async (scene) => {
    const stack = await scene.created();
    await stack.interrupted(() => stack.engine.destroy({ isKilled: true }));
    moveOn(scene, stack);
    await stack.destroy({ warns: true });
  },
  "killed while it deletes, and up": {
    only: repeatable,
    carryOut: async (scene) => {
      const stack = await scene.created();
      await stack.interrupted(() => stack.engine.destroy({ isKilled: true }));
      moveOn(scene, stack);
      await stack.refresh({ ends: "either", warns: true });
      await stack.up([scene.app()], { app: "create" }, { warns: true });
    },
  },
  "killed while it is replaced, and the same again": {
    only: repeatable,
    carryOut: async (scene) => {
      const { stack, app } = await killedReplacement(scene);
      const { messages } = await stack.tries([app], { replace: ["app"] });
      await stack.tries([app]);
      assertOrphansNamed(scene, messages);
    },
  },
  "killed while it is replaced, and consent": {
    // Of two of one name, nothing tells which one `--replace` is to delete.
    only: (facts, sample) => repeatable(facts, sample) && facts.isAdoptedByName && facts.twice !== "another",
    carryOut: async (scene) => {
      const { stack, app } = await killedReplacement(scene);
      await stack.tries([app], { replace: ["app"], consents: true });
      assertNoOrphans(scene);
    },
  },
};

/** What follows on another machine after a run was killed that has created the object. */
function afterKill(follow: (scene: Scene, stack: SceneStack) => Promise<void>): Steps {
  return async (scene) => {
    const stack = await scene.stack();
    await stack.killed([scene.app()]);
    moveOn(scene, stack);
    await follow(scene, stack);
  };
}

async function killedReplacement(scene: Scene) {
  const stack = await scene.created();
  const app = scene.app({ deleteBeforeReplace: scene.facts.twice !== "another" });
  await stack.interrupted(() => stack.engine.up({ resources: [app] }, { replace: ["app"], isKilled: true }));
  moveOn(scene, stack);
  return { stack, app };
}

/** Runs the stack on another machine from now on. */
function moveOn(scene: Scene, stack: SceneStack): void {
  const { home, folder } = elsewhere(scene);
  stack.runAt({ home, folder });
}

/** The same program again: it stops or, where there can be another one, creates that; and says what is there. */
async function withoutConsent(scene: Scene, stack: SceneStack): Promise<void> {
  const { messages } = await stack.createsTwin();
  assertOrphansNamed(scene, messages);
  const saysHow = messages.some(({ text }) => text.includes("run `NEON_ADOPT=true pulumi up`"));
  if (scene.facts.twice !== "another" && !saysHow) scene.problem("no message says how to take what is there");
}

/** The same program again: it takes what is there, unless that is of no use without its secret. */
async function withConsent(scene: Scene, stack: SceneStack): Promise<void> {
  const { isAdoptedByName } = scene.facts;
  const did = { app: isAdoptedByName ? "adopt" : "create" } as const;
  const { messages } = await stack.up([scene.app()], did, { warns: true }, { consents: true });
  if (isAdoptedByName) assertNoOrphans(scene);
  else assertOrphansNamed(scene, messages);
}

function assertNoOrphans(scene: Scene): void {
  for (const path of scene.orphans.keys()) {
    if (scene.left.has(path)) scene.problem(`no stack manages ${path}, which the killed run has created`);
  }
}

/** The ends of paths of objects that have no id of their own: what they belong to names them. */
const withoutId: ReadonlySet<string> = new Set(["backup_schedule", "auth"]);

/** A message names each object that stays behind. */
function assertOrphansNamed(scene: Scene, messages: Ran["messages"]): void {
  for (const path of scene.orphans.keys()) {
    const id = idOf(path.split("/").findLast((segment) => !withoutId.has(segment)) ?? "");
    const isNamed = messages.some(({ text }) => text.includes(id) || text.includes(encodeURIComponent(id)));
    if (scene.left.has(path) && !isNamed) scene.problem(`no message names ${path}`);
  }
}
