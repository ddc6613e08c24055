import assert from "node:assert/strict";

import type { Answer } from "../../support/platform";
import type { PlatformProcess } from "../../support/platform-process";
import { pick, seededRandom } from "../../support/seeded-random";

/** Clients of one platform that work at the same time. */
export interface Order extends PlatformProcess {
  readonly seed: number;
  readonly clients: number;
  readonly milliseconds: number;
}

/** A request, and whether the response is right. */
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly isRight: (reply: Reply) => boolean;
}
type Reply = Pick<Answer, "status"> & { readonly body: Partial<Answer["body"]> };

const projects = 40;

/** Many clients read and change objects at the same time. Half of them open a connection for every request. */
export async function crowd({ seed, platform, memory, clients: count, milliseconds }: Order) {
  const made = await Promise.all(Array.from({ length: projects }, () => platform.project()));
  const homes = made.map(({ project, branch }) => ({ projectId: project.id, branchId: branch.id }));
  const latencies: number[] = [];
  const failures: string[] = [];
  const tallies = { changes: 0, locked: 0 };
  const before = memory();
  const end = performance.now() + milliseconds;
  const answered = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const draw = seededRandom(seed + index);
      const connection = index % 2 === 0 ? "keep-alive" : "close";
      const home = homes[index % homes.length];
      let answers = 0;
      // Every client sends one request, however short the time is.
      for (; home !== undefined && (answers === 0 || performance.now() < end); answers += 1) {
        const { method, path, body, isRight } = someQuestion(home, draw, `${index}-${answers}`);
        const requestId = `${seed}-${index}-${answers}`;
        const options = { headers: { connection, "x-request-id": requestId }, unchecked: true };
        const began = performance.now();
        const problem = await platform.call(method, path, body, options).then(
          (reply) => {
            if (method !== "GET") tallies[reply.status === 423 ? "locked" : "changes"] += 1;
            const isOwn = reply.headers.get("x-request-id") === requestId;
            return isOwn && isRight(reply) ? undefined : `answers ${reply.status}${isOwn ? "" : ", to another one"}`;
          },
          (error: unknown) => String(error),
        );
        latencies.push(performance.now() - began);
        if (problem !== undefined) failures.push(`${method} ${path} ${problem} (seed ${seed})`);
      }
      return answers;
    }),
  );
  latencies.sort((one, other) => one - other);
  return {
    requests: latencies.length,
    /** Those that changed something, and those that were refused because another change was under way in their project. */
    ...tallies,
    /** The responses to the client with the fewest. */
    fewest: Math.min(...answered),
    medianMs: latencies[latencies.length >> 1] ?? 0,
    worstMs: latencies.at(-1) ?? 0,
    /** Mebibytes of the platform's process before and after. */
    memory: [before, memory()] as const,
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
  const made = (status: number) => (reply: Reply) => reply.status === status || reply.status === 423;
  const questions: readonly Question[] = [
    { method: "GET", path: project, isRight: ({ body }) => body.project?.id === projectId },
    { method: "GET", path: branch, isRight: ({ body }) => body.branch?.id === branchId },
    {
      method: "GET",
      path: "/projects?limit=100",
      isRight: ({ body }) => body.projects?.some(({ id }) => id === projectId) ?? false,
    },
    {
      method: "GET",
      path: `${project}/operations?limit=20`,
      isRight: ({ body }) => body.operations?.every((operation) => operation.project_id === projectId) ?? false,
    },
    { method: "GET", path: `${branch}/roles`, isRight: ({ body }) => (body.roles?.length ?? 0) > 0 },
    { method: "GET", path: "/projects/none", isRight: ({ status }) => status === 404 },
    { method: "POST", path: `${project}/branches`, body: { branch: { name } }, isRight: made(201) },
    {
      method: "PATCH",
      path: project,
      body: { project: { name } },
      isRight: (reply) => reply.status === 423 || reply.body.project?.name === name,
    },
  ];
  return pick(questions, draw) ?? assert.fail("no questions");
}
