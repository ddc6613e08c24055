import assert from "node:assert/strict";

import fc from "fast-check";
import { after, before, describe, it } from "mocha";

import type { EngineResource } from "../support/engine";
import { Gate } from "../support/gate";
import type { ProviderServer, Values } from "../support/provider-server";
import { quickSeed } from "../support/seeded-random";
import { suiteStage } from "../support/stage";
import { anyText, objectOf } from "../support/unusual-values";

const stage = suiteStage({ isServed: false });

/** Any JSON value, as a text in a response can hold it. */
const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(anyText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(true, false, null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

/** The value of the issue, and others with a null, at each depth. */
const examples: readonly unknown[] = [
  { a: [1, null] },
  [null],
  [[null, [null]], { b: [null] }],
  null,
  { a: null },
  "\ud800",
  { "\ud800": 1 },
  { __proto__: 1 },
  [],
  {},
];

function isUsersOwn(name: string): boolean {
  return ["annotation", "pg_settings"].includes(name);
}

/** The value of the unknown member in the outputs. */
function carriedBy({ outputs }: EngineResource): unknown {
  return (outputs["settings"] as Values)["zzNew"];
}

describe("an unknown member of a response", () => {
  let gate: Gate;
  let server: ProviderServer;
  let replica: EngineResource;
  let args: Values;
  let added: unknown;

  before(async () => {
    gate = await Gate.before(stage().platform.apiUrl);
    server = await stage().anotherServer({ config: { apiUrl: gate.apiUrl } });
    const { id: projectId, branchId } = await stage().project();
    gate.reword = (_method, _path, status, body) => (status < 300 ? withMember(body) : body);
    args = { projectId, branchId, type: "read_only", settings: { pgSettings: { work_mem: "8MB" } } };
    added = { a: [1, null] };
    replica = stage().resourceOf(server, "Endpoint");
    await replica.up(args);
  });
  after(async () => {
    await server.stop();
    await gate.close();
  });

  /** Adds the member to every object of a body. Members of the user's own maps are texts. */
  function withMember(body: unknown): unknown {
    if (Array.isArray(body)) return body.map(withMember);
    if (typeof body !== "object" || body === null) return body;
    const members = Object.entries(body).map(
      ([name, member]) => [name, isUsersOwn(name) ? member : withMember(member)] as const,
    );
    return objectOf([...members, ["zz_new", added]]);
  }

  async function assertCarried(value: unknown): Promise<void> {
    added = value;
    await replica.refresh();
    const carried = carriedBy(replica);
    await replica.up({ ...args, disabled: replica.outputs["disabled"] !== true });
    assert.deepEqual(carriedBy(replica), carried);
  }

  for (const value of examples) {
    it(`can be ${JSON.stringify(value)}, in reads and in changes`, () => assertCarried(value));
  }

  it("is in the outputs as it was sent, with its nulls in lists", async () => {
    await assertCarried({ a: [1, null, "text"], b: { c: [[null]] } });
    assert.deepEqual(carriedBy(replica), { a: [1, null, "text"], b: { c: [[null]] } });
  });

  it("can be any JSON value at any depth, in reads and in changes", async () => {
    const property = fc.asyncProperty(anyJson, assertCarried);
    await fc.assert(property, { seed: quickSeed(), numRuns: 40, endOnFailure: true });
  });
});
