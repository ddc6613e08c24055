import type { TestPlatform } from "../../support/platform";
import { isWithin } from "../refactoring/account";

type Body = Readonly<Record<string, unknown>>;

/** A response. */
interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
}

/** What a colleague does with a branch, in this order. */
const steps = ["role", "database", "suspend", "start", "resize", "replica", "restart"] as const;

/**
 * A person with a key of the same account who does not use Pulumi: sends plain requests that change branches, computes,
 * roles and databases of a project, and repeats each of them while the project is busy.
 */
export class Colleague {
  /** The paths of the objects that this client has created. */
  readonly has = new Set<string>();
  /** How many changes the platform has accepted, and how often it said that the project is busy. */
  readonly counts = { changes: 0, busy: 0 };
  readonly #platform: TestPlatform;
  readonly #key: string;
  readonly #project: string;
  readonly #name: string;
  readonly #draw: () => number;
  #requests = 0;
  #branches = 0;

  constructor(platform: TestPlatform, key: string, project: string, name: string, draw: () => number) {
    this.#platform = platform;
    this.#key = key;
    this.#project = project;
    this.#name = name;
    this.#draw = draw;
  }

  /** Works until the signal, and leaves the objects that exist then. */
  async work(stop: AbortSignal): Promise<void> {
    const isOver = (): boolean => stop.aborted;
    while (!isOver()) {
      this.#branches += 1;
      const branch = await this.#branch(`${this.#name}-${this.#branches}`);
      for (const step of steps) if (!isOver() && this.#draw() < 0.5) await this.#step(step, branch);
      if (!isOver() && this.#draw() < 0.5) await this.#remove(branch.id);
    }
  }

  async #branch(name: string): Promise<{ readonly id: string; readonly compute: string }> {
    const asked = { branch: { name }, endpoints: [{ type: "read_write" }] };
    const { body } = await this.#change("POST", "/branches", asked);
    const id = String(body["branch"]?.["id"]);
    const [endpoint] = body["endpoints"] as unknown as readonly Body[];
    const compute = String(endpoint?.["id"]);
    const path = this.#pathOf(id);
    this.has.add(path).add(`${path}/endpoints/${compute}`);
    return { id, compute };
  }

  async #step(step: (typeof steps)[number], { id, compute }: { id: string; compute: string }): Promise<void> {
    const place = this.#pathOf(id);
    switch (step) {
      case "role":
        await this.#change("POST", `/branches/${id}/roles`, { role: { name: "helper" } });
        this.has.add(`${place}/roles/helper`);
        return;
      case "database": {
        if (!this.has.has(`${place}/roles/helper`)) return;
        await this.#change("POST", `/branches/${id}/databases`, { database: { name: "notes", owner_name: "helper" } });
        this.has.add(`${place}/databases/notes`);
        return;
      }
      case "replica": {
        const asked = { endpoint: { branch_id: id, type: "read_only" } };
        const { body } = await this.#change("POST", "/endpoints", asked);
        this.has.add(`${place}/endpoints/${String(body["endpoint"]?.["id"])}`);
        return;
      }
      case "resize":
        await this.#change("PATCH", `/endpoints/${compute}`, { endpoint: { suspend_timeout_seconds: 600 } });
        return;
      case "suspend":
      case "start":
      case "restart":
        await this.#change("POST", `/endpoints/${compute}/${step}`);
        return;
      default:
        return step satisfies never;
    }
  }

  async #remove(branch: string): Promise<void> {
    await this.#change("DELETE", `/branches/${branch}`);
    for (const path of [...this.has]) if (isWithin(path, this.#pathOf(branch))) this.has.delete(path);
  }

  #pathOf(branch: string): string {
    return `/projects/${this.#project}/branches/${branch}`;
  }

  /** Sends a change until the project accepts it. */
  async #change(method: string, path: string, body?: Body): Promise<Answer> {
    for (;;) {
      this.#requests += 1;
      const headers = { "x-request-id": `${this.#name}-${this.#requests}` };
      const answer = await this.#platform.call(method, `/projects/${this.#project}${path}`, body, {
        key: this.#key,
        headers,
      });
      if (answer.status !== 423 && answer.status !== 429) {
        const isRefused = answer.status >= 300;
        // A compute also starts and suspends by itself.
        if (isRefused && !/\/(start|suspend|restart)$/.test(path)) {
          throw new Error(`${this.#name}: ${method} ${path} failed with HTTP ${answer.status}: ${answer.body.message}`);
        }
        if (!isRefused) this.counts.changes += 1;
        return answer as unknown as Answer;
      }
      this.counts.busy += 1;
      await new Promise((resolve) => setTimeout(resolve, 20 + 100 * this.#draw()));
    }
  }
}
