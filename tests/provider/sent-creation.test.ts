import assert from "node:assert/strict";

import { EndpointType } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { NeonError } from "../../api/core/errors";
import { fetchTransport, type Transport, type WireRequest } from "../../api/http/transport";
import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { decoded } from "../../provider/pulumi/wire";
import { withHashes } from "../../provider/lifecycle/contents";
import { create } from "../../provider/lifecycle/create";
import { urnOf } from "../support/door";
import { HurriedClock } from "../support/hurried-clock";
import { inDays } from "../support/in-days";
import type { Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { callFor, servicesWith } from "../support/services";
import { concurrently, suiteStage } from "../support/stage";

const clock = new HurriedClock();
const stage = suiteStage({ clock, isServed: false });

const offsets = [-10, -5, 0, 5, 10];

describe("sent creation › at a platform whose clocks differ", () => {
  const test = concurrently();

  for (const sample of Object.values(samples)) {
    const { kind } = sample;
    if (kinds[kind].tagOf !== undefined) continue;
    const { secretOnce } = sample.facts;
    for (const seconds of offsets) {
      for (const fate of ["before", "after"] as const) {
        const isSecond = secretOnce && fate === "after";
        const what = isSecond ? "names the lost one, and creates a second one" : "creates one";
        test(`${kind} › ${what} whose ${fate === "before" ? "request" : "response"} is lost, with a Date off by ${seconds} s`, async () => {
          const inputs = await sample.declare(stage());
          const process = processAt(seconds);
          process.lose(fate);
          const { outputs } = await createInTheEnd(process, kind, inputs);
          assert.ok(await sample.exists(stage(), outputs));
          const isRepeated = sample.repeatsCreation === true && fate === "after";
          assert.equal(process.created(), isSecond || isRepeated ? 2 : 1);
          const said = secretOnce ? "Revoke it if nothing uses it" : "was taken for the result";
          assert.equal(process.said(said), fate === "after" && !isRepeated ? 1 : 0, "the lost object is named");
        });
      }
    }
  }
});

describe("sent creation › at a platform whose clocks differ, and of another program", () => {
  for (const seconds of offsets) {
    it(`keeps the read replica that it created half a minute earlier, with a Date off by ${seconds} s`, async () => {
      const { id, branchId } = await stage().project();
      const type = "read_only";
      const path = `/projects/${id}/endpoints`;
      await post(id, "/endpoints", { endpoint: { branch_id: branchId, type } });
      clock.putForward(40_000);
      const process = processAt(seconds);
      process.lose("before");
      const { outputs } = await createInTheEnd(process, "Endpoint", { projectId: id, branchId, type });
      const { endpoints } = (await stage().platform.call("GET", path)).body;
      const replicas = endpoints.filter((one) => one.type === EndpointType.ReadOnly);
      assert.equal(replicas.length, 2);
      const [newest] = replicas.toSorted((one, other) => other.created_at.localeCompare(one.created_at));
      assert.equal(outputs["endpointId"], newest?.id);
    });
  }
});

describe("sent creation › at a platform whose clocks differ by a minute", () => {
  it("finds the object of a lost response once the run has seen an object created", async () => {
    const base = await firstBranch();
    const process = processAt(60);
    await process.create("Role", { ...base, name: "seen" });
    process.lose("after");
    await process.create("Role", { ...base, name: "lost" });
    assert.equal(process.said("appeared when a request was sent whose response is lost, and is as declared"), 1);
  });

  it("names the object of a lost response after a 409, and in the next run, which takes it with consent", async () => {
    const inputs = { ...(await firstBranch()), name: "lost" };
    const process = processAt(60);
    process.lose("after");
    const named = new RegExp(
      `A role with this name already exists: ${inputs.projectId}/${inputs.branchId}/lost, created at .*To take it over, run`,
    );
    await assert.rejects(process.create("Role", inputs), named);
    await assert.rejects(processAt(60).create("Role", inputs), named);
    await processAt(60).create("Role", { ...inputs, adopt: true });
  });

  it("leaves the key of a lost response to the next run, which names it", async () => {
    const inputs = { name: stage().name("key") };
    const process = processAt(60);
    process.lose("after");
    await assert.rejects(process.create("ApiKey", inputs), /No object was found that it could have created/);
    const next = processAt(60);
    await next.create("ApiKey", inputs);
    assert.equal(next.said("Revoke it if no"), 1);
  });
});

describe("sent creation › whose request is lost", () => {
  it("does not take an object that another program has created 8 s before", async () => {
    const inputs = { ...(await firstBranch()), name: "theirs" };
    const process = processAt(0);
    await process.create("Role", { ...inputs, name: "seen" });
    await post(inputs.projectId, `/branches/${inputs.branchId}/roles`, { role: { name: "theirs" } });
    clock.putForward(8_000);
    // The look before the request has found nothing.
    const [method, path] = ["GET", `${inputs.branchId}/roles$`];
    await stage().platform.fault({ method, path, status: 200, body: { roles: [] } });
    process.lose("before");
    await assert.rejects(createInTheEnd(process, "Role", inputs), /A role with this name already exists/);
    assert.ok(process.hasLost());
  });

  it("does not take a compute of another program that lacks a declared setting", async () => {
    const base = await bareBranch();
    const process = processAt(0);
    process.lose("before", () =>
      post(base.projectId, "/endpoints", { endpoint: { branch_id: base.branchId, type: "read_write" } }),
    );
    const settings = { preloadLibraries: { enabledLibraries: ["pg_cron"] } };
    const inputs = { ...base, type: "read_write", settings };
    await assert.rejects(createInTheEnd(process, "Endpoint", inputs), /already exists/);
    assert.ok(process.hasLost());
  });

  it("does not take a snapshot of another program that never expires", async () => {
    const { projectId, branchId } = await firstBranch();
    const name = stage().name("snapshot");
    const process = processAt(0);
    process.lose("before", () => post(projectId, `/branches/${branchId}/snapshot?name=${name}`));
    await assert.rejects(
      createInTheEnd(process, "Snapshot", { projectId, branchId, name, expiresAt: inDays(1) }),
      /A snapshot with this name already exists/,
    );
    assert.ok(process.hasLost());
  });
});

describe("sent creation › whose response is lost", () => {
  it("names a key that is created although a gateway answers with 503, because another one is created", async () => {
    const process = processAt(0);
    await stage().platform.fault({ method: "POST", path: "^/api_keys$", status: 503, perform: true });
    await process.create("ApiKey", { name: stage().name("key") });
    assert.equal(process.said("Revoke it if no"), 1);
  });

  it("names each key whose response is lost", async () => {
    const process = processAt(0);
    await stage().platform.fault({ method: "POST", path: "^/api_keys$", reset: "after", times: 2 });
    await process.create("ApiKey", { name: stage().name("key") });
    assert.equal(process.said("Revoke it if nothing uses it"), 2);
  });

  it("takes the object that a lost request creates only after the last search for it", async () => {
    const process = processAt(0);
    process.lose("late");
    await process.create("Bucket", { ...(await firstBranch()), name: "late" });
    assert.equal(process.said("was taken for the result"), 1);
  });

  it("takes none of several computes that it may have created, and names them", async () => {
    const inputs = { ...(await bareBranch()), type: "read_only" };
    const process = processAt(0);
    process.lose("after", () =>
      post(inputs.projectId, "/endpoints", { endpoint: { branch_id: inputs.branchId, type: inputs.type } }),
    );
    await assert.rejects(
      process.create("Endpoint", inputs),
      /Several computes appeared at the same time: \S+, \S+\. Delete those that nothing manages, or declare another name\./,
    );
  });

  for (const type of ["read_write", "read_only"] as const) {
    it(`finds a compute on a platform that does not report its name: ${type}`, async () => {
      const inputs = { ...(await bareBranch()), type, name: "reader" };
      const process = processAt(0, withoutNames);
      process.lose("after");
      await process.create("Endpoint", inputs);
      assert.equal((await stage().computes(inputs.projectId, inputs.branchId)).length, 1);
    });
  }
});

/** The first branch of a project. */
async function firstBranch() {
  const { id: projectId, branchId } = await stage().project();
  return { projectId, branchId };
}

/** A branch without a compute. */
async function bareBranch() {
  const { projectId } = await firstBranch();
  return { projectId, branchId: (await stage().branch(projectId)).id };
}

/** Creates an object, with the next `up` if a creation is not sent again because its outcome is unknown. */
async function createInTheEnd(process: ReturnType<typeof processAt>, kind: KindName, inputs: Values) {
  return process.create(kind, inputs).catch((error: unknown) => {
    assert.ok(NeonError.isInstance(error) && error.kind === "outcome-unknown", String(error));
    return process.create(kind, inputs);
  });
}

/** Creates an object as another program. */
async function post(projectId: string, path: string, body?: Values): Promise<void> {
  const { status } = await stage().platform.call("POST", `/projects/${projectId}${path}`, body);
  assert.ok(status < 300, path);
  await stage().settled(projectId);
}

/** The fate of a creation: its request never arrives, or arrives after the last search for its result, or its response is lost. */
type Fate = "before" | "late" | "after";

/**
 * A process that creates objects at a platform whose `Date` headers are off by so many seconds.
 *
 * @param reword changes the bodies of responses. Default: none is changed
 */
function processAt(seconds: number, reword?: (body: Values) => Values) {
  const { apiKey, apiUrl } = stage().platform;
  const send = fetchTransport();
  let fate: Fate | undefined;
  let meanwhile: () => Promise<void> = () => Promise.resolve();
  /** The first request that changes something: the creation. */
  let creation: string | undefined;
  let created = 0;
  let late: WireRequest | undefined;
  let searches = 0;
  const transport: Transport = async (request) => {
    const name = `${request.method} ${request.url}`;
    const isCreation = request.method !== "GET";
    if (isCreation) creation ??= name;
    const lost = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    const now = isCreation ? fate : undefined;
    if (now !== undefined) {
      fate = undefined;
      await meanwhile();
    }
    if (now === "late") late = { ...request, signal: new AbortController().signal };
    if (now === "before" || now === "late") throw lost;
    const response = await clock.during(() => send(request));
    if (late !== undefined && request.method === "GET" && request.url.startsWith(late.url)) {
      searches += 1;
      if (searches === 4) await send(late);
    }
    if (name === creation && response.status < 300) created += 1;
    if (now === "after") throw lost;
    const shifted = new Date(clock.now() + seconds * 1000).toUTCString();
    const body = reword === undefined ? response.body : JSON.stringify(reword(JSON.parse(response.body) as Values));
    return { ...response, body, header: (one) => (one.toLowerCase() === "date" ? shifted : response.header(one)) };
  };
  const warnings = new Set<string>();
  const client = new NeonClient({ apiKey, apiUrl, transport, clock });
  const services = servicesWith({ client, warn: (text) => void warnings.add(text) });
  const urn = stage().name("process");
  return {
    /** Loses the next creation, or its response. Another program may do something before. */
    lose: (next: Fate, first = meanwhile): void => void ([fate, meanwhile] = [next, first]),
    hasLost: () => fate === undefined,
    /** How many objects it has created. */
    created: () => created,
    /** How many of its warnings say this. */
    said: (text: string) => [...warnings].filter((one) => one.includes(text)).length,
    create: async (kind: KindName, inputs: Values) => {
      const { inputs: checked } = await withHashes(decoded(inputs).value as Values);
      return create({ kind: kinds[kind], services }, callFor(urnOf(kind, `${urn}-${String(inputs["name"])}`)), checked);
    },
  };
}

/** A response without the names of computes. */
function withoutNames(body: Values): Values {
  const unnamed = ({ name: _, ...others }: Values): Values => others;
  const { endpoint, endpoints } = body as { readonly endpoint?: Values; readonly endpoints?: readonly Values[] };
  return {
    ...body,
    ...(endpoint && { endpoint: unnamed(endpoint) }),
    ...(endpoints && { endpoints: endpoints.map(unnamed) }),
  };
}
