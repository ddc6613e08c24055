import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { fromWire, toWire } from "../../../api/core/camel-case";
import { camelShape } from "../../../api/core/camel-shape";
import { ignoreNotFound, invalid, NeonError } from "../../../api/core/errors";
import { lazy } from "../../../api/core/lazy";
import { together } from "../../../api/core/together";
import { masking, maskedAnnotation, maskingRule, type MaskingStatus } from "../../../api/schemas/masking";
import type { Context } from "../../call/context";
import type { Problem } from "../../call/services";
import { combination } from "../../kind/combination";
import { type Changes, type FieldRule, plain, same } from "../../kind/field-rules";
import { omitUndefined, pick, type Values } from "../../values";
import { type BranchAddress, branchNamed } from "./read";

const ruleInput = lazy(() =>
  z
    .strictObject(camelShape(maskingRule.shape))
    .check(
      combination(({ maskingFunction, maskingValue }, report) => {
        if ((maskingFunction === undefined) !== (maskingValue === undefined)) return;
        report("needs a maskingFunction or a maskingValue, and not both");
      }),
    )
    .meta({
      title: "MaskingRuleArgs",
      description: "The replacement for the values of a column of a masked branch: a function or a value.",
    }),
);

/** The rules of a masked branch, as a program declares them. */
export const maskingRules = lazy(() => z.array(ruleInput()));
type MaskingRules = z.infer<ReturnType<typeof maskingRules>>;

/** The masking outputs of a branch. */
export interface Masking {
  readonly maskingRules?: MaskingRules | undefined;
  readonly maskingState?: string | undefined;
}

export const maskingRulesField: FieldRule = { equality: "set", affects: ["maskingState"] };

/** The state of a branch whose data is masked. */
const masked = "anonymized";

const onlyForMasked =
  "can only be declared when the branch is created: the data of this one is not masked. Declare another branch";

/** The state of a masked branch whose data could not be prepared. It never becomes usable. */
export const preparationFailed = "initialization_error";

const path = "maskingRules";

/**
 * Why newly declared rules cannot be applied, as far as the platform tells. They can if the branch is masked: a program
 * may omit its rules for a time.
 *
 * @param before the inputs in the state
 */
export async function maskingProblems(
  context: Context,
  { projectId, name, [path]: declaredBefore }: Values,
  changes: Changes,
): Promise<readonly Problem[]> {
  if (!changes.has(path) || declaredBefore !== undefined) return [];
  if (typeof projectId !== "string" || typeof name !== "string") return [];
  // If this read fails, the update reports the problem.
  const branch = await branchNamed(context, projectId, name).catch(() => undefined);
  if (branch === undefined) return [];
  const { maskingState } = await readMasking(context, { projectId, branchId: branch.id }, {}, true);
  return maskingState === undefined ? [{ property: path, reason: onlyForMasked }] : [];
}

/**
 * The rules and the state of a masked branch. Empty for any other branch.
 *
 * @param known whether the state says that it is masked
 */
export async function readMasking(
  context: Context,
  { projectId, branchId }: BranchAddress,
  annotations: Readonly<Record<string, string>>,
  known: boolean,
): Promise<Masking> {
  if (!known && annotations[maskedAnnotation] === undefined) return {};
  const [found, status] = await together([
    ignoreNotFound(context.read(masking.rules(projectId, branchId))),
    ignoreNotFound(context.read(masking.status(projectId, branchId))),
  ]);
  const rules = found?.masking_rules.map((rule) => fromWire(omitUndefined(maskingRule.parse(rule))));
  return omitUndefined({ maskingRules: rules, maskingState: status?.state });
}

/**
 * The rules that are in effect. Neon stores rules with one request and masks the data with a second one, and a killed
 * run may have sent only the first. Rules that are not in effect are left out, so that the next update applies them
 * again.
 *
 * @param state the known masking. Empty for a branch that is being adopted
 */
export function inEffect(
  { isRefresh, progress }: Context,
  { maskingRules: known }: Masking,
  { maskingRules: found, maskingState }: Masking,
): Masking {
  const isMasked = maskingState === undefined || maskingState === masked;
  const isNew = isRefresh && known !== undefined && !same({ equality: "set" }, plain(found), plain(known));
  const areApplied = progress.hasCreated || (isMasked && !isNew);
  return omitUndefined({ maskingRules: areApplied ? found : undefined, maskingState });
}

/** Waits until the data of a masked branch is masked. Starts masking again if an earlier call failed. */
export async function finishMasking(context: Context, address: BranchAddress): Promise<void> {
  const { state } = await context.read(masking.status(address.projectId, address.branchId));
  if (state === "error" && !context.progress.hasCreated) await startMasking(context, address);
  await waitUntilMasked(context, address);
}

/** Replaces the rules, and masks the data again. Data that was masked before stays masked. */
export async function changeMasking(context: Context, address: BranchAddress, declared: MaskingRules): Promise<void> {
  const { projectId, branchId } = address;
  const rules = toWire(declared.map(omitUndefined));
  // The platform does not start masking while it is still running.
  await context.until(
    async () => (isMasking(await readStatus(context, address)) ? undefined : true),
    () => timedOut(branchId),
  );
  await context.change({
    what: "change masking rules",
    request: masking.setRules(projectId, branchId, rules),
    applies: [path],
    done: async () => isDeepStrictEqual((await readMasking(context, address, {}, true)).maskingRules, plain(declared)),
    finish: async () => {
      await startMasking(context, address);
      await waitUntilMasked(context, address);
    },
  });
}

async function startMasking(context: Context, address: BranchAddress): Promise<void> {
  const { projectId, branchId } = address;
  const before = runOf(await readStatus(context, address));
  await context.change({
    what: "mask data",
    request: masking.start(projectId, branchId),
    done: async () => !isDeepStrictEqual(runOf(await readStatus(context, address)), before),
  });
}

async function waitUntilMasked(context: Context, address: BranchAddress): Promise<void> {
  const { branchId } = address;
  await context.until(
    async (show) => {
      const { state, status_message: message = "no reason given" } = await readStatus(context, address);
      if (state === masked) return true;
      if (state !== "error" && state !== preparationFailed) {
        show(`masking data: ${state}`);
        return undefined;
      }
      if (state === preparationFailed) context.progress.failed();
      throw invalid(`The data of branch ${branchId} was not masked, so it may be unmasked: ${message}`, {
        fix: "Correct `maskingRules`.",
      });
    },
    () => timedOut(branchId),
  );
}

function readStatus(context: Context, { projectId, branchId }: BranchAddress): Promise<MaskingStatus> {
  return context.read(masking.status(projectId, branchId));
}

function isMasking({ state }: MaskingStatus): boolean {
  return state === "created" || state === "anonymizing";
}

/** The members of a status that a new run changes. */
function runOf(status: MaskingStatus): object {
  return { ...pick(status, ["state", "updated_at"]), startedAt: status.last_run?.started_at };
}

function timedOut(branchId: string): NeonError {
  return new NeonError(
    "operation-timeout",
    `Timed out: the data of branch ${branchId} is still being masked`,
    undefined,
  );
}
