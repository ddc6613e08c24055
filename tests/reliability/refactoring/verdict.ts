import { Gate } from "../kills/gate";
import { laneOptions, type Lane } from "../lanes";
import type { Case } from "./cases";
import type { Engine } from "./engine";
import { ModelStack } from "./model";
import type { Place } from "./place";
import { Scene } from "./scene";

/** What a case has come to. */
export interface Verdict {
  readonly case: Case;
  /** How many commands were run. */
  readonly runs: number;
  readonly problems: readonly string[];
}

/** How stacks are led: by the model of the engine, or by the real one. */
export type Engines = (gate: Gate) => (place: Place) => Promise<Engine>;

/** Settings of every stack beside its account. */
export const settings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(laneOptions.config ?? {}).map(([name, value]) => [`neon:${name}`, value]),
);

export const modelled: Engines = (gate) => (place) => Promise.resolve(new ModelStack(place, gate, settings));

/** Plays a case and settles what it has left. */
export async function played({ stage }: Lane, one: Case, engines: Engines): Promise<Verdict> {
  const gate = await Gate.before(stage.platform.apiUrl);
  try {
    const scene = await Scene.set({ stage, sample: one.sample, engine: engines(gate) });
    await carriedOut(scene, one);
    return { case: one, runs: scene.runs, problems: scene.problems };
  } finally {
    await gate.close();
  }
}

async function carriedOut(scene: Scene, { refactoring }: Case): Promise<void> {
  try {
    await refactoring.carryOut(scene);
    await scene.settle();
  } catch (error) {
    scene.problem(error instanceof Error ? error.message : String(error));
  } finally {
    await scene.remove();
  }
}
