import type { ProviderServer } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { Stage, type StageOptions } from "../support/stage";

/** What runs one case at a time: a platform with a provider process for the first run, and the settings of all later runs. */
export interface Lane {
  readonly stage: Stage;
  readonly config: NonNullable<StageOptions["config"]>;
}

/** Ends a case soon that waits for it, but is longer than the search for an object whose response was lost. */
const operationTimeout = "5s";

export const laneOptions: StageOptions = { operationTime: "5ms", config: { operationTimeout } };

/** The same configuration for a stack. */
export const stackConfig = { "neon:operationTimeout": operationTimeout };

export const lanes = {
  // The commands after a fault have to succeed, however long that takes on a busy machine.
  open: async (): Promise<Lane> => ({ stage: await Stage.start(laneOptions), config: {} }),
  close: ({ stage }: Lane): Promise<void> => stage.stop(),
};

/** Starts the next run: in a process that knows nothing of the earlier ones, with consent to take what exists or without. */
export type NextRun = (consents: boolean) => Promise<void>;

/** Gives work what starts the next runs of a resource. */
export async function withNextRuns<Result>(
  { stage, config }: Lane,
  resource: EngineResource,
  work: (next: NextRun) => Promise<Result>,
): Promise<Result> {
  const started: ProviderServer[] = [];
  const next: NextRun = async (consents) => {
    resource.server = await stage.anotherServer({ config: { ...config, ...(consents ? { adopt: "true" } : {}) } });
    started.push(resource.server);
  };
  try {
    return await work(next);
  } finally {
    await Promise.all(started.map((server) => server.stop()));
  }
}

/** Gives work a provider process that has not sent any request yet. */
export async function withFresh<Result>(
  stage: Stage,
  work: (first: ProviderServer) => Promise<Result>,
  config: StageOptions["config"] = laneOptions.config,
): Promise<Result> {
  const first = await stage.anotherServer(config === undefined ? {} : { config });
  try {
    return await work(first);
  } finally {
    await first.stop();
  }
}
