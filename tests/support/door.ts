import { after, before, describe, it } from "mocha";

import type { DynamicKindName } from "../../provider/frozen-entry";

/** The protocols by which an engine reaches the kinds: Pulumi's dynamic providers, and a provider plugin. */
export const doors = ["dynamic", "plugin"] as const;
export type Door = (typeof doors)[number];

/** The door of the current suite. `NEON_PULUMI_PROVIDER` sets it for suites that do not choose one. */
let current: Door = doors.find((door) => door === process.env["NEON_PULUMI_PROVIDER"]) ?? "dynamic";

export function currentDoor(): Door {
  return current;
}

/** Sets the door of everything that starts from now on. The result restores the former one. */
export function useDoor(door: Door): () => void {
  const former = current;
  current = door;
  return () => void (current = former);
}

/** The type of resources of a kind. */
export function typeOf(kind: DynamicKindName, door: Door = current): string {
  return { dynamic: `pulumi-nodejs:dynamic/neon:${kind}`, plugin: `neon:index:${kind}` }[door];
}

/** The URN of a resource of this name. */
export function urnOf(kind: DynamicKindName, name: string, door: Door = current): string {
  return `urn:pulumi:dev::shop::${typeOf(kind, door)}::${name}`;
}

/** An `it` for behaviour that only one door has. */
export function itThrough(door: Door): (title: string, test: () => Promise<void>) => void {
  return (title, test) => {
    if (current === door) it(title, test);
  };
}

/** Declares all suites of test files a second time, for the plugin. */
export function throughPlugin(...files: readonly string[]): void {
  describe("through the plugin", () => {
    let outer: Door = current;
    const enter = (): void => void ([outer, current] = [current, "plugin"]);
    const leave = (): void => void (current = outer);
    before(enter);
    after(leave);
    enter();
    for (const file of files) {
      const path = require.resolve(`../provider/${file}.test`);
      // This process may have declared the suites before.
      Reflect.deleteProperty(require.cache, path);
      // oxlint-disable-next-line typescript/no-require-imports -- declares the suites while it is loaded
      require(path);
      Reflect.deleteProperty(require.cache, path);
    }
    leave();
  });
}
