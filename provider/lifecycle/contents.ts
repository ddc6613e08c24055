import { messageOf } from "../../api/core/errors";
import { contents } from "../call/contents";
import type { Problem } from "../call/services";
import { ArchiveError } from "../call/archive";
import { Content } from "../content";
import { type FieldRule, ruleFor } from "../kind/field-rules";
import { holdsUnknown, type Values } from "../values";

/** Inputs whose files have been read. */
interface ReadInputs {
  /** Each file and archive has the hash of its content, which all later comparisons use. */
  readonly inputs: Values;
  readonly problems: readonly Problem[];
}

/**
 * Reads the files and archives among the inputs, as far as they are known. For an input in the option `ignoreChanges`,
 * the plugin gets the file of the state, with its hash, and does not read it: it may have changed since.
 *
 * @param before the inputs in the state; undefined for a new resource
 */
export async function withHashes(inputs: Values, before: Values = {}): Promise<ReadInputs> {
  const problems: Problem[] = [];
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(inputs)) {
    const { [name]: old } = before;
    const isOld =
      value instanceof Content && old instanceof Content && value.hash !== undefined && value.hash === old.hash;
    const digest =
      value instanceof Content && !isOld && !holdsUnknown(value)
        ? await contents.digest(value).catch((error: unknown) => void problems.push(problemOf(name, error)))
        : undefined;
    read.push([name, digest === undefined ? value : (value as Content).withHash(digest.hash)]);
  }
  return { inputs: Object.fromEntries(read), problems };
}

/**
 * Packs the archives that are about to be sent, which are those that the state does not have. Returns their problems.
 */
export async function packingProblems(
  rules: Readonly<Record<string, FieldRule>>,
  inputs: Values,
  before: Values | undefined,
): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(inputs)) {
    if (!(value instanceof Content) || value.type !== "archive" || holdsUnknown(value)) continue;
    const { [name]: old } = before ?? {};
    const isSent = ruleFor(rules, name).content?.isSent ?? true;
    if (!isSent || (old instanceof Content && old.hash === value.hash)) contents.sent(value);
    else await contents.zip(value).catch((error: unknown) => problems.push(problemOf(name, error)));
  }
  return problems;
}

function problemOf(property: string, error: unknown): Problem {
  return { property, reason: error instanceof ArchiveError ? error.message : `cannot be read: ${messageOf(error)}` };
}
