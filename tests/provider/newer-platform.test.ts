import assert from "node:assert/strict";

import { after, before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { Gate, type Rewording } from "../support/gate";
import { type PublishedObject, reworded } from "../support/openapi";
import type { ProviderServer, Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";
import { objectOf } from "../support/unusual-values";
import { assertUpToDate } from "../support/up-to-date";

/** How the responses of a future platform may differ. */
const futures = {
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

function rewordingOf(future: keyof typeof futures): Rewording {
  return (method, path, status, body) => (status < 300 ? reworded(method, path, status, body, futures[future]) : body);
}

/** Kinds with and without operations, an annotation and a secret. */
const kinds = ["Project", "Branch", "Role", "ProjectApiKey", "JwksUrl"] satisfies KindName[];

describe("a newer platform", () => {
  const stage = suiteStage({ operationTime: "5ms" });
  let gate: Gate;
  /** Receives the responses of a future platform. */
  let server: ProviderServer;
  before(async () => {
    gate = await Gate.before(stage().platform.apiUrl);
    server = await stage().anotherServer({ config: { apiUrl: gate.apiUrl } });
  });
  after(async () => {
    await server.stop();
    await gate.close();
  });

  for (const kind of kinds) {
    it(`with additional members works with ${kind}`, async () => {
      const sample = samples[kind];
      const declared = await sample.declare(stage());
      const resource = stage().resourceOf(server, kind);
      gate.reword = rewordingOf("more members, and operations of another kind");
      assert.equal(await resource.up(declared), "create");
      await assertUpToDate(stage(), resource, declared);
      assertUnpolluted(resource.outputs);
      const { outputs } = resource;
      await resource.destroy();
      assert.ok(!(await sample.exists(stage(), outputs)), "it is still there");
    });
  }

  const [, ...ofWhatIs] = Object.keys(futures) as (keyof typeof futures)[];
  for (const [index, kind] of kinds.entries()) {
    const future = ofWhatIs[index % ofWhatIs.length] ?? assert.fail();
    it(`that says ${future} is read by ${kind}, and nothing is replaced`, async () => {
      const sample = samples[kind];
      const declared = await sample.declare(stage());
      const resource = stage().resource(kind);
      assert.equal(await resource.up(declared), "create");
      const { id } = resource;
      gate.reword = rewordingOf(future);
      resource.server = server;
      assert.notEqual(await resource.refresh(), "gone");
      assertUnpolluted(resource.outputs);
      const plan = await resource.preview(declared);
      assert.notEqual(plan.step, "replace", `it would be replaced for ${plan.replaces.join()}`);
      resource.server = stage().server;
      await resource.up(declared);
      assert.equal(resource.id, id);
      await resource.destroy();
    });
  }
});

function assertUnpolluted(outputs: Values): void {
  assert.equal(({} as Values)["polluted"], undefined);
  assert.equal((outputs["__neon"] as Values)["version"], 1);
  assert.notEqual(outputs["__provider"], "text");
}
