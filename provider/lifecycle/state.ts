import { z } from "zod";

import { invalid, type NeonError } from "../../api/errors";
import type { AnyKind } from "../kind/kind";
import type { Pending } from "../kind/pending-work";
import { type Values, withoutUndefined } from "../kind/values";
import type { Owner } from "../ownership/visibility";

/** The key under which inputs and outputs carry hidden members. */
export const hiddenKey = "__neon";

/** How long each verb may wait, as declared in `customTimeouts`. */
export interface Timeouts {
  readonly create?: string;
  readonly update?: string;
  readonly delete?: string;
}

/** What the constructor and `check` add to a resource's inputs. */
export interface HiddenInputs {
  readonly urn: string;
  /** The name that was chosen because the program declares none. */
  readonly name?: string;
  readonly timeouts?: Timeouts;
  /** Whether the resource option `retainOnDelete` is set. It reaches `check` only. */
  readonly isRetained?: boolean;
  /** The stack's Pulumi organization. It reaches `check` only. */
  readonly organization?: string;
}

/** The hidden members of outputs. */
export interface HiddenOutputs extends HiddenInputs {
  readonly version: number;
  /** Paths of the inputs that the program declares. */
  readonly declared: readonly string[];
  /** The creation id of the object, if this stack has created it. */
  readonly attempt?: string;
  /** Tells the adoption of the object from any other one, if this stack has adopted it. */
  readonly adoption?: string;
  /** The journal entry of the latest change that must not be sent twice, if the call that wrote this has sent one. */
  readonly change?: string;
  /** The owner of the object's project, by which `assertVisible` judges a 404. */
  readonly owner?: Owner;
  readonly pending?: Pending;
}

/** A resource's parsed state. */
export interface State {
  readonly hidden: Partial<HiddenOutputs>;
  readonly outputs: Values;
}

/** The number of a journal entry: it names a file in the journal's folder, and no other. */
const journalNumber = z.string().regex(/^[\w-]+$/);

/** The hidden members, as far as they have to be valid: a state can be edited, imported and restored by hand. */
const hiddenShape = z.looseObject({
  urn: z.string().optional(),
  name: z.string().optional(),
  timeouts: z.record(z.string(), z.unknown()).optional(),
  version: z.int().min(1).optional(),
  declared: z.array(z.string()).optional(),
  attempt: journalNumber.optional(),
  adoption: z.string().optional(),
  change: journalNumber.optional(),
  isRetained: z.boolean().optional(),
  organization: z.string().optional(),
  owner: z.union([z.object({ orgId: z.string() }), z.object({ userId: z.string() })]).optional(),
  pending: z
    .looseObject({
      step: z.enum(["create", "update"]),
      operations: z.array(
        z.looseObject({ projectId: z.string(), operationId: z.string(), action: z.string(), createdAt: z.string() }),
      ),
      applies: z.array(z.string()),
      once: z.object({ idempotencyKey: z.string(), before: z.looseObject({}) }).optional(),
      ended: z.boolean().optional(),
      reason: z.string(),
      broken: z.boolean().optional(),
    })
    .optional(),
});

/** The hidden members of inputs. A program can pass anything under any name. */
export function hiddenInputsOf(values: Values): HiddenInputs {
  const parsed = hiddenShape.safeParse(values[hiddenKey] ?? {});
  return { urn: "", ...(parsed.success ? (parsed.data as Partial<HiddenInputs>) : {}) };
}

/** Parses stored outputs, in the shape of this version whatever version wrote them. */
export function parseState(kind: AnyKind, id: string, stored: Values): State {
  const { [hiddenKey]: own, ...rest } = stored;
  const parsed = hiddenShape.safeParse(own ?? {});
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(kind, id, `its member ${[hiddenKey, ...(issue?.path ?? [])].join(".")} is malformed`);
  }
  const hidden = parsed.data as Partial<HiddenOutputs>;
  const address = addressOf(kind, id);
  // Without a version it is a lookup by id: only the address is known.
  if (hidden.version === undefined) return { hidden, outputs: address };
  if (hidden.version > kind.version) {
    throw invalid(
      `The state of this ${kind.noun} was written by a newer neon-pulumi (format ${hidden.version}; this one reads formats up to ${kind.version}). Upgrade the package.`,
    );
  }
  // No output is null: a null counts as absent.
  let outputs: Values = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  for (let version = hidden.version; version < kind.version; version += 1) {
    outputs = kind.upgrade?.(outputs, version) ?? outputs;
  }
  // With another address the object would not be found, and would count as deleted.
  const wrong = Object.entries(address).find(
    ([name, value]) => typeof outputs[name] !== typeof value || !outputs[name],
  );
  if (wrong !== undefined) throw unreadable(kind, id, `its member ${wrong[0]} is missing or malformed`);
  return { hidden, outputs };
}

/** The address that an id in state holds, if it is one of this kind. */
function addressOf({ address, id: idOf, noun }: AnyKind, id: string): Values {
  const found = address(id);
  const segments = (text: string): number => text.split("/").length;
  if (Object.values(found).every(Boolean) && segments(idOf(found)) === segments(id)) return found;
  const form = Object.keys(found).map((name) => `<${name}>`);
  throw invalid(`"${id}" is not a valid ${noun} id in the Pulumi state. The form is "${form.join("/")}".`);
}

function unreadable({ noun }: AnyKind, id: string, why: string): NeonError {
  return invalid(
    `The state of the ${noun} ${id} cannot be read: ${why}. Nothing was changed. Restore the state from before; or take the resource out of it with \`pulumi state delete\`, which leaves the ${noun} alone, and declare \`adopt\` to manage it again.`,
  );
}

/** Tells an entry of the state from others that hold the same object. Unknown for what an earlier version adopted. */
export function entryOf({
  attempt,
  adoption,
}: {
  readonly attempt?: string | undefined;
  readonly adoption?: string | undefined;
}): string | undefined {
  return attempt ?? adoption;
}

/** The values that the user sees. */
export function withoutHidden(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== hiddenKey));
}

/** Outputs and hidden members, as they are stored. */
export function storedState(outputs: Values, hidden: HiddenOutputs): Values {
  return withoutUndefined({ ...outputs, [hiddenKey]: hidden }) as Values;
}
