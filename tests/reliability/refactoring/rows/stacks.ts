import type { Place } from "../place";
import type { Refactoring } from "../refactoring";
import type { Scene } from "../scene";

/** Stacks that are renamed, moved to other machines and backends, or share names with others. */
export const stacks: readonly Refactoring[] = [
  {
    title: "stack rename",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.engine.rename({ stack: "production" });
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "stack rename, and a new stack of the old name",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.engine.rename({ stack: "production" });
      await stack.up([scene.app()], {});
      await besideAnother(scene, {});
    },
  },
  {
    title: "project rename",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await stack.engine.rename({ project: "store" });
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "second backend",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await besideAnother(scene, { backend: scene.ground.backend("second") });
    },
  },
  {
    title: "second organization",
    modelOnly: "a backend in files has one organization",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await besideAnother(scene, { organization: "friends", backend: scene.ground.backend("second") });
    },
  },
  {
    title: "another person's stack",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      await besideAnother(scene, elsewhere(scene));
    },
  },
  {
    title: "second home",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const { home } = stack.engine.place;
      stack.engine.place = { ...stack.engine.place, home: scene.ground.folder("second-home") };
      await stack.up([scene.app()], {});
      await stack.refresh();
      stack.engine.place = { ...stack.engine.place, home };
      await stack.up([scene.app()], {});
    },
  },
  {
    title: "second machine after success",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const { home, folder } = elsewhere(scene);
      stack.engine.place = { ...stack.engine.place, home, folder };
      await stack.up([scene.app()], {});
      const other = { ...scene.app({}, await scene.another()), name: "other" };
      await stack.up([scene.app(), other], { other: "create" });
      await stack.up([scene.app()], { other: "delete" });
    },
  },
  {
    title: "cached home after success",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      const { home } = stack.engine.place;
      await stack.up([scene.app()], { app: "create" });
      const cache = scene.ground.cache(home);
      await stack.up([], { app: "delete" });
      scene.ground.restore(cache, home);
      await stack.up([scene.app({}, scene.facts.once ? await scene.another() : scene.declared)], { app: "create" });
    },
  },
  {
    title: "export, and import into another stack",
    carryOut: async (scene) => {
      const stack = await scene.stack();
      await stack.up([scene.app()], { app: "create" });
      const state = await stack.handedOver();
      const heir = await scene.stack({ backend: scene.ground.backend("second") });
      await heir.engine.import(state);
      await heir.up([scene.app()], {});
    },
  },
];

/** Another home and folder, as somebody else has them. */
export function elsewhere({ ground }: Scene): Pick<Place, "home" | "folder" | "backend"> {
  return {
    home: ground.folder("second-home"),
    folder: ground.folder("second-program"),
    backend: ground.backend("second"),
  };
}

/** A stack that has the names of the first, and declares the same: each has what is its own. */
async function besideAnother(scene: Scene, place: Partial<Place>): Promise<void> {
  const twin = await scene.stack(place);
  if (scene.facts.twice === "another") await twin.up([scene.app()], { app: "create" }, { warns: true });
  else await twin.fails([scene.app()]);
  if (scene.facts.twice === "another") await twin.destroy();
  await twin.up([scene.app({}, await scene.another())], { app: "create" }, { warns: true });
}
