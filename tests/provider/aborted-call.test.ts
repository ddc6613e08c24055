import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { fetchTransport, type Transport } from "../../api/http/transport";
import { kinds } from "../../provider/kinds";
import { create } from "../../provider/lifecycle/create";
import { PartialFailure } from "../../provider/lifecycle/partial-failure";
import { urnOf } from "../support/door";
import { callFor, servicesWith } from "../support/services";
import { suiteStage } from "../support/stage";

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
