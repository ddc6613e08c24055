import type { Gate } from "./gate";
import type { Stage } from "./stage";

/** What becomes of a change: it never arrives, or the project is locked when it does. */
type Fate = "is lost" | "waits";

/** Does something while the first change of a step is on its way. */
type Overtaken = (fate: Fate, meanwhile: () => Promise<unknown>, step: () => Promise<unknown>) => Promise<void>;

/** Steps whose changes are overtaken by another program, at the gate in front of a stage's platform. */
export function overtaking(stage: () => Stage, gate: () => Gate): Overtaken {
  return async (fate, meanwhile, step) => {
    const held = gate().holdNextChange();
    const done = step();
    await held.arrived;
    await meanwhile();
    if (fate === "is lost") held.drop();
    else {
      await stage().platform.fault({ status: 423 });
      held.pass();
    }
    await done;
  };
}
