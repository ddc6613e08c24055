import { Agent, request } from "node:http";

import { memoryOf } from "../../support/memory";
import type { AnswerBody, TestPlatform } from "../../support/platform";
import { seededRandom } from "../seeded-random";

/** A crowd of clients of one platform. */
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
  /** Changes that were turned away because others were under way in their project. */
  readonly locked: number;
  /** Of the client that was answered least. */
  readonly fewest: number;
  readonly medianMs: number;
  readonly worstMs: number;
  /** Mebibytes of the platform's process before and after. */
  readonly memory: readonly [number, number];
  readonly failures: readonly string[];
}

interface Reply {
  readonly status: number;
  readonly requestId: string;
  readonly body: Partial<AnswerBody>;
}

/** Something to ask, and what the answer has to be. */
interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly isRight: (reply: Reply) => boolean;
}

const projects = 40;
/** Longer than any machine is busy: whoever says nothing for so long hangs. */
const silenceMs = 120_000;

/** Has many clients read and change things at the same time; half of them open a connection for every request. */
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
      // Everybody asks once, however short the time is.
      for (; home !== undefined && (answers === 0 || performance.now() < end); answers += 1) {
        const question = someQuestion(home, draw, `${index}-${answers}`);
        const requestId = `${seed}-${index}-${answers}`;
        const began = performance.now();
        const problem = await ask(platform, agent, question, requestId).then(
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
  /** Others may be at work in the project, which is said as it should be. */
  const made = (status: number) => (reply: Reply) => reply.status === status || reply.status === 423;
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
  const chosen = questions[Math.floor(draw() * questions.length)];
  if (!chosen) throw new Error("there is nothing to ask");
  return chosen();
}

function ask(
  { apiUrl, apiKey }: TestPlatform,
  agent: Agent | undefined,
  { method, path, body }: Question,
  requestId: string,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${apiKey}`,
      "x-request-id": requestId,
      ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
    };
    const outgoing = request(`${apiUrl}${path}`, { method, headers, agent: agent ?? false, timeout: silenceMs });
    outgoing
      .once("error", reject)
      .once("timeout", () => outgoing.destroy(new Error(`is not answered for ${silenceMs / 1000} s`)));
    outgoing.once("response", (incoming) => {
      let answered = "";
      incoming.setEncoding("utf8").on("data", (more: string) => (answered += more));
      incoming.once("error", reject).once("end", () => {
        const given = String(incoming.headers["x-request-id"]);
        resolve({ status: incoming.statusCode ?? 0, requestId: given, body: JSON.parse(answered) as AnswerBody });
      });
    });
    outgoing.end(text);
  });
}
