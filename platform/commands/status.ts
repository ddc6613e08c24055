import type { Command } from "commander";

import type { BranchStatus, ProjectStatus } from "../model/status";
import { diskUsage } from "../postgres/folder";
import { memoryOf } from "../postgres/memory";
import { inColumns } from "./columns";
import { findPlatform, type Target, withTarget } from "./running-platform";

const headings = ["Branch", "Id", "Compute", "State", "Host", "Memory", "Disk"];

/** `neon-platform status` */
export function addStatusCommand(program: Command): void {
  withTarget(program.command("status"))
    .description("list the projects, branches and computes of a running platform")
    .action(async (target: Target) => {
      const { consoleUrl, status } = await findPlatform(target);
      const sections = await Promise.all(status.projects.map(sectionOf));
      const what = sections.length === 0 ? "No projects yet." : sections.join("\n\n");
      process.stdout.write(`Platform at ${consoleUrl}, ${status.data ?? "in memory"}\n\n${what}\n`);
    });
}

async function sectionOf({ id, name, pg_version: major, branches }: ProjectStatus): Promise<string> {
  const rows = await Promise.all(branches.map(rowsOf));
  const lines = inColumns([headings, ...rows.flat()]).map((line) => `  ${line}`);
  return [`Project ${name} (${id}), Postgres ${major}`, ...lines].join("\n");
}

/** A row for the branch with its read-write compute, and one for each read replica. */
async function rowsOf(branch: BranchStatus): Promise<string[][]> {
  const primary = branch.computes.find(({ type }) => type === "read_write");
  const replicas = branch.computes.filter((compute) => compute !== primary);
  const name = branch.default ? `${branch.name} (default)` : branch.name;
  return await Promise.all(
    [{ name, id: branch.id, compute: primary, folder: branch.folder }]
      .concat(replicas.map((compute) => ({ name: "", id: "", compute, folder: compute.folder })))
      .map(async (row) => [
        row.name,
        row.id,
        row.compute?.id ?? "none",
        row.compute?.state ?? branch.state,
        row.compute?.host ?? "",
        megabytes(row.compute?.pid == null ? undefined : memoryOf(row.compute.pid)),
        megabytes(row.folder === null ? undefined : await diskUsage(row.folder)),
      ]),
  );
}

/** A size. It is unknown without a Postgres, and to other users of the machine. */
function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "-" : `${(bytes / 1e6).toFixed(1)} MB`;
}
