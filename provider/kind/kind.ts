import type { z } from "zod";

import type { Context, Kept } from "../call/context";
import type { Values } from "../values";
import type { Creation } from "./creation";
import type { Changes, FieldRule } from "./field-rules";
import { type Identified, identifiedBy } from "./id";
import type { Listing } from "./listing";
import type {
  Adoptable,
  Contained,
  Finishing,
  Need,
  PreconditionRule,
  Previewed,
  Recreated,
  Repeated,
  Replaceable,
  Scoped,
  Undeletable,
  Unique,
} from "./options";
import type { OutputSchema } from "./outputs";

/**
 * A kind of resource as its file defines it: data, and four verbs written against {@link Context}. Everything that is the same for
 * all kinds is in `provider/lifecycle/`. A kind knows nothing of Pulumi. A complete example:
 *
 *     export const label = defineKind<LabelInputs, LabelOutputs>({
 *       name: "Label",
 *       noun: "label",
 *       inputs: () => z.strictObject({ projectId: idInput, name: z.string(), color: z.string() }),
 *       outputs: () => z.object({ projectId: z.string(), name: z.string(), color: z.string() }),
 *       identifiedBy: ["projectId", "name"],
 *       create: ({ projectId, name, color }) =>
 *         creation({
 *           what: "create label",
 *           request: labels.create(projectId, { name, color }),
 *           repeatable: true,
 *           outputs: () => ({ projectId, name, color }),
 *         }),
 *       read: async (context, { projectId = "", name = "" }) => {
 *         const found = await ignoreNotFound(context.read(labels.get(projectId, name)));
 *         return found && { projectId, name, color: found.color };
 *       },
 *       update: async (context, { projectId, name }, { color }) => {
 *         await context.change({
 *           what: "change label",
 *           request: labels.update(projectId, name, { color }),
 *           applies: ["color"],
 *           done: async () => (await context.read(labels.get(projectId, name))).color === color,
 *         });
 *       },
 *       remove: async (context, { projectId, name }) => {
 *         await context.delete({
 *           what: "delete label",
 *           object: `label ${name}`,
 *           request: labels.delete(projectId, name),
 *           exists: async () =>
 *             (await ignoreNotFound(context.read(labels.get(projectId, name)))) !== undefined,
 *         });
 *       },
 *     });
 *
 * If the platform lists the objects, use `listedKind`, which derives how to read, find, list and delete them. If there is one object per
 * branch, project or organization, use `singletonKind`. For an object that is set instead of created, both take a `setting` instead of
 * `create` and `update`. `options.ts` has the options that only some kinds need.
 */
export interface KindDefinition<Inputs, Outputs>
  extends Unique<Inputs>, Adoptable<Inputs, Outputs>, Contained<Outputs>, Undeletable<Outputs> {
  readonly name: string;
  /** The name in messages, such as "branch". */
  readonly noun: string;
  /** The schema of the inputs. It is strict: an unknown name is an error. */
  readonly inputs: () => z.ZodType<Inputs>;
  /** The schema of the outputs, each with its description. */
  readonly outputs: OutputSchema<Outputs>;
  /**
   * The outputs that make up the id in the state, in this order, parents first. They are inputs, too, except for an id
   * that the platform assigns. Changing one replaces the object, unless its rule says otherwise.
   */
  readonly identifiedBy: readonly (keyof Outputs & string)[];
  /** Rules by path, such as `settings.hipaa`; a rule holds for everything below its path. Default: none. */
  readonly rules?: Readonly<Record<string, FieldRule>>;

  /** Builds the creation of the object, which the lifecycle sends. */
  readonly create: (inputs: Inputs, defaults: Defaults) => Creation<Outputs>;
  /** Reads the object; undefined if it does not exist. Outputs that cannot be read are taken from `state`. */
  readonly read: (context: Context, state: Partial<Outputs>) => Promise<Outputs | Observation<Outputs> | undefined>;
  /** Applies the changed inputs, at least one, with `context.change`. Absent if every change replaces the object. */
  readonly update?: (context: Context, state: Outputs, inputs: Inputs, changed: Changes) => Promise<void>;
  /** Deletes the object with `context.delete`. It is not an error if the object does not exist. */
  readonly remove: (context: Context, state: Outputs) => Promise<void>;

  /** The input whose default is the resource's logical name. */
  readonly defaultName?: string;
  /**
   * Outputs that hold the value of an input, by output, with the path of the input. A secret input makes the output
   * secret.
   */
  readonly carries?: Readonly<Partial<Record<keyof Outputs & string, string>>>;
  /** The version of the outputs' shape. Default: 1. */
  readonly version?: number;
  /** The object's id in the state. Default: the outputs of {@link KindDefinition.identifiedBy}. */
  readonly id?: (outputs: Partial<Outputs>) => string;
  /**
   * Only the response to the creation contains the secret. An object without its secret is therefore never taken for
   * the result of a request.
   */
  readonly secretOnce?: true;
  /** The ownership tag of an object, if the platform stores one with it. */
  readonly tagOf?: (context: Context, outputs: Partial<Outputs>) => Promise<string | undefined>;
  /** How `neon-pulumi import` finds the objects of an account. Projects are listed by the account that has them. */
  readonly listing?: Listing;
  readonly identity?: Recreated<Outputs>;
  readonly replacement?: Replaceable;
  readonly needs?: readonly Need[];
  readonly precondition?: PreconditionRule<Outputs>;
  readonly preview?: Previewed<Outputs>;
  readonly finishing?: Finishing<Outputs>;
  readonly scope?: Scoped;
  readonly repeats?: Repeated<Outputs>;
  /**
   * Secret inputs that only a change needs. The state of a dynamic provider holds a hash of each instead
   * (`hashOfInput`), so their rules compare hashes.
   */
  readonly unstored?: readonly string[];
}

/** The result of a read, if the state keeps more of the object than its outputs. */
export class Observation<Outputs> {
  readonly outputs: Outputs;
  readonly seen: Seen;

  constructor(outputs: Outputs, seen: Seen) {
    this.outputs = outputs;
    this.seen = seen;
  }
}

/** Facts about an object, besides its outputs, that a read has found. */
export interface Seen extends Kept {
  /** Why the object cannot be changed, as a message. The state keeps it until the next refresh. */
  readonly obstacle?: string | undefined;
}

/** The call that runs a read. It keeps the facts that the read has found. */
interface Observer extends Context {
  seen: Seen;
}

/** A kind with its defaults filled in. */
export interface Kind<Inputs, Outputs>
  extends
    Omit<KindDefinition<Inputs, Outputs>, "identifiedBy" | "rules" | "uniqueBy" | "id" | "read">,
    Identified<keyof Outputs & string, Outputs> {
  readonly rules: Readonly<Record<string, FieldRule>>;
  readonly uniqueBy: readonly string[];
  readonly read: (call: Observer, state: Partial<Outputs>) => Promise<Outputs | undefined>;
}

/** A kind as the lifecycle uses it, without the names of its inputs and outputs. */
export type AnyKind = Kind<Values, Values>;

/** Fills in the defaults of a definition. */
export function defineKind<Inputs, Outputs>({
  identifiedBy: names,
  uniqueBy = names,
  rules,
  ...own
}: KindDefinition<Inputs, Outputs>): Kind<Inputs, Outputs> {
  const fixed = names.filter((name, index) => index < names.length - 1 || uniqueBy.includes(name));
  const replacing = fixed.map((name): [string, FieldRule] => [
    name,
    { onChange: "replace", ...(name === "orgId" && { unset: "orgId" }) },
  ]);
  return {
    ...identifiedBy<Outputs>(names),
    ...own,
    uniqueBy,
    rules: { ...Object.fromEntries(replacing), ...rules },
    read: async (call, state) => {
      const found = await own.read(call, state);
      if (!(found instanceof Observation)) return found;
      call.seen = found.seen;
      return found.outputs;
    },
  };
}

/** Values for inputs that the program omits. */
export interface Defaults {
  /** The organization of projects that do not declare one. */
  readonly orgId?: string | undefined;
}

/** The project whose lock a change of this object needs, if it belongs to one. */
export function projectOf({ scope }: AnyKind, { projectId }: Values): string | undefined {
  return scope?.lock === undefined && typeof projectId === "string" ? projectId : undefined;
}
