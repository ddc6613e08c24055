import assert from "node:assert/strict";
import { Agent } from "node:http";

import { memoryOf } from "../../support/memory";
import type { TestPlatform } from "../../support/platform";
import { ask, type Reply } from "../ask";
import { pick, seededRandom } from "../seeded-random";

/** Clients of one platform that work at the same time. */
export interface Order {
  readonly seed: number;
  readonly platform: TestPlatform;
  /** Process id of the platform. */
  readonly pid: number;
  readonly clients: number;
  readonly milliseconds: number;
}

export interface Outcome {
  readonly requests: number;
  readonly changes: number;
  /** Changes that were refused because another change was under way in their project. */
  readonly locked: number;
  /** The responses to the client with the fewest. */
  readonly fewest: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Mebibytes of the platform's process before and after. */
  readonly memory: readonly [number, number];
  readonly failures: readonly string[];
}

/** A request, and whether the response is right. */
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly isRight: (reply: PartialReply) => boolean;
}
type PartialReply = Omit<Reply, "body"> & { readonly body: Partial<Reply["body"]> };

const projects = 40;
/** Many clients read and change objects at the same time. Half of them open a connection for every request. */
export async function crowd({ seed, platform, pid, clients: count, milliseconds }: Order): Promise<Outcome> {
  const made = await Promise.all(Array.from({ length: projects }, () => platform.project()));
  const homes = made.map(({ project, branch }) => ({ projectId: project.id, branchId: branch.id }));
  const latencies: number[] = [];
  const failures: string[] = [];
  const tallies = { changes: 0, locked: 0 };
  const before = memoryOf(pid);
  const end = performance.now() + milliseconds;
  const answered = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const draw = seededRandom(seed + index);
      const agent = index % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
      const home = homes[index % homes.length];
      let answers = 0;
      // Every client sends one request, however short the time is.
      for (; home !== undefined && (answers === 0 || performance.now() < end); answers += 1) {
        const question = someQuestion(home, draw, `${index}-${answers}`);
        const requestId = `${seed}-${index}-${answers}`;
        const began = performance.now();
        const problem = await ask(platform, { ...question, agent, headers: { "x-request-id": requestId } }).then(
          (reply) => {
            if (question.method !== "GET") tallies[reply.status === 423 ? "locked" : "changes"] += 1;
            const isOwn = reply.requestId === requestId;
            return isOwn && question.isRight(reply)
              ? undefined
              : `answers ${reply.status}${isOwn ? "" : ", to another one"}`;
          },
          (error: unknown) => String(error),
        );
        latencies.push(performance.now() - began);
        if (problem !== undefined) failures.push(`${question.method} ${question.path} ${problem} (seed ${seed})`);
      }
      agent?.destroy();
      return answers;
    }),
  );
  latencies.sort((one, other) => one - other);
  return {
    requests: latencies.length,
    ...tallies,
    fewest: Math.min(...answered),
    medianMs: latencies[latencies.length >> 1] ?? 0,
    worstMs: latencies.at(-1) ?? 0,
    memory: [before, memoryOf(pid)],
    failures,
  };
}

interface Home {
  readonly projectId: string;
  readonly branchId: string;
}

function someQuestion({ projectId, branchId }: Home, draw: () => number, name: string): Question {
  const project = `/projects/${projectId}`;
  const branch = `${project}/branches/${branchId}`;
  /** Another change may be under way in the project. */
  const made = (status: number) => (reply: PartialReply) => reply.status === status || reply.status === 423;
  const questions: readonly (() => Question)[] = [
    () => ({ method: "GET", path: project, isRight: ({ body }) => body.project?.id === projectId }),
    () => ({ method: "GET", path: branch, isRight: ({ body }) => body.branch?.id === branchId }),
    () => ({
      method: "GET",
      path: "/projects?limit=100",
      isRight: ({ body }) => body.projects?.some(({ id }) => id === projectId) ?? false,
    }),
    () => ({
      method: "GET",
      path: `${project}/operations?limit=20`,
      isRight: ({ body }) => body.operations?.every((operation) => operation.project_id === projectId) ?? false,
    }),
    () => ({ method: "GET", path: `${branch}/roles`, isRight: ({ body }) => (body.roles?.length ?? 0) > 0 }),
    () => ({ method: "GET", path: "/projects/none", isRight: ({ status }) => status === 404 }),
    () => ({ method: "POST", path: `${project}/branches`, body: { branch: { name } }, isRight: made(201) }),
    () => ({
      method: "PATCH",
      path: project,
      body: { project: { name } },
      isRight: (reply) => reply.status === 423 || reply.body.project?.name === name,
    }),
  ];
  return (pick(questions, draw) ?? assert.fail("no questions"))();
}
