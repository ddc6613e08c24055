import type { ProviderServer } from "../support/provider-server";
import { Stage, type StageOptions } from "../support/stage";
import { Gate } from "../support/gate";

/** What runs one case at a time: a platform, and the provider processes of the first run and of all later runs. */
export interface Lane {
  readonly stage: Stage;
  readonly later: ProviderServer;
}

/** Ends a case soon that waits for it, but is longer than the search for an object whose response was lost. */
const operationTimeout = "5s";

export const laneOptions: StageOptions = { operationTime: "5ms", config: { operationTimeout } };

/** The same configuration for a stack. */
export const stackConfig = { "neon:operationTimeout": operationTimeout };

export const lanes = {
  open: async (): Promise<Lane> => {
    const stage = await Stage.start(laneOptions);
    // The commands after a fault have to succeed, however long that takes on a busy machine.
    const later = await stage.anotherServer({ home: stage.server.home });
    return { stage, later };
  },
  close: async ({ stage, later }: Lane): Promise<void> => {
    await later.stop();
    await stage.stop();
  },
};

/** Gives work a provider process that has not sent any request yet. */
export async function withFresh<Result>(
  stage: Stage,
  work: (first: ProviderServer) => Promise<Result>,
  config: StageOptions["config"] = laneOptions.config,
): Promise<Result> {
  const first = await stage.anotherServer({ home: stage.server.home, ...(config === undefined ? {} : { config }) });
  try {
    return await work(first);
  } finally {
    await first.stop();
  }
}

/** Gives work such processes for the first run and for all later runs, behind a gateway whose clock is ahead by so many seconds. */
export async function withClockAhead<Result>(
  stage: Stage,
  seconds: number,
  work: (lane: Lane, first: ProviderServer) => Promise<Result>,
): Promise<Result> {
  const gate = await Gate.before(stage.platform.apiUrl);
  gate.dateAhead = seconds * 1_000;
  const [ofFirst, ofLater] = [laneOptions.config, {}].map((config) => ({ ...config, apiUrl: gate.apiUrl }));
  try {
    return await withFresh(
      stage,
      (first) => withFresh(stage, (later) => work({ stage, later }, first), ofLater),
      ofFirst,
    );
  } finally {
    await gate.close();
  }
}
