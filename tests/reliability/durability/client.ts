import type { Operation } from "@neondatabase/api-client";
import { isDeepStrictEqual } from "node:util";

import { messageOf } from "../../../api/core/errors";
import { isEnded, progressOf } from "../../../api/operations/status";
import type { Answer, AnswerBody, TestPlatform } from "../../support/platform";
import { afterLostResponse, afterResponse, type Change, creation, readState, someChange, type State } from "./change";

/** The results of all clients of a run. */
export interface Ledger {
  apiKey: string;
  /** Every id in a response so far; none may be given to another object. */
  readonly ids: Set<string>;
  /** Milliseconds that each acknowledged change has taken. */
  readonly latencies: number[];
  /** Of changes whose answer was lost: how many were found there, and how many had not happened. */
  readonly unanswered: { there: number; absent: number };
}

/** The platform was killed before the response was complete: nothing is known about the request. */
class Unanswered extends Error {}

/** A project according to its only client. */
interface Known {
  /** The name that it was created with. */
  readonly name: string;
  /** Absent until its creation is acknowledged. */
  id?: string;
  state: State;
  /** The change whose answer was lost. */
  unknown?: Change;
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
  async work(platform: TestPlatform): Promise<void> {
    try {
      for (;;) await (this.#draw() < 0.15 ? this.#changeKeys(platform) : this.#changeProject(platform));
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
  }

  /** Compares everything with the acknowledged changes, and continues from the present state. */
  async *inspect(platform: TestPlatform): AsyncGenerator<string> {
    for (const known of [...this.#projects]) {
      for await (const problem of this.#inspectProject(platform, known)) yield `project ${known.name}: ${problem}`;
    }
    yield* this.#inspectKeys(platform);
  }

  async #changeProject(platform: TestPlatform): Promise<void> {
    const known = [...this.#projects][Math.floor(this.#draw() * most.projects)] ?? this.#newProject();
    const change =
      known.id === undefined ? creation(known.name) : someChange(known.state, this.#draw, () => this.#newName());
    known.unknown = change;
    const path = `/projects${known.id === undefined ? "" : `/${known.id}`}${change.path}`;
    const { body } = await this.#acknowledged(platform, change.method, path, change.body);
    delete known.unknown;
    const before = known.state;
    known.state = afterResponse(before, change, body);
    this.#rememberOperations(known, body);
    for (const added of known.state.keys()) {
      const id = /\/(?:branches|endpoints)\/([^/]+)$/.exec(added)?.[1];
      if (id !== undefined && !before.has(added)) this.#isNew(id);
    }
    if (known.id === undefined) this.#isNew(body.project.id);
    known.id ??= body.project.id;
    if (known.state.size === 0) this.#projects.delete(known);
  }

  #newProject(): Known {
    const known: Known = { name: this.#newName(), state: new Map(), operations: new Set(), lastStamp: "" };
    this.#projects.add(known);
    return known;
  }

  async #changeKeys(platform: TestPlatform): Promise<void> {
    const ids = [...this.#keys.keys()];
    const id = ids[Math.floor(this.#draw() * most.keys)];
    if (id === undefined) {
      const name = this.#newName();
      this.#unknownKey = { name };
      const { body } = await this.#acknowledged(platform, "POST", "/api_keys", { key_name: name });
      const made = body as unknown as { readonly id: number; readonly key: string };
      this.#isNew(`key ${made.id}`);
      this.#keys.set(made.id, made.key);
    } else {
      this.#unknownKey = { id };
      await this.#acknowledged(platform, "DELETE", `/api_keys/${id}`);
      this.#revoked.push(this.#keys.get(id) ?? "none");
      this.#keys.delete(id);
    }
    this.#unknownKey = undefined;
  }

  /** Sends a change until its project is not busy. */
  async #acknowledged(platform: TestPlatform, method: string, path: string, body?: unknown): Promise<Answer> {
    for (;;) {
      const began = performance.now();
      const options = { key: this.#ledger.apiKey, unchecked: true };
      const answer = await platform.call(method, path, body, options).catch((cause: unknown): never => {
        throw new Unanswered(`${method} ${path}: ${messageOf(cause)}`, { cause });
      });
      if (answer.status === 423) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        continue;
      }
      if (answer.status >= 300) throw new Error(`${method} ${path} answers ${answer.status}: ${answer.body.message}`);
      this.#ledger.latencies.push(performance.now() - began);
      return answer;
    }
  }

  /** Remembers the operations in a response, which must be new and later than all before. */
  #rememberOperations(known: Known, body: AnswerBody): void {
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

  async *#inspectProject(platform: TestPlatform, known: Known): AsyncGenerator<string> {
    const { state, unknown } = known;
    delete known.unknown;
    const id = known.id ?? (await this.#idNamed(platform, known.name));
    const operations = id === undefined ? [] : await this.#settledOperations(platform, id);
    const found: State = id === undefined ? new Map() : await readState(platform, this.#ledger.apiKey, id);
    const extra = operations.filter((operation) => !known.operations.has(operation.id));
    const isThere =
      unknown !== undefined &&
      !isDeepStrictEqual(found, state) &&
      isDeepStrictEqual(found, afterLostResponse(state, unknown, found));
    if (unknown !== undefined) this.#ledger.unanswered[isThere ? "there" : "absent"] += 1;
    if (!isThere && !isDeepStrictEqual(found, state)) {
      const what = unknown === undefined ? "is not" : `is half of ${unknown.method} ${unknown.path}, or is not`;
      yield `${what} what was acknowledged: expected ${textOf(state)}, found ${textOf(found)}`;
    }
    if (!isThere && extra.length > 0) yield `has operations of nothing: ${extra.map(({ action }) => action).join()}`;
    if (found.size > 0) yield* this.#inspectOperations(known, operations);
    if (found.size > 0 && id !== undefined) Object.assign(known, { id, state: found });
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

  async *#inspectKeys(platform: TestPlatform): AsyncGenerator<string> {
    const unknown = this.#unknownKey;
    this.#unknownKey = undefined;
    const { body } = await this.#get(platform, "/api_keys");
    const listed = body as unknown as readonly { readonly id: number; readonly name: string }[];
    const works = async (key: string): Promise<boolean> =>
      (await platform.call("GET", "/users/me", undefined, { key })).status === 200;
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

  #get(platform: TestPlatform, path: string): Promise<Answer> {
    return platform.call("GET", path, undefined, { key: this.#ledger.apiKey });
  }

  async #idNamed(platform: TestPlatform, name: string): Promise<string | undefined> {
    const { body } = await this.#get(platform, `/projects?search=${name}&limit=400`);
    return body.projects.find((project) => project.name === name)?.id;
  }

  /** All operations of a project, when none of them is under way any more. */
  async #settledOperations(platform: TestPlatform, projectId: string): Promise<Operation[]> {
    for (const began = performance.now(); performance.now() - began < settleMs;) {
      const all: Operation[] = [];
      for (let cursor = ""; ;) {
        const { status, body } = await this.#get(platform, `/projects/${projectId}/operations?limit=1000${cursor}`);
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

  #newName(): string {
    this.#names += 1;
    return `${this.#prefix}-${this.#names}`;
  }
}

function textOf(state: State): string {
  return JSON.stringify(Object.fromEntries(state));
}
