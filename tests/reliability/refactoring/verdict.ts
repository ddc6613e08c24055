import { Gate } from "../kills/gate";
import { messageOf } from "../../../api/errors";
import type { Stage } from "../../support/stage";
import { stackConfig } from "../lanes";
import type { Case } from "./cases";
import type { Engine } from "./engine";
import { ModelStack } from "./model";
import { Ground, type Place } from "./place";
import { RealStack } from "./real";
import { Scene, StopError } from "./scene";

/** The result of a case. */
export interface Verdict {
  readonly case: Case;
  /** How many commands were run. */
  readonly runs: number;
  readonly problems: readonly string[];
}

/** What runs the stacks: the model of the engine, or the real CLI. */
export interface Engines {
  /** Its part of the command that repeats a case. */
  readonly flags: string;
  readonly ground: () => Promise<Ground>;
  readonly stack: (place: Place, gate: Gate) => Promise<Engine>;
  readonly suits: (one: Case) => boolean;
}

export const modelled: Engines = {
  flags: "",
  ground: () => Promise.resolve(Ground.linked()),
  stack: (place, gate) => Promise.resolve(new ModelStack(place, gate, stackConfig)),
  suits: () => true,
};

export const real: Engines = {
  flags: "--real ",
  ground: () => Ground.installed(),
  stack: (place, gate) => RealStack.create(place, gate, stackConfig),
  suits: ({ refactoring }) => refactoring.modelOnly === undefined,
};

/** Runs a case and deletes what it has left. */
export async function played(stage: Stage, one: Case, engines: Engines): Promise<Verdict> {
  const gate = await Gate.before(stage.platform.apiUrl);
  try {
    const ground = await engines.ground();
    const engine = (place: Place): Promise<Engine> => engines.stack(place, gate);
    const scene = await Scene.set({ stage, sample: one.sample, ground, engine });
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
    if (error instanceof StopError) return;
    scene.problem(messageOf(error));
  } finally {
    await scene.remove();
  }
}
