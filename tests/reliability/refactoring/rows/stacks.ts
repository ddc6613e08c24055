import type { Place } from "../../../support/place";
import type { Rows } from "../row";
import type { Scene } from "../scene";

/** Stacks that are renamed, moved to other machines and backends, or share names with others. */
export const stacks: Rows = {
  "stack rename": async (scene) => {
    const stack = await scene.created();
    await stack.rename({ stack: "production" });
    await stack.up(scene.app());
  },
  "stack rename, and a new stack of the old name": async (scene) => {
    const stack = await scene.created();
    await stack.rename({ stack: "production" });
    await stack.up(scene.app());
    await besideAnother(scene, {});
  },
  "project rename": async (scene) => {
    const stack = await scene.created();
    await stack.rename({ project: "store" });
    await stack.up(scene.app());
  },
  "second backend": async (scene) => {
    await scene.created();
    await besideAnother(scene, { backend: scene.folders.backend("second") });
  },
  "another person's stack": async (scene) => {
    await scene.created();
    await besideAnother(scene, elsewhere(scene));
  },
  "second home": async (scene) => {
    const stack = await scene.created();
    const before = stack.runAt({ home: scene.folders.folder("second-home") });
    await stack.up(scene.app());
    await stack.refresh();
    stack.runAt(before);
    await stack.up(scene.app());
  },
  "second machine after success": async (scene) => {
    const stack = await scene.created();
    const { home, folder } = elsewhere(scene);
    stack.runAt({ home, folder });
    await stack.up(scene.app());
    await stack.up(scene.app() + (await scene.other()), { did: { other: "create" } });
    await stack.up(scene.app(), { did: { other: "delete" } });
  },
  "export, and import into another stack": async (scene) => {
    const stack = await scene.created();
    const heir = await scene.stack({ backend: scene.folders.backend("second") });
    await stack.handOver(heir);
    await heir.up(scene.app());
  },
};

/** Where somebody else runs a stack. */
export function elsewhere({ folders }: Scene): Pick<Place, "home" | "folder" | "backend"> {
  return {
    home: folders.folder("second-home"),
    folder: folders.folder("second-program"),
    backend: folders.backend("second"),
  };
}

/** A second stack with the names of the first, which declares the same objects; each keeps its own. */
async function besideAnother(scene: Scene, place: Partial<Place>): Promise<void> {
  const twin = await scene.stack(place);
  if (scene.facts.twice === "another") {
    await twin.up(scene.app(), { did: { app: "create" }, warns: true });
    await twin.destroy();
  } else {
    await twin.fails(scene.app());
  }
  await twin.up(scene.app({ args: await scene.another() }), { did: { app: "create" }, warns: true });
}
