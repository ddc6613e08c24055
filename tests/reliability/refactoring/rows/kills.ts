import type { Kill, Ran } from "../engine";
import type { Refactoring } from "../refactoring";
import type { Scene } from "../scene";
import { elsewhere } from "./stacks";

/** Runs that are killed when the platform has created something, and what follows. */
export const kills: readonly Refactoring[] = (["unanswered", "unrecorded"] as const).flatMap(followers);

function followers(kill: Kill): readonly Refactoring[] {
  const when = kill === "unanswered" ? "killed before the answer" : "killed before the record";
  const modelOnly = "between the last answer of the platform and the record nobody can lie in wait";
  const rows: readonly Refactoring[] = [
    {
      title: `${when}, and the same again`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        await recovered(scene, stack);
        if (!scene.facts.secretOnce || kill === "unanswered") noOrphans(scene);
      },
    },
    {
      title: `${when}, and another stack`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        const other = await scene.stack(elsewhere(scene));
        if (scene.facts.twice === "another") await other.up([scene.app()], { app: "create" }, { warns: true });
        else await other.fails([scene.app()]);
        // Two of one name and time without a tag: nothing tells which of them is whose.
        const isAmbiguous = kill === "unanswered" && scene.facts.twice === "another" && !scene.facts.isTagged;
        const { messages } = isAmbiguous ? await stack.tries([scene.app()]) : await recovered(scene, stack);
        if (!isAmbiguous && !scene.facts.secretOnce) noOrphans(scene);
        else
          orphansNamed(
            scene,
            messages.map(({ text }) => text),
          );
      },
    },
    {
      title: `${when}, and a second backend of the same home`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        const other = await scene.stack({ backend: scene.ground.backend("second") });
        if (scene.facts.twice === "another") await other.up([scene.app()], { app: "create" }, { warns: true });
        else await other.fails([scene.app()]);
        const isAmbiguous = kill === "unanswered" && scene.facts.twice === "another" && !scene.facts.isTagged;
        if (isAmbiguous) await stack.tries([scene.app()]);
        else await recovered(scene, stack);
      },
    },
    {
      title: `${when}, and a rename with an alias`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        const moved = { ...scene.app({ aliases: [{ name: "app" }] }), name: "moved" };
        const { messages } = await stack.tries([moved]);
        const texts = messages.map(({ text }) => text);
        // Without an answer and without a tag, the time is all that is known of it.
        if (!texts.some((text) => /may have created one more/.test(text))) orphansNamed(scene, texts);
      },
    },
    {
      title: `${when}, and another home`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        const { home, folder } = elsewhere(scene);
        const { place } = stack.engine;
        stack.engine.place = { ...place, home, folder };
        if (scene.facts.twice === "another") await stack.up([scene.app()], { app: "create" }, { warns: true });
        else await stack.tries([scene.app()]);
        stack.engine.place = place;
        await stack.tries([scene.app()]);
      },
    },
    {
      title: `${when}, healed, and the home as it was`,
      carryOut: async (scene) => {
        const stack = await scene.stack();
        await stack.killed([scene.app()], kill);
        const { home } = stack.engine.place;
        const cache = scene.ground.cache(home);
        await recovered(scene, stack);
        scene.ground.restore(cache, home);
        await stack.up([scene.app()], {});
        await stack.destroy();
        scene.ground.restore(cache, home);
        const args = scene.facts.once ? await scene.another() : scene.declared;
        // A key that the engine was given is never revoked: each run that creates one tells of it.
        await stack.up([scene.app({}, args)], { app: "create" }, { warns: scene.facts.secretOnce });
      },
    },
  ];
  return kill === "unanswered" ? rows : rows.map((row) => ({ ...row, modelOnly }));
}

/** The same program again: what the killed run has created is recovered, or of no use without its secret. */
async function recovered(scene: Scene, stack: Awaited<ReturnType<Scene["stack"]>>): Promise<Ran> {
  return stack.up([scene.app()], { app: scene.facts.secretOnce ? "create" : "adopt" }, { warns: true });
}

function noOrphans(scene: Scene): void {
  for (const path of scene.orphans.keys()) {
    if (scene.left.has(path)) scene.problem(`nobody manages ${path}, which the killed run has created`);
  }
}

/** What stays behind is said. */
function orphansNamed(scene: Scene, texts: readonly string[]): void {
  for (const path of scene.orphans.keys()) {
    const ids = decodeURIComponent(path).split("/");
    const id = ids.at(-1) === "backup_schedule" ? ids.at(-2) : ids.at(-1);
    const isNamed = id !== undefined && texts.some((text) => text.includes(id));
    if (scene.left.has(path) && !isNamed) scene.problem(`no message names ${path}`);
  }
}
