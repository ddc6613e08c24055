import assert from "node:assert/strict";

import { describe, it } from "mocha";
import { z } from "zod";

import type { Operation, Request } from "../../api/index";
import type { Context } from "../../provider/call/context";
import type { Change } from "../../provider/call/change";
import { ProjectLocks } from "../../provider/call/project-locks";
import { kinds } from "../../provider/kinds";
import { Work } from "../../provider/lifecycle/work";
import { operationSample } from "../api/samples";
import { type ScriptedResponse, scriptedClient, type ScriptedClient, type Sent } from "../api/scripted-client";
import { assertSays } from "../support/expected-errors";
import type { ProviderServer } from "../support/provider-server";
import { callFor, servicesWith } from "../support/services";
import { suiteServer, suiteStage } from "../support/stage";

/** The refusal of the platform itself, which a gateway cannot have sent. */
const locked = {
  status: 423,
  headers: { "x-neon-ret-request-id": "request-1" },
  body: { code: "", message: "project already has running conflicting operations" },
};

describe("concurrent clients", () => {
  const stage = suiteStage({ operationTime: "5ms-50ms" });
  const other = suiteServer(stage);

  /** Creates branches with computes and roles at the same time, two of each in each project. */
  async function createAll(server: ProviderServer, projects: readonly string[]): Promise<void> {
    const create = async (projectId: string): Promise<void> => {
      const branch = stage().resourceOf(server, "Branch");
      await branch.up({ projectId, compute: {} });
      await stage().resourceOf(server, "Role").up({ projectId, branchId: branch.outputs["branchId"] });
    };
    await Promise.all([...projects, ...projects].map(create));
  }

  it("§6.13 of one process create 16 resources in four projects without a 429 or 423", async () => {
    const projects = await Promise.all([1, 2, 3, 4].map(async () => (await stage().project()).id));
    await stage().platform.clearRequests();
    await createAll(stage().server, projects);
    const sent = await stage().sent();
    assert.deepEqual([sent.length, sent.filter(({ status }) => status !== 201)], [16, []]);
  });

  it("of one project lose and duplicate nothing: two processes, and direct requests", async () => {
    const { id } = await stage().project();
    const byHand = async (): Promise<void> => {
      const path = `/projects/${id}/branches`;
      while ((await stage().platform.call("POST", path, { branch: { name: "by-hand" } })).status === 423);
    };
    await Promise.all([createAll(stage().server, [id]), createAll(other(), [id]), byHand()]);
    const names = (await stage().branches(id)).map(({ name }) => name);
    assert.deepEqual([names.length, new Set(names).size], [6, 6]);
  });
});

const project = "late-frost-302709";
/** What the requests of these tests answer. */
const accepted = z.object({ operations: z.custom<Operation[]>() });
const request: Request<z.infer<typeof accepted>> = {
  method: "POST",
  path: `/projects/${project}/endpoints/ep-1/start`,
  schema: accepted,
};
const change: Change<z.infer<typeof accepted>> = {
  what: "start compute",
  project,
  request,
  done: () => Promise.resolve(false),
};

/** When the scripted clients start. */
const start = Date.parse("2030-01-01T00:00:00Z");

describe("the time limit of a change", () => {
  const locks = new ProjectLocks();

  /** A call of a provider whose changes may take so many seconds. */
  function contextOf({ client }: ScriptedClient, seconds: number): Context {
    const services = { ...servicesWith({ client }), locks };
    return new Work({ kind: kinds.Endpoint, services }, callFor("urn", { timeout: seconds * 1_000 }), "change");
  }

  /** A platform on which a change takes this long. */
  function platformOf(operationMs: number, before: (sent: Sent) => ScriptedResponse | undefined = () => undefined) {
    let born = 0;
    const own = (at: number): Operation => {
      const time = new Date(start + born).toISOString();
      return operationSample({ status: at < born + operationMs ? "running" : "finished", created_at: time });
    };
    return scriptedClient((sent) => {
      const first = before(sent);
      if (first !== undefined) return first;
      if (sent.method === "POST") {
        born = sent.at;
        return { body: { operations: [own(sent.at)] } };
      }
      return sent.path.includes("/operations/") ? { body: { operation: own(sent.at) } } : { body: {} };
    });
  }

  for (const [what, requests] of [
    ["before it is sent", 680],
    ["between its first step and the second", 679],
    ["between two looks at its operation", 676],
  ] as const) {
    it(`does not include the queue of the rate limiter, ${what}`, async () => {
      const platform = platformOf(2_000);
      const others = Array.from({ length: requests }, (_, index) =>
        platform.client.attempt({ method: "GET", path: `/route-${index}`, schema: z.unknown() }),
      );
      await platform.clock.run(Promise.all(others));
      const context = contextOf(platform, 10);
      await platform.clock.run(context.change(change));
      await platform.clock.run(context.change(change));
      assert.ok(platform.clock.now() > 60_000);
    });
  }

  for (const [what, busy] of [
    ["other clients lock the project", locked],
    ["its branch is not ready", { ...locked, status: 422, body: { code: "", message: "branch not ready yet" } }],
  ] as const) {
    it(`starts when the platform accepts the change, not while ${what}`, async () => {
      const platform = platformOf(4_000, ({ method, at }) => (method === "POST" && at < 8_000 ? busy : undefined));
      await platform.clock.run(contextOf(platform, 10).change(change));
      assert.ok(platform.clock.now() > 12_000);
    });
  }

  it("is enough for a change between successive changes of another process", async () => {
    // Its operations take 3 s each, and it needs a quarter of a second to see that one has ended and to begin the next.
    const period = 3_250;
    const waits: number[] = [];
    for (let offset = 0; offset < period; offset += 25) {
      const theirs = (at: number): Operation => {
        const number = Math.floor((at + offset) / period);
        const born = number * period - offset;
        return operationSample({
          id: `theirs-${number}`,
          status: at < born + 3_000 ? "running" : "finished",
          created_at: new Date(start + born).toISOString(),
        });
      };
      let acceptedAt: number | undefined;
      const platform = platformOf(1_000, ({ method, path, at }) => {
        const other = theirs(at);
        if (method === "POST" && other.status === "running") return locked;
        if (method === "POST") acceptedAt = at;
        if (acceptedAt !== undefined) return undefined;
        const id = /\/operations\/(.+)$/.exec(path)?.[1];
        if (id === other.id) return { body: { operation: other } };
        if (id !== undefined) return { body: { operation: { ...other, id, status: "finished" } } };
        return { body: { operations: [other] } };
      });
      await platform.clock.run(contextOf(platform, 300).change(change));
      waits.push((acceptedAt ?? Infinity) / period);
    }
    const most = Math.max(...waits);
    assert.ok(most <= 25, `${most} of their operations passed before it`);
  });
});

describe("three changes of a project at the same time, of which the first one's operation is stuck", () => {
  const limit = 60_000;
  const timedOut = "Timed out after 60 s: operation stuck (start_compute) is running.";
  const message = "project already has running operations";

  /** What becomes of each, if the platform ends the operation at this time, and when each is sent first. */
  async function changeAll(end: number) {
    const first = (at: number): Operation =>
      operationSample({
        id: "stuck",
        status: at < end ? "running" : "error",
        created_at: new Date(start).toISOString(),
      });
    let isStarted = false;
    const { client, clock } = scriptedClient(({ method, path, at }) => {
      if (path.includes("/operations/")) return { body: { operation: first(at) } };
      if (path.includes("/operations")) return { body: { operations: [first(at)] } };
      if (method !== "POST") return { body: {} };
      if (isStarted) return at < end ? { ...locked, body: { code: "", message } } : { body: { operations: [] } };
      isStarted = true;
      return { body: { operations: [first(at)] } };
    });
    const services = servicesWith({ client });
    const outcomes: string[] = ["has not ended", "has not ended", "has not ended"];
    const startedAt: number[] = [];
    for (const index of outcomes.keys()) {
      const call = callFor(`urn-${index}`, { timeout: limit });
      const work = new Work({ kind: kinds.Branch, services }, call, "change");
      const changing = () => {
        startedAt.push(clock.now());
        return work.change(change);
      };
      void work.withLock("change", { projectId: project }, changing).then(
        () => (outcomes[index] = "done"),
        (error: unknown) => (outcomes[index] = String(error)),
      );
    }
    await clock.advance(3 * limit);
    return { outcomes, startedAt };
  }

  it("wait for it until its time is over, and are then made as soon as the platform ends the operation", async () => {
    const { outcomes, startedAt } = await changeAll(1.5 * limit);
    assertSays(outcomes[0] ?? "", timedOut);
    assert.deepEqual(
      [outcomes.slice(1), startedAt.slice(0, 2)],
      [
        ["done", "done"],
        [0, limit],
      ],
    );
    assert.ok((startedAt[2] ?? Infinity) < 1.75 * limit);
  });

  it("fail one after the other, each within its own time, with what the platform says of an operation that does not end", async () => {
    const { outcomes, startedAt } = await changeAll(Infinity);
    for (const [index, expected] of [timedOut, message, message].entries()) assertSays(outcomes[index] ?? "", expected);
    assert.deepEqual(startedAt.slice(0, 2), [0, limit]);
    assert.ok((startedAt[2] ?? Infinity) <= 2 * limit);
  });
});
