import { until } from "../../support/until";
import { pick } from "../../support/seeded-random";
import type { World, WorldBranch } from "./world";
import { compare, connect, copyOf, nothingWritten, type Written, Writer } from "./writer";

const points = ["now", "lsn", "time"] as const;
const victims = ["nothing", "platform", "postmaster", "backend"] as const;

/** How many branches a world has at most; then the youngest one goes. */
const mostBranches = 5;
const longestPauseMs = 300;

/**
 * Creates a branch of a branch that is written to, at the present or at a moment before, and kills something meanwhile. Then
 * parent and child are compared with what the writers were told, and the child is written to.
 */
export async function carryOutRound(world: World, draw: () => number) {
  const parent = pick(world.branches as [WorldBranch, ...WorldBranch[]], draw);
  const point = pick(points, draw);
  const victim = pick(victims, draw);
  const pauseMs = draw() * longestPauseMs;
  const problems: string[] = [];
  const running = await writing(parent, 10);

  const least = copyOf(parent.written);
  const { input, most } = await momentOf(point, parent);
  const child = await world.branch({ parent_id: parent.id, ...input });
  await pause(pauseMs);
  if (victim === "platform") await world.killPlatform();
  if (victim === "postmaster") world.killPostmaster(parent);
  if (victim === "backend") kill(pick(running, draw)?.pid);
  problems.push(...(await world.settled()));
  const latest = most ?? copyOf(parent.written);
  await stopped(running);

  const inParent = await compare(parent.uri, parent.written, parent.written);
  const inChild = await compare(child.uri, least, latest);
  problems.push(...inParent.problems.map((text) => `parent: ${text}`));
  problems.push(...inChild.problems.map((text) => `child (${point}): ${text}`));
  parent.written = writtenOf(inParent.counts);
  child.written = writtenOf(inChild.counts);
  world.branches.push(child);

  await stopped(await writing(child, 5));
  problems.push(...(await compare(child.uri, child.written, child.written)).problems.map((text) => `child: ${text}`));
  const untouched = await compare(parent.uri, parent.written, parent.written);
  problems.push(...untouched.problems.map((text) => `parent, after its child was written to: ${text}`));
  for (const one of [parent, child]) problems.push(...(await world.damage(one)));
  if (world.branches.length > mostBranches) await world.remove(child);
  /** Whether the parent had given up the first part of its history. */
  const isShortened = world.isShortened(parent);
  return { point, victim, isShortened, rows: inChild.counts.reduce((sum, count) => sum + count, 0), problems };
}

/** The point of a branch, and what the writers had sent when it had passed; undefined if it is when the branch is created. */
async function momentOf(
  point: (typeof points)[number],
  parent: WorldBranch,
): Promise<{ readonly input: object; readonly most?: readonly Written[] }> {
  if (point === "now") return { input: {} };
  // The API tells times to the millisecond.
  await pause(5);
  const client = await connect(parent.uri);
  try {
    const { rows } = await client.query<{ lsn: string; time: string }>(
      `SELECT pg_current_wal_flush_lsn()::text AS lsn,
         to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time`,
    );
    const { lsn, time } = rows[0] ?? {};
    const most = copyOf(parent.written);
    // A moment in the future is refused.
    await pause(50);
    return { input: point === "lsn" ? { parent_lsn: lsn } : { parent_timestamp: time }, most };
  } finally {
    await client.end();
  }
}

/** Starts the writers of a branch, and waits until each of them has written so many numbers. */
async function writing({ uri, written }: WorldBranch, count: number): Promise<readonly Writer[]> {
  const before = copyOf(written);
  const running = written.map((own, number) => new Writer(uri, number, own));
  await until(() => written.every(({ acknowledged }, n) => acknowledged >= (before[n]?.acknowledged ?? 0) + count));
  return running;
}

async function stopped(writers: readonly Writer[]): Promise<void> {
  await Promise.all(writers.map((writer) => writer.stop()));
}

function writtenOf(counts: readonly number[]): Written[] {
  return nothingWritten().map((_, number) => ({ sent: counts[number] ?? 0, acknowledged: counts[number] ?? 0 }));
}

function kill(pid: number | undefined): void {
  if (pid !== undefined && pid > 0) process.kill(pid, "SIGKILL");
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
