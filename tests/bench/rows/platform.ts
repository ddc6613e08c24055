import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TestPlatform } from "../../support/platform";
import { spawnPlatform, withPlatformProcess } from "../../support/platform-process";
import { inLanes, numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { median, percentile } from "../statistics";

const clients = 100;

interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** So many clients that ask for these paths in turn for so long, each with a connection of its own that stays open. */
async function load(base: string, paths: readonly string[], apiKey: string, milliseconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const latencies: number[] = [];
  const headers = { authorization: `Bearer ${apiKey}` };
  const ask = (path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      get(`${base}${path}`, { agent, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`GET ${path}: ${String(answer.statusCode)}`));
        answer.resume().once("end", resolve).once("error", reject);
      }).once("error", reject);
    });
  const began = performance.now();
  await Promise.all(
    numbersBelow(clients).map(async (index) => {
      for (let count = index; performance.now() - began < milliseconds; count += 1) {
        const sent = performance.now();
        await ask(paths[count % paths.length] ?? "");
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return { perSecond: latencies.length / seconds, p99: percentile(latencies, 0.99) };
}

async function withBareServer<Result>(
  texts: Readonly<Record<string, string>>,
  work: (base: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-bench-"));
  const file = join(folder, "texts.json");
  writeFileSync(file, JSON.stringify(texts));
  const child = spawn(process.execPath, [require.resolve("../bare-server"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const base = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data: Buffer) => resolve(String(data).trim()));
      child.once("exit", (code) => reject(new Error(`the bare server ended with exit code ${String(code)}`)));
    });
    return await work(base);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The platform and the bare server with the same routes under the same load. */
function compareLoad(run: Run): Promise<{ readonly own: Load; readonly bare: Load }> {
  return withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
    const { project, branch } = await platform.project({ name: "home" });
    const at = `/projects/${project.id}`;
    const paths = [at, `${at}/branches/${branch.id}`, `${at}/branches`, `${at}/endpoints`, `${at}/operations`];
    const texts: Record<string, string> = {};
    for (const path of paths) texts[path] = JSON.stringify((await platform.call("GET", path)).body);
    const milliseconds = run.size(5_000, 300);
    return await withBareServer(texts, async (base) => {
      const rounds: { own: Load; bare: Load }[] = [];
      for (let round = 0; round < run.size(3, 1); round += 1) {
        rounds.push({
          own: await load(platform.apiUrl, paths, platform.apiKey, milliseconds),
          bare: await load(base, paths, platform.apiKey, milliseconds),
        });
      }
      const of = (which: "own" | "bare"): Load => ({
        perSecond: median(rounds.map((round) => round[which].perSecond)),
        p99: median(rounds.map((round) => round[which].p99)),
      });
      return { own: of("own"), bare: of("bare") };
    });
  });
}

/** Milliseconds until a platform with so many projects is ready. */
async function startWithProjects(run: Run, count: number): Promise<{ readonly full: number; readonly empty: number }> {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-bench-"));
  const args = ["--operation-time", "0", "--data", join(folder, "data")];
  const timedStart = async (flags: readonly string[]): Promise<{ ms: number; platform: TestPlatform }> => {
    const began = performance.now();
    const { platform } = await spawnPlatform(flags);
    return { ms: performance.now() - began, platform: new TestPlatform(platform) };
  };
  try {
    const first = await timedStart(args);
    run.say(`${count} projects`);
    await inLanes(8, numbersBelow(count), async (index) => {
      const { status } = await first.platform.call(
        "POST",
        "/projects",
        { project: { name: `home-${index}` } },
        { unchecked: true },
      );
      if (status !== 201) throw new Error(`POST /projects: ${status}`);
    });
    await first.platform.close();
    const full: number[] = [];
    for (let round = 0; round < run.size(3, 1); round += 1) {
      const { ms, platform } = await timedStart(args);
      full.push(ms);
      await platform.close();
    }
    return { full: median(full), empty: first.ms };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds to list so many branches of one project, page by page. */
function listBranches(run: Run, count: number): Promise<{ readonly ms: number; readonly requests: number }> {
  return withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
    const { project } = await platform.project({ name: "home" });
    const path = `/projects/${project.id}/branches`;
    run.say(`${count} branches`);
    for (let index = 0; index < count;) {
      const { status } = await platform.call("POST", path, { branch: { name: `pr-${index}` } }, { unchecked: true });
      if (status === 201) index += 1;
      else if (status !== 423) throw new Error(`POST ${path}: ${status}`);
    }
    const began = performance.now();
    let [listed, requests] = [0, 0];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await platform.call("GET", `${path}?limit=1000${query}`, undefined, { unchecked: true });
      listed += body.branches.length;
      requests += 1;
      cursor = body.branches.length === 0 ? undefined : body.pagination?.next;
    }
    if (listed < count) throw new Error(`${listed} of ${count} branches were listed`);
    return { ms: performance.now() - began, requests };
  });
}

export const localPlatform: Row = {
  name: "platform",
  title: "The local platform",
  compares: `100 clients read a project, a branch, and the lists of branches, computes and operations in turn, from the local
platform and from a bare hono server that answers the same paths with the same texts; three times 5 seconds each, in
processes of their own, with the clients in a third one. Then the time until a platform with 5,000 stored projects is
ready, and the time to list 10,000 branches of one project.`,
  measuresTime: true,
  measure: async (run) => {
    const { own, bare } = await compareLoad(run);
    const projects = run.size(5_000, 20);
    const started = await startWithProjects(run, projects);
    const branches = run.size(10_000, 20);
    const list = await listBranches(run, branches);
    return {
      figures: [
        {
          title: "bare hono server ÷ local platform: requests a second",
          value: bare.perSecond / own.perSecond,
          unit: "×",
        },
        { title: "local platform: requests a second with 100 clients", value: own.perSecond, unit: "requests/s" },
        { title: "local platform: 99th percentile with 100 clients", value: own.p99, unit: "ms" },
        { title: `local platform: start with ${projects} projects`, value: started.full, unit: "ms" },
        { title: `local platform: list of ${branches} branches`, value: list.ms, unit: "ms" },
      ],
      comparison: {
        heads: ["server", "requests a second", "99th percentile"],
        lines: [
          ["local platform", own.perSecond.toFixed(0), `${own.p99.toFixed(0)} ms`],
          ["bare hono server", bare.perSecond.toFixed(0), `${bare.p99.toFixed(0)} ms`],
        ],
      },
      remark: `Without projects the platform starts in ${started.empty.toFixed(0)} ms. The list of ${branches} branches takes ${list.requests} requests. A provider process sends at most 680 requests a minute (11 a second), below Neon's limit of 700: the local platform answers ${Math.floor(own.perSecond / (700 / 60))} times as many. Without a rate limit, one process creates objects one after the other in each project, so the platform's share of the other rows is the time of its answers, which the floors contain as well.`,
    };
  },
};
