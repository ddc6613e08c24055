import { Gate } from "./gate";
import type { ProviderServer } from "./provider-server";
import type { Stage } from "./stage";
import { suite } from "./suite";

/** The fate of a change: it never arrives, or it arrives while the project is locked. */
type Fate = "is lost" | "waits";

/** A proxy in front of the platform of a stage, and a provider process that talks to it. */
interface Gated {
  readonly gate: () => Gate;
  readonly server: () => ProviderServer;
  /** Runs `meanwhile` as another program, while the first change of a step is on its way. */
  readonly overtaken: (fate: Fate, meanwhile: () => Promise<unknown>, step: () => Promise<unknown>) => Promise<void>;
}

/** One proxy and one process for all tests of the calling suite. */
export function suiteGated(stage: () => Stage): Gated {
  const gate = suite(
    () => Gate.before(stage().platform.apiUrl),
    (started) => started.close(),
  );
  const server = suite(
    () => stage().anotherServer({ config: { apiUrl: gate().apiUrl } }),
    (started) => started.stop(),
  );
  const overtaken: Gated["overtaken"] = async (fate, meanwhile, step) => {
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
  return { gate, server, overtaken };
}
