import type { Operation } from "@neondatabase/api-client";
import { isDeepStrictEqual } from "node:util";

import { isEnded, progressOf } from "../../../api/operations/status";
import { type Change, isWholeProject, madeIn, someChange } from "./change";
import type { Reply } from "../ask";
import { type Requests, Unanswered } from "./requests";
import { type ProjectState, readProject } from "./state";

/** The results of all clients of a run. */
export interface Ledger {
  /** Every id in a response so far; none may be given to another object. */
  readonly ids: Set<string>;
  /** Milliseconds that each acknowledged change has taken. */
  readonly latencies: number[];
  /** Of changes whose answer was lost: how many were found there, and how many had not happened. */
  readonly unanswered: { there: number; absent: number };
}

/** A project according to its only client. */
interface Known {
  /** The name that it was created with. */
  readonly name: string;
  /** Absent until its creation is acknowledged. */
  id?: string;
  state?: ProjectState;
  /** The change whose answer was lost. */
  unknown?: Change | "made";
  readonly operations: Set<string>;
  lastStamp: string;
}

const most = { projects: 2, keys: 4 } as const;
const pauseMs = 2;
const settleMs = 120_000;

/** Changes projects and keys of its own, and remembers the acknowledged changes. */
export class Client {
  readonly #ledger: Ledger;
  readonly #draw: () => number;
  readonly #prefix: string;
  readonly #projects = new Set<Known>();
  /** The secrets of its keys, by their id. */
  readonly #keys = new Map<number, string>();
  readonly #revoked: string[] = [];
  #unknownKey: { readonly name: string } | { readonly id: number } | undefined;
  #names = 0;

  constructor(ledger: Ledger, draw: () => number, prefix: string) {
    this.#ledger = ledger;
    this.#draw = draw;
    this.#prefix = prefix;
  }

  /** Changes one thing after the other until the platform is killed. */
  async work(requests: Requests): Promise<void> {
    try {
      for (;;) await (this.#draw() < 0.15 ? this.#changeKeys(requests) : this.#changeProject(requests));
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
  }

  /** Compares everything with the acknowledged changes, and continues from the present state. */
  async *inspect(requests: Requests): AsyncGenerator<string> {
    for (const known of [...this.#projects]) {
      for await (const problem of this.#inspectProject(requests, known)) yield `project ${known.name}: ${problem}`;
    }
    yield* this.#inspectKeys(requests);
  }

  async #changeProject(requests: Requests): Promise<void> {
    const known = [...this.#projects][Math.floor(this.#draw() * most.projects)];
    if (known === undefined) {
      await this.#makeProject(requests);
      return;
    }
    const { id, state } = known;
    if (id === undefined || state === undefined) throw new Error(`${known.name} was not looked at`);
    const change = someChange(state, this.#draw, () => this.#newName());
    known.unknown = change;
    const { body } = await this.#acknowledged(requests, change.method, `/projects/${id}${change.path}`, change.body);
    delete known.unknown;
    this.#remember(known, body);
    const after = change.apply(state, madeIn(body));
    if (after) known.state = after;
    else this.#projects.delete(known);
  }

  async #makeProject(requests: Requests): Promise<void> {
    const known: Known = { name: this.#newName(), unknown: "made", operations: new Set(), lastStamp: "" };
    this.#projects.add(known);
    const { body } = await this.#acknowledged(requests, "POST", "/projects", { project: { name: known.name } });
    delete known.unknown;
    const { project, branch, endpoints, roles, databases } = body;
    this.#remember(known, body);
    this.#isNew(project.id);
    known.id = project.id;
    known.state = {
      name: project.name,
      branches: {
        [branch.id]: {
          name: branch.name,
          isRoot: true,
          roles: Object.fromEntries(roles.map(({ name, password }) => [name, password ?? "none"])),
          databases: Object.fromEntries(databases.map(({ name, owner_name }) => [name, owner_name])),
        },
      },
      computes: Object.fromEntries(endpoints.map((compute) => [compute.id, compute.branch_id])),
    };
  }

  async #changeKeys(requests: Requests): Promise<void> {
    const ids = [...this.#keys.keys()];
    const id = ids[Math.floor(this.#draw() * most.keys)];
    if (id === undefined) {
      const name = this.#newName();
      this.#unknownKey = { name };
      const { body } = await this.#acknowledged(requests, "POST", "/api_keys", { key_name: name });
      const made = body as unknown as { readonly id: number; readonly key: string };
      this.#isNew(`key ${made.id}`);
      this.#keys.set(made.id, made.key);
    } else {
      this.#unknownKey = { id };
      await this.#acknowledged(requests, "DELETE", `/api_keys/${id}`);
      this.#revoked.push(this.#keys.get(id) ?? "none");
      this.#keys.delete(id);
    }
    this.#unknownKey = undefined;
  }

  /** Sends a change until its project is not busy. */
  async #acknowledged(requests: Requests, method: string, path: string, body?: unknown): Promise<Reply> {
    for (;;) {
      const began = performance.now();
      const answer = await requests.send(method, path, body);
      if (answer.status === 423) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        continue;
      }
      if (answer.status >= 300) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.body.message}`);
      this.#ledger.latencies.push(performance.now() - began);
      return answer;
    }
  }

  /** Remembers the ids in a response, which must be new. */
  #remember(known: Known, body: Reply["body"]): void {
    const { branchId, computeId } = madeIn(body);
    const isMade = known.state === undefined || (branchId !== undefined && !(branchId in known.state.branches));
    if (branchId !== undefined && isMade) this.#isNew(branchId);
    if (computeId !== undefined && !(computeId in (known.state?.computes ?? {}))) this.#isNew(computeId);
    const { operations = [] } = body as { readonly operations?: readonly Operation[] };
    for (const { id, created_at: stamp } of operations) {
      this.#isNew(id);
      known.operations.add(id);
      if (stamp <= known.lastStamp) throw new Error(`operation ${id} is of ${stamp}, after one of ${known.lastStamp}`);
      known.lastStamp = stamp;
    }
  }

  #isNew(id: string): void {
    if (this.#ledger.ids.has(id)) throw new Error(`${id} was given out twice`);
    this.#ledger.ids.add(id);
  }

  async *#inspectProject(requests: Requests, known: Known): AsyncGenerator<string> {
    const { state, unknown } = known;
    delete known.unknown;
    const id = known.id ?? (await idNamed(requests, known.name));
    const operations = id === undefined ? [] : await settledOperations(requests, id);
    const found = id === undefined ? undefined : await readProject(requests, id);
    const extra = operations.filter((operation) => !known.operations.has(operation.id));
    const isThere = unknown !== undefined && isApplied(unknown, state, found);
    if (unknown !== undefined) this.#ledger.unanswered[isThere ? "there" : "absent"] += 1;
    if (!isThere && !isDeepStrictEqual(found, state)) {
      yield `${unknown === undefined ? "is not" : `is half of ${titleOf(unknown)}, or is not`} what was acknowledged: ${difference(state, found)}`;
    }
    if (!isThere && extra.length > 0) yield `has operations of nothing: ${extra.map(({ action }) => action).join()}`;
    if (found) yield* this.#inspectOperations(known, operations);
    if (found && id !== undefined) Object.assign(known, { id, state: found });
    else this.#projects.delete(known);
  }

  *#inspectOperations(known: Known, operations: readonly Operation[]): Generator<string> {
    const ids = new Set(operations.map(({ id }) => id));
    const lost = [...known.operations].filter((id) => !ids.has(id));
    if (lost.length > 0) yield `has lost the operations ${lost.join()}`;
    const stamps = operations.map(({ created_at: stamp }) => stamp);
    if (new Set(stamps).size !== stamps.length) yield "has two operations of the same moment";
    const bad = operations.filter(({ status }) => progressOf(status) !== "success");
    if (bad.length > 0) yield `has operations that have ended as ${bad.map(({ status }) => status).join()}`;
    for (const { id } of operations) {
      known.operations.add(id);
      this.#ledger.ids.add(id);
    }
    known.lastStamp = stamps.sort().at(-1) ?? known.lastStamp;
  }

  async *#inspectKeys(requests: Requests): AsyncGenerator<string> {
    const unknown = this.#unknownKey;
    this.#unknownKey = undefined;
    const { body } = await requests.get("/api_keys");
    const listed = body as unknown as readonly { readonly id: number; readonly name: string }[];
    const works = async (key: string): Promise<boolean> => (await requests.get("/users/me", key)).status === 200;
    for (const [id, key] of [...this.#keys]) {
      const isListed = listed.some((entry) => entry.id === id);
      if (isListed !== (await works(key))) yield `key ${id} is half revoked`;
      if (isListed) continue;
      if (unknown !== undefined && "id" in unknown && unknown.id === id) this.#ledger.unanswered.there += 1;
      else yield `key ${id} is lost`;
      this.#keys.delete(id);
    }
    for (const key of this.#revoked.splice(0)) if (await works(key)) yield "a revoked key is in force again";
    if (unknown === undefined || "id" in unknown) return;
    const made = listed.filter(({ name }) => name === unknown.name);
    this.#ledger.unanswered[made.length > 0 ? "there" : "absent"] += 1;
    if (made.length > 1) yield `key ${unknown.name} was made ${made.length} times`;
  }

  #newName(): string {
    this.#names += 1;
    return `${this.#prefix}-${this.#names}`;
  }
}

/** Whether a change without a response was performed completely. */
function isApplied(
  change: Change | "made",
  before: ProjectState | undefined,
  found: ProjectState | undefined,
): boolean {
  if (change === "made") return found !== undefined && isWholeProject(found);
  if (!before) return false;
  if (isDeepStrictEqual(found, before)) return false;
  const made = found && change.find ? change.find(found) : {};
  return isDeepStrictEqual(found, change.apply(before, made));
}

function titleOf(change: Change | "made"): string {
  return change === "made" ? "its making" : `${change.method} ${change.path}`;
}

async function idNamed({ get }: Requests, name: string): Promise<string | undefined> {
  const { body } = await get(`/projects?search=${name}&limit=400`);
  return body.projects.find((project) => project.name === name)?.id;
}

/** All operations of a project, when none of them is under way any more. */
async function settledOperations({ get }: Requests, projectId: string): Promise<Operation[]> {
  for (const began = performance.now(); performance.now() - began < settleMs;) {
    const all: Operation[] = [];
    for (let cursor = ""; ;) {
      const { status, body } = await get(`/projects/${projectId}/operations?limit=1000${cursor}`);
      if (status === 404) return [];
      all.push(...body.operations);
      if (body.operations.length === 0) break;
      cursor = `&cursor=${encodeURIComponent(body.pagination?.cursor ?? "")}`;
    }
    if (all.every(({ status }) => isEnded(status))) return all;
    await new Promise((resolve) => setTimeout(resolve, 10 * pauseMs));
  }
  throw new Error(`the operations of ${projectId} have not ended within ${settleMs} ms`);
}

function difference(expected: ProjectState | undefined, found: ProjectState | undefined): string {
  return `expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`;
}
