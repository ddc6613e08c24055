import assert from "node:assert/strict";

import { EndpointType } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { NeonError } from "../../api/core/errors";
import { fetchTransport, type Transport } from "../../api/http/transport";
import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { decoded } from "../../provider/pulumi/wire";
import { withHashes } from "../../provider/lifecycle/contents";
import { create } from "../../provider/lifecycle/create";
import { urnOf } from "../support/door";
import { HurriedClock } from "../support/hurried-clock";
import type { Values } from "../support/provider-server";
import { samples } from "../support/samples";
import { callFor, servicesWith } from "../support/services";
import { concurrently, suiteStage } from "../support/stage";

const clock = new HurriedClock();
const stage = suiteStage({ clock, isServed: false });

describe("a platform whose clocks differ", () => {
  const test = concurrently();

  for (const sample of Object.values(samples)) {
    const { kind } = sample;
    if (kinds[kind].tagOf !== undefined) continue;
    const { secretOnce } = sample.facts;
    for (const seconds of [-10, -5, 0, 5, 10]) {
      for (const fate of ["before", "after"] as const) {
        const isSecond = secretOnce && fate === "after";
        const what = isSecond ? "names the lost one, and creates a second one" : "creates one";
        test(`${kind} › ${what} whose ${fate === "before" ? "request" : "response"} is lost, with a Date off by ${seconds} s`, async () => {
          const inputs = await sample.declare(stage());
          const process = processAt(seconds, fate);
          const { outputs } = await process.create(kind, inputs);
          assert.ok(await sample.exists(stage(), outputs));
          const isRepeated = sample.repeatsCreation === true && fate === "after";
          assert.equal(process.created(), isSecond || isRepeated ? 2 : 1);
          const said = secretOnce ? "Revoke it if nothing uses it" : "was taken for the result";
          const named = process.warnings.filter((text) => text.includes(said));
          assert.equal(named.length, fate === "after" && !isRepeated ? 1 : 0, "the lost object is named");
        });
      }
    }
  }
});

describe("a platform whose clocks differ, and another program", () => {
  for (const seconds of [-10, -5, 0, 5, 10]) {
    it(`keeps the read replica that it created half a minute earlier, with a Date off by ${seconds} s`, async () => {
      const { id, branchId } = await stage().project();
      const type = "read_only";
      const path = `/projects/${id}/endpoints`;
      await stage().platform.call("POST", path, { endpoint: { branch_id: branchId, type } });
      await stage().settled(id);
      clock.putForward(40_000);
      const { outputs } = await processAt(seconds, "before").create("Endpoint", { projectId: id, branchId, type });
      const { endpoints } = (await stage().platform.call("GET", path)).body;
      const replicas = endpoints.filter((one) => one.type === EndpointType.ReadOnly);
      assert.equal(replicas.length, 2);
      const [newest] = replicas.toSorted((one, other) => other.created_at.localeCompare(one.created_at));
      assert.equal(outputs["endpointId"], newest?.id);
    });
  }
});

/** What becomes of the first creation: its request never arrives, or its response is lost. */
type Fate = "before" | "after";

/**
 * A process that creates objects at a platform whose `Date` headers are off by so many seconds.
 *
 * @param fate of its first creation
 */
function processAt(seconds: number, fate: Fate) {
  const { apiKey, apiUrl } = stage().platform;
  const send = fetchTransport();
  /** The first request that changes something: the creation. */
  let creation: string | undefined;
  let created = 0;
  const transport: Transport = async (request) => {
    const name = `${request.method} ${request.url}`;
    const isFirst = creation === undefined && request.method !== "GET";
    if (isFirst) creation = name;
    const lost = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    if (isFirst && fate === "before") throw lost;
    const response = await clock.during(() => send(request));
    if (name === creation && response.status < 300) created += 1;
    if (isFirst) throw lost;
    const shifted = new Date(clock.now() + seconds * 1000).toUTCString();
    return { ...response, header: (name) => (name.toLowerCase() === "date" ? shifted : response.header(name)) };
  };
  const warnings: string[] = [];
  const client = new NeonClient({ apiKey, apiUrl, transport, clock });
  const warn = (text: string): void => void warnings.push(text);
  const services = servicesWith({ client, warn });
  return {
    warnings,
    /** How many objects it has created. */
    created: () => created,
    /** Creates an object, with the next `up` where a creation whose outcome is unknown is not sent again. */
    create: async (kind: KindName, inputs: Values) => {
      const call = callFor(urnOf(kind, stage().name(kind)));
      const { inputs: checked } = await withHashes(decoded(inputs).value as Values);
      const once = () => create({ kind: kinds[kind], services }, call, checked);
      return await once().catch((error: unknown) => {
        assert.ok(NeonError.isInstance(error) && error.kind === "outcome-unknown", String(error));
        return once();
      });
    },
  };
}
