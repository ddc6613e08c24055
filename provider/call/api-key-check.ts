import type { NeonClient } from "../../api/client";
import { hasStatus, summaryOf } from "../../api/errors";
import { auth } from "../../api/schemas/user";

/** How long a preview waits for the platform to confirm a key, in milliseconds. */
const patience = 10_000;

/** Whether the platform accepts the account's API key. Asked at most once in a process. */
export class ApiKeyCheck {
  readonly #client: NeonClient;
  #rejection: Promise<string | undefined> | undefined;

  constructor(client: NeonClient) {
    this.#client = client;
  }

  /**
   * Why the platform rejects the key, if it does.
   *
   * Any other failure is no verdict on the key. It appears in `up`, which knows how long to wait for the platform.
   */
  rejection(): Promise<string | undefined> {
    const deadline = this.#client.clock.now() + patience;
    return (this.#rejection ??= this.#client.send(auth.get(), { deadline }).then(
      () => undefined,
      (error: unknown) => (hasStatus(error, 401) ? `was rejected: ${summaryOf(error)}` : undefined),
    ));
  }
}
