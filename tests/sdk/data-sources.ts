import type * as pulumi from "@pulumi/pulumi";

import { z } from "zod";

import { type Lookup, type LookupName, lookups } from "../../api/lookups";
import * as neon from "../../sdk";

/** Arguments of a data source. */
export type Args = Readonly<Record<string, unknown>>;

/** What a data source takes. */
export interface DataSource {
  /** Names of arguments that it accepts together. */
  readonly args: readonly ArgName[];
  /** Arguments that must have a value. */
  readonly required: readonly string[];
  /** Two arguments of which exactly one is given. */
  readonly oneOf: readonly string[] | undefined;
  /** The error for a project or a branch that does not exist. Default: the 404. */
  readonly missing?: RegExp;
  /** Whether a platform without a Postgres has nothing to return. */
  readonly empty?: true;
}

/** Arguments of which a suite has values. */
const argNames = [
  "projectId",
  "branchId",
  "endpointId",
  "operationId",
  "orgId",
  "databaseName",
  "roleName",
  "from",
  "to",
  "granularity",
  "slug",
  "bucketName",
] as const;

export type ArgName = (typeof argNames)[number];

/** What is special about a data source. `without` names arguments of which the suite has no value that fits. */
const special: Readonly<
  Partial<Record<LookupName, Pick<DataSource, "missing" | "empty"> & { readonly without?: readonly ArgName[] }>>
> = {
  getAdvisorIssues: { empty: true },
  getSnapshots: { without: ["branchId"] },
  getConnectionUri: { missing: /^There is no branch /, without: ["endpointId"] },
};

/** Every data source, with its arguments in the order of its schema. */
export const dataSources: Readonly<Record<string, DataSource>> = Object.fromEntries(
  (Object.keys(lookups) as LookupName[]).map((name) => {
    const { args: schema }: Lookup = lookups[name];
    const pair = [...(schema.description ?? "").matchAll(/`(\w+)`/g)].map(([, arg = ""]) => arg);
    const { without = [], ...others } = special[name] ?? {};
    const args = argNames.filter(
      (arg) =>
        arg in schema.shape && !without.includes(arg) && !(arg === pair[1] && argNames.some((one) => one === pair[0])),
    );
    const required = Object.entries(schema.shape).flatMap(([arg, one]) => (one instanceof z.ZodOptional ? [] : [arg]));
    return [name, { args, required, oneOf: pair.length === 2 ? pair : undefined, ...others }];
  }),
);

const functions = neon as unknown as Readonly<Record<string, unknown>>;

/** Both forms of a data source. */
export function formsOf(name: string) {
  return {
    read: functions[name] as (args: Args) => Promise<unknown>,
    output: functions[`${name}Output`] as (args: Args) => pulumi.Output<unknown>,
  };
}
