import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { fetchTransport, type Transport } from "../../api/http/transport";
import { kinds } from "../../provider/kinds";
import { check } from "../../provider/lifecycle/check";
import { create } from "../../provider/lifecycle/create";
import { claimImported, importObject } from "../../provider/lifecycle/import";
import type { ServedKind } from "../../provider/lifecycle/work";
import { titleOf } from "../../provider/ownership/claim";
import type { Values } from "../../provider/values";
import { TestClaimLog } from "../support/claim-logs";
import { endless, ManualClock } from "../support/clock";
import { urnOf } from "../support/door";
import { seededRandom } from "../support/seeded-random";
import { callFor, servicesWith } from "../support/services";
import { suiteStage } from "../support/stage";

/** How often each pair of ways runs in each number of processes, each time in another order. */
const rounds = 5;

/** A way in which a resource gets the object. */
type Way = "id" | "name" | "consent" | "create" | "import";
const ways: readonly Way[] = ["id", "name", "consent", "create", "import"];
const pairs = ways.flatMap((first, index) => ways.slice(index).map((second) => [first, second] as const));

/** A resource that gets an object in its way, as the engine calls its provider. Answers the id of the object. */
async function getObject(way: Way, inputs: Values, id: string, served: ServedKind, urn: string): Promise<string> {
  const call = callFor(urn);
  if (way === "import") {
    const found = await importObject(served, call, { outputs: served.kind.address(id), hidden: {} });
    const checked = await check(served, call, undefined, inputs, true);
    await claimImported(served, call, found, checked.inputs);
    return id;
  }
  const adopt = { id, name: true, consent: undefined, create: false }[way];
  const checked = await check(served, call, undefined, { ...inputs, ...(adopt !== undefined && { adopt }) });
  const [problem] = checked.problems;
  if (problem !== undefined) throw new Error(problem.reason);
  return (await create(served, call, checked.inputs)).id;
}

describe("claims", function () {
  this.timeout(600_000);
  const stage = suiteStage({ isServed: false, operationTime: "0ms" });

  /** The outcome for two resources of one run that want an object at the same time. */
  async function outcomes(pair: readonly [Way, Way], processes: number, seed: number, kind: "Project" | "Role") {
    const { apiKey, apiUrl } = stage().platform;
    const [draw, clock, log, send] = [seededRandom(seed), new ManualClock(), new TestClaimLog(), fetchTransport()];
    const transport: Transport = async (request) => {
      await clock.sleep(Math.floor(draw() * 100), request.signal);
      const answer = await send({ ...request, signal: new AbortController().signal });
      await clock.sleep(Math.floor(draw() * 100), request.signal);
      return answer;
    };
    const client = new NeonClient({ apiKey, apiUrl, clock, attemptTimeout: endless, transport });
    const services = Array.from({ length: processes }, () =>
      servicesWith({ client, adopt: pair.includes("consent"), claims: log.process() }),
    );
    const { inputs, id } = await wantedObject(kind, pair.includes("create"));
    const run = async (way: Way, at: number): Promise<string> => {
      await clock.sleep(Math.floor(draw() * 300));
      const served = { kind: kinds[kind], services: services[at % processes] ?? assert.fail() };
      return getObject(way, inputs, id, served, urnOf(kind, ["one", "two"][at] ?? ""));
    };
    return await clock.run(Promise.allSettled(pair.map(run)));
  }

  /** The declaration of an object and its id. The object is managed by nobody, or does not exist yet. */
  async function wantedObject(kind: "Project" | "Role", isToCreate: boolean) {
    const name = stage().name("app");
    if (kind === "Project") return { inputs: { name }, id: isToCreate ? "" : (await stage().project({ name })).id };
    const { id: projectId, branchId } = await stage().project();
    const path = `/projects/${projectId}/branches/${branchId}/roles`;
    if (!isToCreate) await stage().platform.call("POST", path, { role: { name } });
    await stage().settled(projectId);
    return { inputs: { projectId, branchId, name }, id: `${projectId}/${branchId}/${name}` };
  }

  for (const kind of ["Role", "Project"] as const) {
    for (const pair of pairs) {
      const isToCreate = pair.includes("create");
      // The id of a project is not known before it is created.
      if (kind === "Project" && isToCreate && (pair.includes("id") || pair.includes("import"))) continue;
      it(`give a ${kind} to one of two resources, and name it to the other one: ${pair.join(" and ")}`, async () => {
        for (let round = 0; round < 2 * rounds; round += 1) {
          const results = await outcomes(pair, 1 + (round % 2), round, kind);
          const got = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
          const lost = results.findIndex(({ status }) => status === "rejected");
          const text = `round ${round}: ${results.map((one) => ("reason" in one ? String(one.reason) : "")).join("")}`;
          assert.equal(new Set(got).size, got.length, `${text} ${got.join(" ")}`);
          // Any number of projects can have a name.
          if (kind === "Project" && isToCreate && lost === -1) continue;
          assert.equal(got.length, 1, text);
          const other = titleOf(urnOf(kind, ["two", "one"][lost] ?? ""));
          const wasAbsent = isToCreate && pair[lost] !== "create" && /There is no|not found|does not exist/.test(text);
          assert.ok(text.includes(other) || wasAbsent, text);
        }
      });
    }
  }

  it("to a name count until the object is known, so that a key of this run is no stranger's", async () => {
    const { apiKey, apiUrl } = stage().platform;
    const inputs = { name: stage().name("ci") };
    for (const expected of [0, 2]) {
      await stage().platform.call("POST", "/api_keys", { key_name: inputs.name });
      const warnings: string[] = [];
      const client = new NeonClient({ apiKey, apiUrl });
      const services = servicesWith({ client, warn: (text) => void warnings.push(text) });
      await check({ kind: kinds.ApiKey, services }, callFor(urnOf("ApiKey", "one")), inputs, inputs);
      await check({ kind: kinds.ApiKey, services }, callFor(urnOf("ApiKey", "two")), undefined, inputs);
      assert.equal(warnings.length, expected);
    }
  });
});
