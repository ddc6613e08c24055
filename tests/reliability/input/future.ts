import assert from "node:assert/strict";

import type { KindName } from "../../../provider/frozen-entry";
import type { ProviderServer, Values } from "../../support/provider-server";
import { reworded, type PublishedObject } from "../../support/openapi";
import { changed } from "../../support/sample";
import { samples } from "../../support/samples";
import { Stage } from "../../support/stage";
import { assertUpToDate } from "../../support/up-to-date";
import { Gate, type Rewording } from "../../support/gate";
import { objectOf } from "./unusual";

/** How the responses of a future platform may differ. */
export const futures = {
  /** Unknown members at every level, and unknown actions and statuses of operations. */
  "more members, and operations of another kind": (value: Values, object: PublishedObject) =>
    Object.keys(object.named).length === 0 ? value : { ...operationOfTomorrow(value), ...unheardOf },
  /** Values that no enumeration has. The type of a compute does not change. */
  "values that no enumeration has": (value: Values, { named }: PublishedObject) =>
    mapMembers(value, (name, member) =>
      typeof member === "string" && named[name]?.enum !== undefined && name !== "type" ? "something-new" : member,
    ),
  /** Every optional member is null. */
  "null for what need not be there": (value: Values, { named }: PublishedObject) => ({
    ...value,
    ...objectOf(optional(named).map((name) => [name, null])),
  }),
  /** No optional member is present. */
  "nothing that need not be there": (value: Values, { named }: PublishedObject) =>
    objectOf(Object.entries(value).filter(([name]) => !optional(named).includes(name))),
} as const;
export type Future = keyof typeof futures;

/** Members of a future platform. Some have names of members of every object, or of hidden outputs. */
const unheardOf = objectOf([
  ["from_the_future", { nested: [{ from_the_future: true }, null, 1.5] }],
  ["fromTheFuture", "text"],
  ["constructor", "text"],
  ["toString", null],
  ["__proto__", { polluted: true }],
  ["__neon", { version: 99 }],
  ["__provider", "text"],
]);

function operationOfTomorrow(value: Values): Values {
  if (typeof value["failures_count"] !== "number") return value;
  const isUnderWay = value["status"] === "scheduling" || value["status"] === "running";
  return { ...value, action: "do_something_new", ...(isUnderWay ? { status: "pondering" } : {}) };
}

function optional(named: PublishedObject["named"]): string[] {
  return Object.entries(named).flatMap(([name, { required }]) => (required ? [] : [name]));
}

function mapMembers(value: Values, change: (name: string, member: unknown) => unknown): Values {
  return objectOf(Object.entries(value).map(([name, member]) => [name, change(name, member)]));
}

function rewordingOf(future: Future): Rewording {
  return (method, path, status, body) => (status < 300 ? reworded(method, path, status, body, futures[future]) : body);
}

/** A stage with a platform of today, and a provider process that receives the responses of a future platform. */
export class FutureStage {
  readonly stage: Stage;
  readonly server: ProviderServer;
  readonly #gate: Gate;

  private constructor(stage: Stage, gate: Gate, server: ProviderServer) {
    this.stage = stage;
    this.#gate = gate;
    this.server = server;
  }

  static async start(): Promise<FutureStage> {
    const stage = await Stage.start({ operationTime: "5ms" });
    const gate = await Gate.before(stage.platform.apiUrl);
    const server = await stage.anotherServer({ config: { apiUrl: gate.apiUrl } });
    return new FutureStage(stage, gate, server);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.#gate.close();
    await this.stage.stop();
  }

  /** Creates, updates and deletes an object on a platform whose responses only contain more than today. */
  async life(kind: KindName, changesOfIt = Infinity): Promise<void> {
    const { stage } = this;
    const sample = samples[kind];
    let declared = await sample.declare(stage);
    const resource = stage.resource(kind);
    resource.server = this.server;
    this.#gate.reword = rewordingOf("more members, and operations of another kind");
    assert.equal(await resource.up(declared), "create");
    const settled = async (): Promise<void> => {
      await assertUpToDate(stage, resource, declared);
      assertUnpolluted(resource.outputs);
    };
    await settled();
    for (const { input, to } of sample.inPlace(declared, resource.outputs).slice(0, changesOfIt)) {
      declared = changed(declared, input, to);
      assert.equal(await resource.up(declared), "update", input);
      await settled();
    }
    const { outputs } = resource;
    await resource.destroy();
    assert.ok(!(await sample.exists(stage, outputs)), "it is still there");
  }

  /** Reads an object on a future platform: it is found, and nothing is done that cannot be undone. */
  async reading(kind: KindName, future: Future): Promise<void> {
    const { stage } = this;
    const sample = samples[kind];
    const declared = await sample.declare(stage);
    const resource = stage.resource(kind);
    assert.equal(await resource.up(declared), "create");
    const { id } = resource;
    this.#gate.reword = rewordingOf(future);
    resource.server = this.server;
    assert.notEqual(await resource.refresh(), "gone");
    assert.equal(resource.id, id);
    assertUnpolluted(resource.outputs);
    const plan = await resource.preview(declared);
    assert.notEqual(plan.step, "replace", `it would be replaced for ${plan.replaces.join()}`);
    resource.server = stage.server;
    await resource.up(declared);
    assert.equal(resource.id, id);
    const { outputs } = resource;
    assert.ok(await sample.exists(stage, outputs), "it is gone");
    await resource.destroy();
    assert.ok(!(await sample.exists(stage, outputs)), "it is still there");
  }
}

function assertUnpolluted(outputs: Values): void {
  assert.equal(({} as Values)["polluted"], undefined);
  assert.equal((outputs["__neon"] as Values)["version"], 1);
  assert.notEqual(outputs["__provider"], "text");
}
