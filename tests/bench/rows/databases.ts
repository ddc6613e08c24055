import { rmSync } from "node:fs";
import { join } from "node:path";

import { Client } from "pg";

import { isEnded } from "../../../api/operations/status";
import { memoryOf } from "../../../platform/postgres/memory";
import { TestPlatform } from "../../support/platform";
import { spawnPlatform } from "../../support/platform-process";
import { makeFastFolder, postmasterPid, socketFolderOf, testPostgres } from "../../support/postgres-files";
import { timeOf } from "../cli";
import { inLanes, numbersBelow } from "../lanes";
import type { Row } from "../row";
import { mean, median } from "../statistics";

/** Sends a change, and polls its operations often, because the time until their end is measured. */
async function change(platform: TestPlatform, method: string, projectId: string, path: string, body?: object) {
  const project = `/projects/${projectId}`;
  const { status, body: answer } = await platform.call(method, `${project}${path}`, body, { unchecked: true });
  if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  for (;;) {
    const { operations } = (await platform.call("GET", `${project}/operations`, undefined, { unchecked: true })).body;
    if (operations.every((operation) => isEnded(operation.status))) return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Milliseconds of a query in an open session: the mean of many. */
async function roundTrip(target: string | { host: string; user: string; database: string }, count: number) {
  const client = new Client(target);
  await client.connect();
  try {
    await client.query("SELECT 1");
    const all = await timeOf(async () => {
      for (let done = 0; done < count; done += 1) await client.query("SELECT 1");
    });
    return all / count;
  } finally {
    await client.end();
  }
}

export const localDatabases: Row = {
  name: "databases",
  measure: async (run) => {
    const folder = makeFastFolder("neon-pulumi-bench-");
    const args = ["--operation-time", "0", "--data", join(folder, "data"), "--postgres", testPostgres()];
    const platform = new TestPlatform((await spawnPlatform(args)).platform);
    const dataFolder = (branchId: string): string => join(folder, "data", "postgres", "branches", branchId, "data");
    const created = async (name: string) => {
      const { project, branch, connection_uris: uris } = await platform.project({ name });
      return { projectId: project.id, branchId: branch.id, uri: uris[0]?.connection_uri ?? "" };
    };
    try {
      const { projectId, branchId, uri } = await created("empty");
      const branchTimes: number[] = [];
      while (branchTimes.length < run.size(20, 2)) {
        let path = "";
        const create = async (): Promise<void> => {
          const { branch } = await change(platform, "POST", projectId, "/branches", { branch: { name: "timed" } });
          path = `/branches/${branch.id}`;
        };
        branchTimes.push(await timeOf(create));
        await change(platform, "DELETE", projectId, path);
      }
      const socket = { host: socketFolderOf(dataFolder(branchId)), user: "cloud_admin", database: "neondb" };
      const trips: { proxied: number; direct: number }[] = [];
      while (trips.length < run.size(5, 1)) {
        const count = run.size(1_000, 10);
        trips.push({ proxied: await roundTrip(uri, count), direct: await roundTrip(socket, count) });
      }
      const count = run.size(20, 2);
      run.say(`${count} computes`);
      const many = await inLanes(4, numbersBelow(count), (index) => created(`idle-${index}`));
      await Promise.all(many.map((one) => roundTrip(one.uri, 1)));
      const memory = many.map((one) => memoryOf(postmasterPid(dataFolder(one.branchId))) ?? NaN);
      const proxied = median(trips.map((trip) => trip.proxied));
      const direct = median(trips.map((trip) => trip.direct));
      return {
        figures: [
          { title: "branch of an empty database", value: median(branchTimes), unit: "ms", atMost: 200 },
          { title: `memory of an idle compute of ${count}`, value: mean(memory) / 2 ** 20, unit: "MB", atMost: 15 },
          { title: "round trip through the proxy ÷ at the socket", value: proxied / direct, unit: "×" },
        ],
      };
    } finally {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
