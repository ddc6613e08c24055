import { readdirSync } from "node:fs";
import { createRequire } from "node:module";

import type { KindName } from "../../../provider/frozen-entry";
import { kinds } from "../../../provider/kinds";
import type { Values } from "../provider-server";
import type { KindSample, Sample } from "../sample";

/** The samples that the files of this folder export. */
const all: readonly Sample[] = readdirSync(__dirname)
  .filter((file) => file.endsWith(".js") && file !== "index.js")
  .flatMap((file) => Object.values((createRequire(__filename) as (path: string) => Values)(`./${file}`)))
  .filter((value): value is KindSample => typeof value === "object" && value !== null && "declare" in value)
  .map((sample) => ({ ...sample, definition: kinds[sample.kind] }));

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

/** Those, and more samples of kinds whose objects are created in several ways. */
export const everySample: readonly Sample[] = [
  ...Object.values(samples),
  ...variants.filter((sample) => !isReplica(sample)),
];

/** One of each kind, and of those whose objects are told apart in two ways: what can be there already. */
export const thereAlready: readonly Sample[] = [...Object.values(samples), ...variants.filter(isReplica)];

/** The path of the object of a resource. */
export function pathOf({ kind, outputs }: { readonly kind: KindName; readonly outputs: Values }): string {
  const { path } = samples[kind].facts;
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(outputs[name])));
}
