import { after, before, describe, type Suite } from "mocha";

import type { KindName } from "../../provider/kinds";

/** The protocols by which an engine reaches the kinds: Pulumi's dynamic providers, and a provider plugin. */
export const doors = ["dynamic", "plugin"] as const;
export type Door = (typeof doors)[number];

/** The door of the suite that is declared or run now. `NEON_PULUMI_DOOR` chooses that of suites that need none of both. */
let current: Door = doors.find((door) => door === process.env["NEON_PULUMI_DOOR"]) ?? "dynamic";

export function currentDoor(): Door {
  return current;
}

/** The URN of a resource of this name. */
export function urnOf(kind: KindName, name: string, door: Door = current): string {
  const type = { dynamic: `pulumi-nodejs:dynamic/neon:${kind}`, plugin: `neon:index:${kind}` };
  return `urn:pulumi:dev::shop::${type[door]}::${name}`;
}

/** Declares a suite once for each of these doors. */
export function throughDoors(title: string, declare: (this: Suite, door: Door) => void, through = doors): void {
  for (const door of through) {
    describe(`${title} (${door})`, function () {
      let outer: Door = current;
      const enter = (): void => void ([outer, current] = [current, door]);
      const leave = (): void => void (current = outer);
      before(enter);
      after(leave);
      enter();
      declare.call(this, door);
      leave();
    });
  }
}
