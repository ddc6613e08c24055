import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { fetchTransport, type Transport, type WireRequest, type WireResponse } from "../../api/http/transport";
import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { check } from "../../provider/lifecycle/check";
import { create } from "../../provider/lifecycle/create";
import { claimImported, importObject } from "../../provider/lifecycle/import";
import type { ServedKind } from "../../provider/lifecycle/work";
import type { Values } from "../../provider/values";
import { titleOf } from "../../provider/ownership/claim";
import { TestClaimLog } from "../support/claim-logs";
import { endless, ManualClock } from "../support/clock";
import { urnOf } from "../support/door";
import { seededRandom } from "../support/seeded-random";
import { callFor, servicesWith } from "../support/services";
import { suiteStage } from "../support/stage";

/** How often each pair of ways runs in each number of processes, each time in another order. */
const rounds = 21;

/** A way in which a resource gets the object. */
type Way = "id" | "name" | "consent" | "create" | "import";

/** An object of the platform, as it was answered when it was created. */
interface Subject {
  readonly kind: KindName;
  /** What declares the object, without `adopt`. */
  readonly inputs: Values;
  /** Its id in the state. */
  readonly id: string;
  /** By which a list tells it from others. */
  readonly key: string;
  /** The answer to its creation, if a program may create it. */
  readonly created?: unknown;
}

/** The platform, with answers that were recorded and that take as long as a test draws. Nothing is there before it is created. */
class RecordedPlatform {
  readonly #send = fetchTransport();
  readonly #answers = new Map<string, Promise<WireResponse>>();
  readonly #subject: Subject;
  isThere = false;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  transport(clock: ManualClock, draw: () => number): Transport {
    return async (request) => {
      await clock.sleep(Math.floor(draw() * 100), request.signal);
      const answer = request.method === "GET" ? await this.#read(request) : this.#create();
      await clock.sleep(Math.floor(draw() * 100), request.signal);
      return answer;
    };
  }

  async #read(request: WireRequest): Promise<WireResponse> {
    const { isThere } = this;
    const { key } = this.#subject;
    // Another one of the same name answers as this one does.
    const url = request.url.replaceAll(anotherOf(key), key);
    const answer = this.#answers.get(url) ?? this.#send({ ...request, url, signal: new AbortController().signal });
    this.#answers.set(url, answer);
    const { status, body, header } = await answer;
    if (url !== request.url) return { status, body: body.replaceAll(key, anotherOf(key)), header };
    return isThere ? { status, body, header } : this.#without({ status, body, header });
  }

  /** An answer without the object. */
  #without({ status, body, header }: WireResponse): WireResponse {
    const isOther = (item: unknown): boolean => {
      const { id, name } = item as { readonly id?: unknown; readonly name?: unknown };
      return id !== this.#subject.key && name !== this.#subject.key;
    };
    const members = Object.entries(JSON.parse(body) as Readonly<Record<string, unknown>>);
    const isAbout = members.some(
      ([, value]) => typeof value === "object" && value !== null && !Array.isArray(value) && !isOther(value),
    );
    if (isAbout) return { status: 404, body: JSON.stringify({ code: "", message: "not found" }), header };
    const left = members.map(([name, value]) => [name, Array.isArray(value) ? value.filter(isOther) : value]);
    return { status, body: JSON.stringify(Object.fromEntries(left)), header };
  }

  #create(): WireResponse {
    const header = (name: string): string | undefined =>
      name.toLowerCase() === "content-type" ? "application/json" : undefined;
    const { created, kind, key } = this.#subject;
    const body = JSON.stringify(created);
    if (!this.isThere) {
      this.isThere = true;
      return { status: 201, body, header };
    }
    return kind === "Project"
      ? { status: 201, body: body.replaceAll(key, anotherOf(key)), header }
      : { status: 409, body: JSON.stringify({ code: "", message: "already exists" }), header };
  }
}

function anotherOf(key: string): string {
  return `${key}-another`;
}

/** A resource that gets the object in its way, as the engine calls its provider. */
async function getObject({ kind, inputs, id }: Subject, way: Way, served: ServedKind, urn: string): Promise<string> {
  const call = callFor(urn);
  if (way === "import") {
    const found = await importObject(served, call, { outputs: kinds[kind].address(id), hidden: {} });
    const checked = await check(served, call, undefined, inputs, true);
    assert.deepEqual(checked.problems, []);
    await claimImported(served, call, found, checked.inputs);
    return kinds[kind].id(found.outputs);
  }
  const adopt = { id, name: true, consent: undefined, create: false }[way];
  const checked = await check(served, call, undefined, { ...inputs, ...(adopt !== undefined && { adopt }) });
  const [problem] = checked.problems;
  if (problem !== undefined) throw new Error(problem.reason);
  return (await create(served, call, checked.inputs)).id;
}

describe("an object that two resources of one run want at the same time", function () {
  this.timeout(600_000);
  const stage = suiteStage({ isServed: false });
  const subjects = new Map<KindName, Subject>();
  before(async () => {
    const post = async (path: string, body: Values) => (await stage().platform.call("POST", path, body)).body;
    const name = stage().name("shop");
    const created = await post("/projects", { project: { name } });
    const { id } = created.project;
    await stage().settled(id);
    subjects.set("Project", { kind: "Project", inputs: { name }, id, key: id, created });
    const branch = await post(`/projects/${id}/branches`, { branch: { name: "pr-1" } });
    await stage().settled(id);
    const inProject = { projectId: id, name: "pr-1" };
    const branchId = branch.branch.id;
    subjects.set("Branch", {
      kind: "Branch",
      inputs: inProject,
      id: `${id}/${branchId}`,
      key: branchId,
      created: branch,
    });
    const role = await post(`/projects/${id}/branches/${created.branch.id}/roles`, { role: { name: "app" } });
    await stage().settled(id);
    const onBranch = { projectId: id, branchId: created.branch.id, name: "app" };
    const roleId = `${id}/${created.branch.id}/app`;
    subjects.set("Role", { kind: "Role", inputs: onBranch, id: roleId, key: "app", created: role });
    const { id: keyId } = (await post("/api_keys", { key_name: "ci" })) as unknown as { readonly id: number };
    subjects.set("ApiKey", { kind: "ApiKey", inputs: { name: "ci" }, id: String(keyId), key: String(keyId) });
  });

  const pairs: readonly (readonly [KindName, readonly Way[]])[] = [
    ["Project", ["id", "name", "consent", "create", "import"]],
    ["Branch", ["id", "name", "consent", "create", "import"]],
    ["Role", ["id", "name", "consent", "create", "import"]],
    ["ApiKey", ["id", "import"]],
  ];
  for (const [kind, ways] of pairs) {
    it(`goes to one of them, and the error of the other one names it or what it got instead: ${kind}`, async () => {
      const subject = subjects.get(kind) ?? assert.fail();
      const platform = new RecordedPlatform(subject);
      const outcomes = new Set<string>();
      let seed = 0;
      for (const [index, first] of ways.entries()) {
        for (const second of ways.slice(index)) {
          for (const processes of [1, 2]) {
            for (let round = 0; round < rounds; round += 1) {
              const of = `${first} and ${second} in ${processes} processes, round ${round}`;
              const pair = [first, second] as const;
              const isToCreate = pair.includes("create");
              platform.isThere = !isToCreate;
              seed += 1;
              const [draw, clock, log] = [seededRandom(seed), new ManualClock(), new TestClaimLog()];
              const { apiKey, apiUrl } = stage().platform;
              const client = new NeonClient({
                apiKey,
                apiUrl,
                clock,
                attemptTimeout: endless,
                transport: platform.transport(clock, draw),
              });
              const adopt = pair.includes("consent");
              const services = Array.from({ length: processes }, () =>
                servicesWith({ client, adopt, claims: log.process() }),
              );
              const urns = [urnOf(kind, "one"), urnOf(kind, "two")] as const;
              const results = await clock.run(
                Promise.allSettled(
                  pair.map(async (way, at) => {
                    await clock.sleep(Math.floor(draw() * 300));
                    const served = { kind: kinds[kind], services: services[at % processes] ?? assert.fail() };
                    return getObject(subject, way, served, urns[at] ?? "");
                  }),
                ),
              );
              const won = results.filter((result) => result.status === "fulfilled");
              const lost = results.flatMap((result, at) =>
                result.status === "rejected" ? [{ at, reason: String(result.reason) }] : [],
              );
              const got = won.map(({ value }) => value).sort();
              // Any number of projects can have a name.
              const wanted = got.length === 2 ? [subject.id, anotherOf(subject.id)] : [subject.id];
              assert.deepEqual(got, wanted, `${of}: ${lost.map(({ reason }) => reason).join(" ")}`);
              const [loser] = lost;
              if (loser === undefined) {
                assert.ok(kind === "Project" && isToCreate, of);
                continue;
              }
              const { at, reason } = loser;
              const isSaid =
                reason.includes(titleOf(urns[1 - at] ?? "")) ||
                // It was not there yet.
                (isToCreate && pair[at] !== "create" && /There is no|not found|does not exist/.test(reason));
              assert.ok(isSaid, `${of}: ${reason}`);
              outcomes.add(`${first} ${second} ${at}`);
            }
          }
        }
      }
      // Each of two equal ways wins at times, so the orders did differ.
      for (const way of ways.filter((one) => one !== "create")) {
        for (const at of [0, 1]) assert.ok(outcomes.has(`${way} ${way} ${at}`), `${way}: ${[...outcomes].join(", ")}`);
      }
    });
  }
});

describe("an object of a resource of this run, of which only the name is known so far", () => {
  const stage = suiteStage({ isServed: false });

  /** The warnings at a new resource that is checked beside one in the state. */
  async function warningsBeside(
    kind: KindName,
    inState: { readonly kind: KindName; readonly inputs: Values },
    inputs: Values,
  ): Promise<readonly string[]> {
    const { apiKey, apiUrl } = stage().platform;
    const warnings: string[] = [];
    const services = servicesWith({
      client: new NeonClient({ apiKey, apiUrl }),
      warn: (text) => void warnings.push(text),
    });
    const one = { kind: kinds[inState.kind], services };
    await check(one, callFor(urnOf(inState.kind, "one")), inState.inputs, inState.inputs);
    const { problems } = await check({ kind: kinds[kind], services }, callFor(urnOf(kind, "two")), undefined, inputs);
    assert.deepEqual(problems, []);
    return warnings;
  }

  it("is not called a stranger's, but a further one is: ApiKey", async () => {
    const inputs = { name: stage().name("ci") };
    const create = () => stage().platform.call("POST", "/api_keys", { key_name: inputs.name });
    await create();
    assert.deepEqual(await warningsBeside("ApiKey", { kind: "ApiKey", inputs }, inputs), []);
    await create();
    assert.equal((await warningsBeside("ApiKey", { kind: "ApiKey", inputs }, inputs)).length, 2);
  });

  it("is not taken for one of another kind: an organization's key for a project's", async () => {
    const { platform } = stage();
    const orgId = await platform.organization();
    const { id: projectId } = await stage().project({ org_id: orgId });
    const name = stage().name("ci");
    await platform.call("POST", `/organizations/${orgId}/api_keys`, { key_name: name });
    const project = { name, orgId, projectId };
    const inState = { kind: "OrganizationApiKey", inputs: { name, orgId } } as const;
    assert.deepEqual(await warningsBeside("ProjectApiKey", inState, project), []);
  });

  for (const kind of ["Branch", "Snapshot"] as const) {
    it(`is named in the warning of a resource that wants its unique name: ${kind}`, async () => {
      const { id: projectId, branchId } = await stage().project();
      const inputs = { projectId, name: "same", ...(kind === "Snapshot" && { branchId }) };
      if (kind === "Branch") await stage().branch(projectId, { branch: { name: "same" } });
      else await stage().platform.call("POST", `/projects/${projectId}/branches/${branchId}/snapshot?name=same`);
      await stage().settled(projectId);
      const [warning = ""] = await warningsBeside(kind, { kind, inputs }, inputs);
      assert.match(warning, new RegExp(`is already managed by ${kind} "one"`));
    });
  }
});
