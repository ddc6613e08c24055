import type { Call } from "../call/call";
import { declaredPaths } from "../kind/differences";
import { type FieldRule, ruleFor } from "../kind/field-rules";
import type { AnyKind } from "../kind/kind";
import { originOf } from "../ownership/claim";
import { hashOf } from "../ownership/ids";
import { isOfUrn } from "../ownership/ownership-tag";
import { leafPaths, pick, type Values } from "../values";
import { claimManaged, claimNew } from "./claims";
import { readConfirmed } from "./confirmed-read";
import { nothingDone, nothingToRead } from "./errors";
import { tagOf } from "./existing/maker";
import type { Reading } from "./read";
import { type State, storedState } from "./state";
import { type ServedKind, Work } from "./work";

/**
 * Reads an object to import or to look up: its outputs, and the inputs that would declare it. Fails if it does not
 * exist.
 */
export async function importObject(
  served: ServedKind,
  call: Call,
  { outputs: address }: State,
): Promise<Required<Reading>> {
  const { kind } = served;
  const work = new Work(served, call, "refresh", { values: address });
  try {
    const outputs = await readConfirmed(
      work,
      "listed",
      () => kind.read(work, address),
      () => true,
    );
    if (outputs === undefined) {
      throw nothingToRead(kind, kind.id(address), await work.visibility.keyOwner());
    }
    const inputs = importable(kind, outputs);
    // The origin is the same in the preview and in the import, and differs if another resource has this object.
    const origin = { adoptionId: hashOf(call.urn) };
    return { inputs, ...storedState(work, outputs, inputs, origin, await work.ownerOf(outputs, undefined)) };
  } catch (error) {
    throw nothingDone(kind, error, "read");
  }
}

/**
 * Claims an imported object for its resource. Fails if another resource of this run has it. Warns if the object's tag
 * names another resource as its creator: for resources in states that this run does not read, the tag is the only
 * evidence.
 */
export async function claimImported(
  served: ServedKind,
  call: Call,
  { outputs, hidden }: Reading,
  inputs: Values,
): Promise<void> {
  const { kind, services } = served;
  const claimant = { ...served, call };
  claimNew(claimant, outputs, originOf(hidden) ?? "");
  claimManaged(claimant, outputs, hidden, declaredPaths(kind, inputs));
  const tag = await tagOf(new Work(served, call, "preview", { values: outputs }), outputs).catch(() => undefined);
  if (tag === undefined || isOfUrn(tag, call.urn)) return;
  services.warn(
    call.urn,
    `Another Pulumi resource created the ${kind.noun} ${kind.id(outputs)}. If it still manages it, in this stack or in another one, each of the two can change and delete the ${kind.noun}. Keep one of them: \`pulumi state delete\` removes the other one from its state and deletes nothing.`,
  );
}

/**
 * The inputs of an imported object, from its outputs. Inputs whose removal clears something are omitted, so that a
 * program that declares fewer inputs changes nothing. Inputs that the platform does not report are omitted, too.
 */
export function importable(kind: AnyKind, outputs: Values): Values {
  return accepted(kind, outputs, ({ onRemove }) => onRemove !== "clear");
}

/** The inputs that declare an object as it is, including those whose removal clears something. */
export function declarable(kind: AnyKind, outputs: Values): Values {
  return accepted(kind, outputs, ({ onRemove, platform }) => onRemove !== "clear" || platform !== "moves");
}

function accepted({ inputs, rules }: AnyKind, outputs: Values, isMeant: (rule: FieldRule) => boolean): Values {
  let paths = leafPaths(outputs).filter((path) => {
    const rule = ruleFor(rules, path);
    return isMeant(rule) && rule.platform !== "write-only" && rule.platform !== "unaware";
  });
  // Drop what no program can declare, until the schema accepts the rest.
  for (;;) {
    const values = pick(outputs, paths);
    const refused = (inputs().safeParse(values).error?.issues ?? []).flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => [...issue.path, key].join("."))
        : [issue.path.join(".")],
    );
    const left = paths.filter((path) => !refused.some((one) => path === one || path.startsWith(`${one}.`)));
    if (left.length === paths.length) return values;
    paths = left;
  }
}
