import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

import type { KindName } from "../../../provider/frozen-entry";
import { kinds } from "../../../provider/kinds";
import type { TestPlatform } from "../platform";
import type { Values } from "../provider-server";
import type { KindSample, Sample } from "../sample";
import { until } from "../until";
import { filled, waysOf } from "./object";

/** The samples that the files of this folder export. */
const all: readonly Sample[] = readdirSync(__dirname)
  .filter((file) => file.endsWith(".js") && file !== "index.js")
  .flatMap((file) => Object.values((createRequire(__filename) as (path: string) => Values)(`./${file}`)))
  .filter((value): value is KindSample => typeof value === "object" && value !== null && "declare" in value)
  .map((sample) => ({ ...waysOf(sample), ...sample, definition: kinds[sample.kind] }));

/** A sample of every kind. */
export const samples = Object.fromEntries(
  Object.keys(kinds).map((name) => {
    const sample = all.find(({ kind, variant }) => kind === name && variant === undefined);
    if (sample === undefined) throw new Error(`No file in tests/support/samples exports a sample of ${name}.`);
    return [name, sample];
  }),
) as Readonly<Record<KindName, Sample>>;

const variants = all.filter(({ variant }) => variant !== undefined);
const isReplica = ({ kind }: Sample): boolean => kind === "Endpoint";

/** A sample of every kind, and samples of objects that are created in other ways. */
export const everySample: readonly Sample[] = [
  ...Object.values(samples),
  ...variants.filter((sample) => !isReplica(sample)),
];

/** The samples for objects that exist already: one of each kind, and read replicas, which are found in another way. */
export const thereAlready: readonly Sample[] = [...Object.values(samples), ...variants.filter(isReplica)];

/** The objects that a `POST` creates on any branch, with the path and the body of each. */
export const posted = Object.values(samples).flatMap(({ facts: { path }, posted: body }) =>
  body === undefined ? [] : [{ path, body }],
);

/** Creates these objects on a branch, and waits until their services are ready. */
export async function createPosted(platform: TestPlatform, branch: Values): Promise<void> {
  for (const { path: pattern, body } of posted) {
    const path = filled(pattern, branch);
    const { status, body: answer } = await platform.call("POST", path, body);
    assert.ok(status < 300, `POST ${path}: ${JSON.stringify(answer)}`);
    await until(async () => ((await platform.call("GET", path)).body as unknown as Values)["pending"] !== true);
  }
}

/** The path of the object of a resource. */
export function pathOf({ kind, outputs }: { readonly kind: KindName; readonly outputs: Values }): string {
  return filled(samples[kind].facts.path, outputs);
}
