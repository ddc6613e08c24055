import type { NeonClient } from "../../api/client";
import { hasStatus, NeonError, summaryOf } from "../../api/core/errors";
import { auth } from "../../api/schemas/user";

/** How long a preview waits for the platform to confirm a key, in milliseconds. */
const patience = 8_000;

/** The platform's answer on the account's API key. */
interface Verdict {
  /** False if the platform rejects the key or does not answer. A preview then asks nothing else. */
  readonly isAccepted: boolean;
  /**
   * Why the platform rejects the key, if it does.
   *
   * Any other failure says nothing about the key. It shows in `up`, which knows how long to wait for the platform.
   */
  readonly rejection?: string;
  /** Why the platform did not answer; undefined if it did. A preview then asks nothing else. */
  readonly silence?: string;
}

/** Checks whether the platform accepts the account's API key, at most once in a process. */
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
