import assert from "node:assert/strict";

import type { KindName } from "../../../provider/v1";
import type { DynamicServer, Values } from "../../support/dynamic-server";
import { reworded, type PublishedObject } from "../../support/openapi";
import { Proxy, type Rewording } from "../../support/proxy";
import { samples } from "../../support/samples";
import { Stage } from "../../support/stage";
import { objectOf } from "./odd";

/** What a platform may say tomorrow, or does say today beside the document. */
export const futures = {
  /** Members that nobody knows, at every level; actions and states of operations that nobody knows. */
  "more members, and operations of another kind": (value: Values, object: PublishedObject) =>
    Object.keys(object.named).length === 0 ? value : { ...operationOfTomorrow(value), ...unheardOf },
  /** Values that no enumeration has. What a compute is does not change: new kinds of it would be others. */
  "values that no enumeration has": (value: Values, { named }: PublishedObject) =>
    mapMembers(value, (name, member) =>
      typeof member === "string" && named[name]?.enum !== undefined && name !== "type" ? "something-new" : member,
    ),
  /** Everything that need not be there is null. */
  "null for what need not be there": (value: Values, { named }: PublishedObject) => ({
    ...value,
    ...objectOf(optional(named).map((name) => [name, null])),
  }),
  /** Nothing is there that need not be. */
  "nothing that need not be there": (value: Values, { named }: PublishedObject) =>
    objectOf(Object.entries(value).filter(([name]) => !optional(named).includes(name))),
} as const;
export type Future = keyof typeof futures;

/** Members of a platform that is ahead of us. Some are named like what every object has, or like ours. */
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

/** A stage with a platform of today, and with a provider process that meets the same platform as it is tomorrow. */
export class FutureStage {
  readonly stage: Stage;
  readonly server: DynamicServer;
  readonly #proxy: Proxy;

  private constructor(stage: Stage, proxy: Proxy, server: DynamicServer) {
    this.stage = stage;
    this.#proxy = proxy;
    this.server = server;
  }

  static async set(): Promise<FutureStage> {
    const stage = await Stage.set({ operationTime: "5ms" });
    const proxy = await Proxy.before(stage.platform.apiUrl);
    const server = await stage.anotherServer({ config: { apiUrl: proxy.apiUrl } });
    return new FutureStage(stage, proxy, server);
  }

  async strike(): Promise<void> {
    await this.server.stop();
    await this.#proxy.close();
    await this.stage.strike();
  }

  /** Leads a kind through its whole life on a platform that only says more than it does today. */
  async life(kind: KindName, changesOfIt = Infinity): Promise<void> {
    const { stage } = this;
    const sample = samples[kind];
    let declared = await sample.declare(stage);
    const resource = stage.resource(kind);
    resource.server = this.server;
    this.#proxy.reword = rewordingOf("more members, and operations of another kind");
    assert.equal(await resource.up(declared), "create");
    const settled = async (): Promise<void> => {
      assert.equal(await resource.up(declared), "same");
      assert.equal(await resource.refresh(), "same", JSON.stringify(resource.outputs));
      assert.equal(await resource.up(declared), "same");
      assertUnpolluted(resource.outputs);
    };
    await settled();
    for (const { input, to } of sample.inPlace(declared, resource.outputs).slice(0, changesOfIt)) {
      const top = input.split(".", 1)[0] ?? input;
      const { [top]: _, ...others } = declared;
      declared = to === undefined ? others : { ...others, [top]: to };
      assert.equal(await resource.up(declared), "update", input);
      await settled();
    }
    const { outputs } = resource;
    await resource.destroy();
    assert.ok(!(await sample.exists(stage, outputs)), "it is still there");
  }

  /** Has an object of today read tomorrow: it is there, and nothing is done to it that cannot be undone. */
  async reading(kind: KindName, future: Future): Promise<void> {
    const { stage } = this;
    const sample = samples[kind];
    const declared = await sample.declare(stage);
    const resource = stage.resource(kind);
    assert.equal(await resource.up(declared), "create");
    const { id } = resource;
    this.#proxy.reword = rewordingOf(future);
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
