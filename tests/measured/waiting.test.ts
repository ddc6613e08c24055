import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

import { afterEach, beforeEach, describe, it } from "mocha";

import { quickSeed } from "../reliability/seeded-random";
import { DynamicServer } from "../support/dynamic-server";
import { startTestPlatform, type TestPlatform } from "../support/platform";

const projects = 10;
const branchesPerProject = 5;

interface Mutation {
  /** From the call to its end, in milliseconds. */
  readonly wall: number;
  /** From the birth of its first operation to the end of its last one. */
  readonly operations: number;
  /** From the birth of its first operation to the last look at them. */
  readonly watched: number;
}

function meanOf(ratios: readonly number[]): number {
  return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/**
 * How much longer than its operations a change takes, and how many requests it costs.
 *
 * The projects run side by side, each with one change at a time, so that no change waits for another.
 */
describe("measured: what waiting costs", function () {
  this.timeout(300_000);
  // The figures are of the clock on the wall: on a machine that is busy with other things they are of those.
  this.retries(2);
  let platform: TestPlatform;
  let server: DynamicServer;
  // The same operation times each time, so that the figures of two versions can be compared; others at each new try.
  let seed = quickSeed() - 1;
  // Anew for each try: a process has a rate limit to share out.
  beforeEach(async () => {
    seed += 1;
    platform = await startTestPlatform({ operationTime: "200ms-5s", seed: String(seed) });
    server = await DynamicServer.start({ config: { "neon:apiUrl": platform.apiUrl, "neon:apiKey": platform.apiKey } });
  });
  afterEach(async () => {
    await server.stop();
    await platform.close();
  });

  async function created(projectId: string, name: string): Promise<Mutation> {
    const { inputs } = await server.check(
      "Branch",
      {},
      { projectId, name, compute: {}, __neon: { urn: `urn::${randomUUID()}` } },
    );
    const began = performance.now();
    const { outputs } = await server.create("Branch", inputs);
    const wall = performance.now() - began;
    const looks = (await platform.requests()).filter(
      ({ method, path }) => method === "GET" && path.includes(`/projects/${projectId}/operations`),
    );
    const { operations } = (await platform.call("GET", `/projects/${projectId}/operations`)).body;
    const own = operations.filter(({ branch_id: branch }) => branch === outputs["branchId"]);
    assert.deepEqual(own.map(({ action }) => action).sort(), ["create_branch", "start_compute"]);
    const births = own.map(({ created_at: time }) => Date.parse(time));
    const ends = own.map(({ updated_at: time }) => Date.parse(time));
    const birth = Math.min(...births);
    const lastLook = Date.parse(looks.at(-1)?.time ?? "");
    return { wall, operations: Math.max(...ends) - birth, watched: lastLook - birth };
  }

  it("a change takes 15 % longer than its operations at most, and 14 requests, on average", async () => {
    const homes = await Promise.all(
      Array.from(
        { length: projects },
        async (_, index) => (await platform.project({ name: `home ${index}` })).project.id,
      ),
    );
    await platform.clearRequests();
    const mutations = (
      await Promise.all(
        homes.map(async (home) => {
          const own: Mutation[] = [];
          for (let index = 0; index < branchesPerProject; index += 1) own.push(await created(home, `pr-${index}`));
          return own;
        }),
      )
    ).flat();
    // The test itself has asked once for each.
    const requests = (await platform.requests()).length / mutations.length - 1;
    const ratios = mutations.map(({ watched, operations }) => watched / operations).sort((one, other) => one - other);
    const mean = meanOf(ratios);
    const p95 = ratios[Math.ceil(ratios.length * 0.95) - 1] ?? Infinity;
    // With what the machine needs to send, to write down and to read back.
    const all = meanOf(mutations.map(({ wall, operations }) => wall / operations));
    console.log(
      `    waiting: ${mutations.length} branches with computes, operations of 0.2 to 5 s (seed ${seed}): ` +
        `mean ${mean.toFixed(3)}, p95 ${p95.toFixed(3)}, worst ${(ratios.at(-1) ?? 0).toFixed(3)} of their own time, ` +
        `${all.toFixed(3)} with everything around it; ${requests.toFixed(1)} requests each`,
    );
    assert.ok(mean <= 1.15, `mean ${mean}`);
    assert.ok(p95 <= 1.3, `p95 ${p95}`);
    assert.ok(all <= 1.2, `mean ${all} with everything around it`);
    assert.ok(requests <= 14, `${requests} requests`);
  });
});
