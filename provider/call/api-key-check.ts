import type { NeonClient } from "../../api/client";
import { hasStatus, NeonError, summaryOf } from "../../api/core/errors";
import { auth } from "../../api/schemas/user";

/** How long a preview waits for the platform to confirm a key, in milliseconds. */
const patience = 8_000;

/** What the platform says of the account's API key. */
interface Verdict {
  /** False if it rejects the key, and if it does not answer: nothing else is worth asking in a preview then. */
  readonly isAccepted: boolean;
  /**
   * Why the platform rejects the key, if it does.
   *
   * Any other failure is no verdict on the key. It appears in `up`, which knows how long to wait for the platform.
   */
  readonly rejection?: string;
  /** Why nobody has answered, if so: nothing is worth asking then. */
  readonly silence?: string;
}

/** Whether the platform accepts the account's API key. Asked at most once in a process. */
export class ApiKeyCheck {
  readonly #client: NeonClient;
  #verdict: Promise<Verdict> | undefined;

  constructor(client: NeonClient) {
    this.#client = client;
  }

  verdict(): Promise<Verdict> {
    const deadline = this.#client.clock.now() + patience;
    return (this.#verdict ??= this.#client.send(auth.get(), { deadline }).then(
      () => ({ isAccepted: true }),
      (error: unknown) => ({
        isAccepted: false,
        ...(hasStatus(error, 401) ? { rejection: `was rejected: ${summaryOf(error)}` } : {}),
        ...(isSilence(error) ? { silence: summaryOf(error) } : {}),
      }),
    ));
  }
}

function isSilence(error: unknown): boolean {
  return NeonError.isInstance(error) && ["unreachable", "never-responded"].includes(error.kind);
}
