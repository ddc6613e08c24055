import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { fetchTransport, type Transport } from "../../api/http/transport";
import { kinds } from "../../provider/kinds";
import { create } from "../../provider/lifecycle/create";
import { PartialFailure } from "../../provider/lifecycle/partial-failure";
import { update } from "../../provider/lifecycle/update";
import { urnOf } from "../support/door";
import { callFor, servicesWith } from "../support/services";
import { suiteStage } from "../support/stage";
import { until } from "../support/until";

const stage = suiteStage({ isServed: false });

/**
 * A process that serves branches, and the texts of its rows.
 *
 * @param onChange called when a request that changes something is on its way
 */
function served(onChange: () => void = () => undefined) {
  const { apiKey, apiUrl } = stage().platform;
  const send = fetchTransport();
  const transport: Transport = (request) => {
    const answer = send(request);
    if (request.method !== "GET") onChange();
    return answer;
  };
  const client = new NeonClient({ apiKey, apiUrl, transport });
  const shown: string[] = [];
  const progress = (text: string): void => void shown.push(text);
  return { kind: kinds.Branch, services: servicesWith({ client, progress }), shown };
}

describe("a call that is aborted", () => {
  it("while it waits for an operation leaves the object to the next call, which resumes it", async () => {
    const { id: projectId } = await stage().project();
    const process = served();
    const inputs = { projectId, name: stage().name("pr") };
    const urn = urnOf("Branch", inputs.name);
    await stage().platform.fault({ action: "create_branch", end: "stuck" });
    const abort = new AbortController();
    const created = create(process, callFor(urn, { signal: abort.signal }), inputs);
    created.catch(() => undefined);
    await until(() => process.shown.some((text) => text.startsWith("create_branch")));
    abort.abort(new Error("the run was cancelled"));
    const failure: unknown = await created.catch((error: unknown) => error);
    await stage().platform.clearFaults();
    assert.ok(failure instanceof PartialFailure);
    assert.match(failure.message, /the run was cancelled.*The next `pulumi up` resumes from here/);
    const { stored, resourceId } = failure;
    assert.equal(stored.hidden.pending?.stage, "waiting");
    const call = callFor(urn, { declaredBefore: stored.hidden.declared });
    const resumed = await update(process, call, resourceId, stored, inputs);
    assert.equal(resumed.hidden.pending, undefined);
    assert.equal((await stage().branches(projectId)).length, 2);
  });

  it("while it waits for the lock of the project sends nothing, and others come next", async () => {
    const { id: projectId } = await stage().project();
    const process = served();
    const creating = (signal?: AbortSignal) => {
      const name = stage().name("pr");
      return create(process, callFor(urnOf("Branch", name), { signal }), { projectId, name });
    };
    const abort = new AbortController();
    const first = creating();
    const second = creating(abort.signal);
    const third = creating();
    abort.abort(new Error("the run was cancelled"));
    await assert.rejects(second, /the run was cancelled/);
    await Promise.all([first, third]);
    assert.equal((await stage().branches(projectId)).length, 3);
  });

  it("while its request is on its way receives the answer, so that the object is known", async () => {
    const { id: projectId } = await stage().project();
    const inputs = { projectId, name: stage().name("pr") };
    const abort = new AbortController();
    const process = served(() => abort.abort(new Error("the run was cancelled")));
    const creating = create(process, callFor(urnOf("Branch", inputs.name), { signal: abort.signal }), inputs);
    const failure: unknown = await creating.catch((error: unknown) => error);
    assert.ok(failure instanceof PartialFailure);
    const created = (await stage().branches(projectId)).find(({ name }) => name === inputs.name);
    assert.equal(failure.resourceId, `${projectId}/${created?.id ?? ""}`);
  });
});
