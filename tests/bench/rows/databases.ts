import { rmSync } from "node:fs";
import { join } from "node:path";

import { Client } from "pg";

import { isEnded } from "../../../api/operations/status";
import { diskUsage } from "../../../platform/postgres/folder";
import { memoryOf } from "../../../platform/postgres/memory";
import { type AnswerBody, TestPlatform } from "../../support/platform";
import { spawnPlatform } from "../../support/platform-process";
import { testPostgres, makeFastFolder, postmasterPid, socketFolderOf } from "../../support/postgres-files";
import { inLanes, numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { mean, median } from "../statistics";

const mebibyte = 2 ** 20;
/** Rows of about 1 kB that do not compress: 200 MB of them. */
const rowsOf200Mb = 200_000;

/** A project whose database is real. */
interface Database {
  readonly projectId: string;
  readonly branchId: string;
  readonly endpointId: string;
  readonly uri: string;
}

/** A platform with Postgres in a process of its own. */
class Databases {
  readonly #platform: TestPlatform;
  readonly #folder: string;

  private constructor(platform: TestPlatform, folder: string) {
    this.#platform = platform;
    this.#folder = folder;
  }

  static async start(): Promise<Databases> {
    const folder = makeFastFolder("neon-pulumi-bench-");
    const args = ["--operation-time", "0", "--data", join(folder, "data"), "--postgres", testPostgres()];
    const { platform } = await spawnPlatform(args);
    return new Databases(new TestPlatform(platform), folder);
  }

  async close(): Promise<void> {
    await this.#platform.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async create(name: string): Promise<Database> {
    const { project, branch, endpoints, connection_uris: uris } = await this.#platform.project({ name });
    const [endpoint, uri] = [endpoints[0]?.id ?? "", uris[0]?.connection_uri ?? ""];
    return { projectId: project.id, branchId: branch.id, endpointId: endpoint, uri };
  }

  branchFolder(branchId: string): string {
    return join(this.#folder, "data", "postgres", "branches", branchId);
  }

  dataFolder(branchId: string): string {
    return join(this.branchFolder(branchId), "data");
  }

  /** Sends a change, waits for its operations, and returns the body of the answer. */
  async #change(method: string, path: string, projectId: string, body?: object): Promise<AnswerBody> {
    const { status, body: answer } = await this.#platform.call(method, path, body, { unchecked: true });
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
    await this.#ended(projectId);
    return answer;
  }

  /** Polls often, because the time until the end is measured. */
  async #ended(projectId: string): Promise<void> {
    for (;;) {
      const { body } = await this.#platform.call("GET", `/projects/${projectId}/operations`, undefined, {
        unchecked: true,
      });
      if (body.operations.every(({ status }) => isEnded(status))) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Milliseconds until the operations of a new branch have ended; it is deleted again. With a compute, it runs then. */
  async branchTime({ projectId }: Database, name: string, { hasCompute = false } = {}): Promise<number> {
    const path = `/projects/${projectId}/branches`;
    const endpoints = hasCompute ? { endpoints: [{ type: "read_write" }] } : {};
    const began = performance.now();
    const { branch } = await this.#change("POST", path, projectId, { branch: { name }, ...endpoints });
    const taken = performance.now() - began;
    await this.#change("DELETE", `${path}/${branch.id}`, projectId);
    return taken;
  }

  async suspend({ projectId, endpointId }: Database): Promise<void> {
    await this.#change("POST", `/projects/${projectId}/endpoints/${endpointId}/suspend`, projectId);
  }
}

/** Connects and asks for one row: milliseconds. */
async function firstRow(uri: string): Promise<number> {
  const began = performance.now();
  await within(uri, (client) => client.query("SELECT 1"));
  return performance.now() - began;
}

async function within<Result>(
  target: string | { readonly host: string; readonly user: string; readonly database: string },
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(target);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Milliseconds that a query takes in an open session: the mean of many. */
async function roundTrip(client: Client, count: number): Promise<number> {
  await client.query("SELECT 1");
  const began = performance.now();
  for (let done = 0; done < count; done += 1) await client.query("SELECT 1");
  return (performance.now() - began) / count;
}

/** The same query through the proxy, and at the socket of Postgres. */
async function roundTrips(
  run: Run,
  databases: Databases,
  { uri, branchId }: Database,
): Promise<{ readonly proxied: number; readonly direct: number }> {
  const socket = { host: socketFolderOf(databases.dataFolder(branchId)), user: "cloud_admin", database: "neondb" };
  const pairs: { proxied: number; direct: number }[] = [];
  for (let round = 0; round < run.size(5, 1); round += 1) {
    const count = run.size(1_000, 10);
    pairs.push({
      proxied: await within(uri, (client) => roundTrip(client, count)),
      direct: await within(socket, (client) => roundTrip(client, count)),
    });
  }
  return {
    proxied: median(pairs.map(({ proxied }) => proxied)),
    direct: median(pairs.map(({ direct }) => direct)),
  };
}

/** Samples, one after the other. */
async function samples(count: number, take: (index: number) => Promise<number>): Promise<number[]> {
  return await inLanes(1, numbersBelow(count), take);
}

export const localDatabases: Row = {
  name: "databases",
  title: "The databases of the local platform",
  compares: `A local platform with Postgres and an operation time of 0, in a process of its own. A branch of a running parent
is timed from the request until its operations have ended: of an empty database, of one of 200 MB, and of an empty one with a
compute, which runs then (medians of 20, 5 and 20).
A suspended compute is timed from the connection of a client until the first row (median of 20). Memory is the proportional
share of all processes of an idle compute, the mean of 20 that run at once. Disk is what the folder of a new project's branch
takes. A round trip is \`SELECT 1\` in an open session over the printed URI, divided by the same at the Unix socket of Postgres
(medians of five rounds with 1,000 queries each).`,
  measuresTime: true,
  measure: async (run) => {
    const databases = await Databases.start();
    try {
      const empty = await databases.create("empty");
      const emptyBranch = median(await samples(run.size(20, 2), (index) => databases.branchTime(empty, `b${index}`)));
      const computeBranch = median(
        await samples(run.size(20, 2), (index) => databases.branchTime(empty, `c${index}`, { hasCompute: true })),
      );
      const disk = (await diskUsage(databases.branchFolder(empty.branchId))) ?? NaN;
      const wake = median(
        await samples(run.size(20, 2), async () => {
          await databases.suspend(empty);
          return await firstRow(empty.uri);
        }),
      );
      const trips = await roundTrips(run, databases, empty);

      run.say("200 MB");
      const full = await databases.create("full");
      const rows = run.size(rowsOf200Mb, 100);
      const bytes = await within(full.uri, async (client) => {
        await client.query(
          `CREATE TABLE filled AS SELECT n, (SELECT string_agg(md5(random()::text || n || m), '') FROM generate_series(1, 30) m) AS text
           FROM generate_series(1, ${rows}) n`,
        );
        const { rows: sizes } = await client.query<{ size: string }>("SELECT pg_database_size('neondb') AS size");
        return Number(sizes[0]?.size);
      });
      const fullBranch = median(await samples(run.size(5, 1), (index) => databases.branchTime(full, `b${index}`)));

      const count = run.size(20, 2);
      run.say(`${count} computes`);
      const many = await inLanes(4, numbersBelow(count), (index) => databases.create(`idle-${index}`));
      await Promise.all(many.map(({ uri }) => firstRow(uri)));
      const memory = many.map(({ branchId }) => memoryOf(postmasterPid(databases.dataFolder(branchId))) ?? NaN);
      return {
        figures: [
          { title: "branch of an empty database", value: emptyBranch, unit: "ms", atMost: 200 },
          { title: "branch of an empty database, and its compute", value: computeBranch, unit: "ms" },
          { title: "branch of a database of 200 MB", value: fullBranch, unit: "ms" },
          { title: "wake of a suspended compute to the first row", value: wake, unit: "ms" },
          { title: `memory of an idle compute of ${count}`, value: mean(memory) / mebibyte, unit: "MB", atMost: 15 },
          { title: "disk of an empty branch", value: disk / mebibyte, unit: "MB" },
          { title: "round trip through the proxy ÷ at the socket", value: trips.proxied / trips.direct, unit: "×" },
        ],
        comparison: {
          heads: ["round trip of `SELECT 1`", "µs"],
          lines: [
            ["through the proxy", (trips.proxied * 1000).toFixed(0)],
            ["at the socket of Postgres", (trips.direct * 1000).toFixed(0)],
          ],
        },
        remark: `The larger database had ${(bytes / mebibyte).toFixed(0)} MB. All ${count} computes answered a query while the others ran.`,
      };
    } finally {
      await databases.close();
    }
  },
};
