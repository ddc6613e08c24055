import type { AnswerBody, TestPlatform } from "../../support/platform";
import { isWithin } from "../../support/account";

/** A branch of a colleague, and its compute. */
interface Own {
  readonly id: string;
  readonly compute: string;
}

/** A request below the project, and the path below the branch of the object that it creates. */
interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly creates?: (body: AnswerBody) => string;
}

/** What a colleague does with a branch, in this order. */
const stepsOf = ({ id, compute }: Own): readonly Step[] => {
  const settings = { suspend_timeout_seconds: 600 };
  const reader = { branch_id: id, type: "read_only" };
  const database = { name: "notes", owner_name: "neondb_owner" };
  return [
    { ...post(`/branches/${id}/roles`, { role: { name: "helper" } }), creates: () => "roles/helper" },
    { ...post(`/branches/${id}/databases`, { database }), creates: () => "databases/notes" },
    post(`/endpoints/${compute}/suspend`),
    post(`/endpoints/${compute}/start`),
    { method: "PATCH", path: `/endpoints/${compute}`, body: { endpoint: settings } },
    { ...post("/endpoints", { endpoint: reader }), creates: ({ endpoint }) => `endpoints/${endpoint.id}` },
    post(`/endpoints/${compute}/restart`),
  ];
};

function post(path: string, body?: object): Step {
  return { method: "POST", path, ...(body === undefined ? {} : { body }) };
}

/**
 * A person with a key of the same account who does not use Pulumi: sends plain requests that change branches, computes,
 * roles and databases of a project, and repeats each of them while the project is busy.
 */
export class Colleague {
  /** The paths of the objects that this client has created. */
  readonly has = new Set<string>();
  /** How many changes the platform has accepted. */
  changes = 0;
  readonly #platform: TestPlatform;
  readonly #project: string;
  readonly #name: string;
  readonly #draw: () => number;
  #requests = 0;
  #branches = 0;

  constructor(platform: TestPlatform, projectId: string, name: string, draw: () => number) {
    this.#platform = platform;
    this.#project = `/projects/${projectId}`;
    this.#name = name;
    this.#draw = draw;
  }

  /** Works until the signal, and leaves the objects that exist then. */
  async work(stop: AbortSignal): Promise<void> {
    const goesOn = (): boolean => !stop.aborted && this.#draw() < 0.5;
    while (!stop.aborted) {
      this.#branches += 1;
      const body = { branch: { name: `${this.#name}-${this.#branches}` }, endpoints: [{ type: "read_write" }] };
      const { branch, endpoints } = await this.#change({ method: "POST", path: "/branches", body });
      const own = { id: branch.id, compute: endpoints[0]?.id ?? "" };
      const path = `${this.#project}/branches/${own.id}`;
      this.has.add(path).add(`${path}/endpoints/${own.compute}`);
      for (const step of stepsOf(own)) {
        if (!goesOn()) continue;
        const answer = await this.#change(step);
        if (step.creates !== undefined) this.has.add(`${path}/${step.creates(answer)}`);
      }
      if (!goesOn()) continue;
      await this.#change({ method: "DELETE", path: `/branches/${own.id}` });
      for (const each of [...this.has]) if (isWithin(each, path)) this.has.delete(each);
    }
  }

  /** Sends a change until the project accepts it. */
  async #change({ method, path, body }: Step): Promise<AnswerBody> {
    for (;;) {
      this.#requests += 1;
      const headers = { "x-request-id": `${this.#name}-${this.#requests}` };
      const answer = await this.#platform.call(method, `${this.#project}${path}`, body, { headers });
      if (answer.status !== 423 && answer.status !== 429) {
        const isRefused = answer.status >= 300;
        // A compute also starts and suspends by itself.
        if (isRefused && !/\/(start|suspend|restart)$/.test(path)) {
          throw new Error(`${this.#name}: ${method} ${path} failed with HTTP ${answer.status}: ${answer.body.message}`);
        }
        if (!isRefused) this.changes += 1;
        return answer.body;
      }
      await new Promise((resolve) => setTimeout(resolve, 20 + 100 * this.#draw()));
    }
  }
}
