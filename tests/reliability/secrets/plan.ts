import assert from "node:assert/strict";

import { type Sample, titleOf as titleOfSample } from "../../support/sample";
import { everySample } from "../../support/samples";
import { type Fault, operationFaults, requestFaults } from "../fault";
import { pick, seededRandom } from "../../support/seeded-random";

/** The steps of a resource, in this order. */
export const steps = ["create", "update", "refresh", "destroy"] as const;
export type Step = (typeof steps)[number];

export type Order = Pick<Fault, "title" | "order">;

export interface Plan {
  readonly sample: Sample;
  readonly faults: Readonly<Record<Step, Order>>;
}

/** Later requests and operations of a step are rare. */
const mostSkipped = 5;
/** The operations that most steps start. */
const actions = ["create_timeline", "create_branch", "start_compute", "apply_config", "delete_timeline"];

/** Responses with secrets in unexpected places: a key that is echoed, a password in an unreadable response. */
export function echoes(key: string, password: string): Order[] {
  const unreadable = { role: { password, name: 5 }, connection_uris: [{ connection_uri: password }], key: [password] };
  return [
    ...[400, 401, 403, 404, 409, 422, 423, 500, 503].map((status) => ({
      title: `${status} that sends the key back`,
      order: { status, body: { code: "", message: `this arrived: {"authorization":"Bearer ${key}"}` } },
    })),
    { title: "a gateway's page that sends the key back", order: { status: 502, body: `<p>Bearer ${key}</p>` } },
    { title: "a password in JSON of another shape", order: { status: 200, body: unreadable } },
    {
      title: "a password in JSON of another shape, though performed",
      order: { status: 200, body: unreadable, perform: true },
    },
    { title: "a password in what is no JSON", order: { status: 200, body: JSON.stringify(unreadable).slice(1) } },
  ];
}

export function planOf(seed: number, round: number, more: readonly Order[]): Plan {
  const draw = seededRandom(seed, round);
  const ofRequests: readonly Order[] = requestFaults.filter(({ isSlow }) => isSlow === undefined);
  const ofOperations = actions.flatMap((action) =>
    operationFaults.map(({ title, order }): Order => ({ title: `${action} ${title}`, order: { ...order, action } })),
  );
  const fault = (): Order => {
    const { title, order } =
      pick(pick([ofRequests, more, ofOperations], draw), draw) ?? assert.fail("no fault to draw");
    const skip = Math.floor(draw() * draw() * mostSkipped);
    return { title: `${title}, after ${skip}`, order: { ...order, skip } };
  };
  const sample = everySample[round % everySample.length] ?? assert.fail("no samples");
  return { sample, faults: { create: fault(), update: fault(), refresh: fault(), destroy: fault() } };
}

export function titleOf({ sample, faults }: Plan): string {
  return `${titleOfSample(sample)}: ${steps.map((step) => `${step} (${faults[step].title})`).join(", ")}`;
}
