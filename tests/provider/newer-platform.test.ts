import assert from "node:assert/strict";

import fc from "fast-check";
import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import type { Rewording } from "../support/gate";
import { suiteGated } from "../support/gated";
import { type PublishedObject, reworded } from "../support/openapi";
import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { quickSeed } from "../support/seeded-random";
import { suiteStage } from "../support/stage";
import { anyText, objectOf } from "../support/unusual-values";
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
  /** The server receives the responses of a future platform. */
  const { gate, server } = suiteGated(stage);

  for (const kind of kinds) {
    it(`with additional members works with ${kind}`, async () => {
      const sample = samples[kind];
      const declared = await sample.declare(stage());
      const resource = stage().resourceOf(server(), kind);
      gate().reword = rewordingOf("more members, and operations of another kind");
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
      gate().reword = rewordingOf(future);
      resource.server = server();
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

  describe("that adds a member to every object", () => {
    let replica: EngineResource;
    let args: Values;
    let added: unknown = { a: [1, null] };
    before(async () => {
      const { id: projectId, branchId } = await stage().project();
      gate().reword = (_method, _path, status, body) => (status < 300 ? withMember(body) : body);
      args = { projectId, branchId, type: "read_only", settings: { pgSettings: { work_mem: "8MB" } } };
      replica = stage().resourceOf(server(), "Endpoint");
      await replica.up(args);
    });

    /** Adds the member to every object of a body. Members of the user's own maps are texts. */
    function withMember(body: unknown): unknown {
      if (Array.isArray(body)) return body.map(withMember);
      if (typeof body !== "object" || body === null) return body;
      const members = Object.entries(body).map(
        ([name, member]) => [name, ["annotation", "pg_settings"].includes(name) ? member : withMember(member)] as const,
      );
      return objectOf([...members, ["zz_new", added]]);
    }

    /** The value of the unknown member in the outputs. */
    const carried = (): unknown => (replica.outputs["settings"] as Values)["zzNew"];

    async function assertCarried(value: unknown): Promise<void> {
      added = value;
      await replica.refresh();
      const refreshed = carried();
      await replica.up({ ...args, disabled: replica.outputs["disabled"] !== true });
      assert.deepEqual(carried(), refreshed);
    }

    it("has the value in the outputs as it was sent, with its nulls in lists", async () => {
      await assertCarried({ a: [1, null, "text"], b: { c: [[null]] } });
      assert.deepEqual(carried(), { a: [1, null, "text"], b: { c: [[null]] } });
    });

    it("can add any JSON value at any depth, in reads and in changes", async () => {
      const examples: [unknown][] = [
        [[[null, [null]], { b: [null] }]],
        [null],
        [{ a: null }],
        ["\ud800"],
        [{ "\ud800": 1 }],
        [{ __proto__: 1 }],
        [[]],
        [{}],
      ];
      const property = fc.asyncProperty(anyJson, assertCarried);
      await fc.assert(property, { seed: quickSeed(), numRuns: 40, endOnFailure: true, examples });
    });
  });
});

/** Any JSON value, as a text in a response can hold it. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(true, false, null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

function assertUnpolluted(outputs: Values): void {
  assert.equal(({} as Values)["polluted"], undefined);
  assert.equal((outputs["__neon"] as Values)["version"], 1);
  assert.notEqual(outputs["__provider"], "text");
}
