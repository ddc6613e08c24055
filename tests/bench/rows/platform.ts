import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TestPlatform } from "../../support/platform";
import { spawnPlatform, withPlatformProcess } from "../../support/platform-process";
import { inLanes, numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { median } from "../statistics";

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
  compares: `The time until a platform with 5,000 stored projects is ready, and the time to list 10,000 branches of one project.`,
  measuresTime: true,
  measure: async (run) => {
    const projects = run.size(5_000, 20);
    const started = await startWithProjects(run, projects);
    const branches = run.size(10_000, 20);
    const list = await listBranches(run, branches);
    return {
      figures: [
        { title: `local platform: start with ${projects} projects`, value: started.full, unit: "ms" },
        { title: `local platform: list of ${branches} branches`, value: list.ms, unit: "ms" },
      ],
      remark: `Without projects the platform starts in ${started.empty.toFixed(0)} ms. The list of ${branches} branches takes ${list.requests} requests.`,
    };
  },
};
