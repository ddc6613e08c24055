import type { z } from "zod";

import type { ObjectKey } from "../ownership/claim";
import type { Context } from "./context";
import type { Found } from "./found";
import type { Values } from "./values";

/**
 * What is special about one input: a few independent questions, each with a default. An input without a rule is updated
 * in place, compared with what the platform reports, and ignored when the program omits it.
 */
export interface FieldRule {
  /**
   * What a change of the program does. Default: it updates the object in place. With `replace`, the declared value stays
   * in the state however the platform words it later, so that only a change of the program ever replaces.
   */
  readonly onChange?: "replace";
  /**
   * What the platform knows of it. Default: it reports it, and a difference is drift.
   *
   * - `moves`: it changes without anybody changing the resource; the declared value is frozen, so that only a change of
   *   the program counts.
   * - `write-only`: it takes the value and never reports it; the declared value stands for it.
   * - `unaware`: it exists in the program and the state only; the kind decides what a change does.
   */
  readonly platform?: "moves" | "write-only" | "unaware";
  /** What omitting a previously declared value does. Default: the object keeps it. `clear` removes it from the object. */
  readonly onRemove?: "clear";
  /** How values that are written differently are compared. Default: literally. */
  readonly equality?: "instant" | "set" | "caseless";
  /**
   * What no value means. Default: nothing is known.
   *
   * - `false`: a declared `false` is the same as omitting it.
   * - `none`: if the platform reports no value, there is none.
   * - `orgId`: the account's setting of that name applies if the program omits it; one of the two is required.
   */
  readonly unset?: "false" | "none" | "orgId";
  /** Why a change cannot be made at all, if so; asked in `check`. */
  readonly refuse?: (from: unknown, to: unknown) => string | undefined;
}

/** Something wrong with an input, by the input's path. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}

/**
 * A kind of resource: data, and four verbs written against a small context.
 *
 * Everything that is the same for all kinds (unknown values, defaults, validation, secrets, time-outs, turns, waiting,
 * partial failure and going on from it, adoption, recognizing what is ours, progress, versions of the state) is the
 * lifecycle's and stands in `lifecycle.ts`. A kind knows nothing of Pulumi.
 */
export interface Kind<Inputs, Outputs> {
  readonly name: string;
  /** What one is called in messages, such as "branch". */
  readonly noun: string;
  /** The version of the shape of its outputs. Goes up by one with each change that `upgrade` then bridges. */
  readonly version: number;
  /** Turns outputs of the version before into those of the next. */
  readonly upgrade?: (outputs: Values, from: number) => Values;
  /** What a program may declare, strictly: an unknown name is a mistake. */
  readonly inputs: z.ZodType<Inputs>;
  /** Rules by path, such as `settings.hipaa`; a rule holds for everything below its path. */
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** Inputs that steer only the taking over and are never a difference. */
  readonly controls: readonly string[];
  /** The input that is the resource's logical name unless declared. */
  readonly defaultName?: string;
  /** The name of the object that `adopt` names, where it names it by that: then that is the default. */
  readonly adoptedName?: (inputs: Values) => string | undefined;
  /** Outputs that are secret. */
  readonly secrets: readonly string[];
  /**
   * The inputs that no two objects may share: a replacement that keeps them all is made after the old object is gone.
   * Empty when any number of equal objects can stand side by side. A function where that depends on the inputs.
   */
  readonly uniqueBy: readonly string[] | ((inputs: Values) => readonly string[]);
  /** Once deleted, an object like it can never be created again. */
  readonly onlyOnce?: true;
  /** What replacing means for the user's data, for the warning in the preview. */
  readonly lossOnReplace?: string;
  /**
   * The project whose turn a change has to wait for, and whose operations it starts; undefined for what starts none.
   * Default: the one that `projectId` names.
   */
  readonly project?: (values: Values) => string | undefined;
  /**
   * Whose turn a change has to wait for, if it is not the project's: objects that could be taken for each other when an
   * answer is lost are made one after the other.
   */
  readonly lock?: (values: Values) => string | undefined;
  /** What an id in state says about the object. */
  readonly address: (id: string) => Partial<Outputs>;

  /**
   * Makes the object by `context.create`. Where the platform does not itself refuse a second one of the same natural key,
   * although there can be only one, the kind looks first and throws an `AlreadyThereError`.
   */
  readonly create: (context: Context, inputs: Inputs) => Promise<Found<Outputs>>;
  /** The object as it is, with the outputs that cannot be read taken from `state`; undefined when it is gone. */
  readonly read: (context: Context, state: Partial<Outputs>) => Promise<Outputs | undefined>;
  /** Applies the changed inputs, named by path, by `context.change`. */
  readonly update: (context: Context, state: Outputs, inputs: Inputs, changed: Changes) => Promise<void>;
  /** Removes the object by `context.change`; one that is gone already is fine. */
  readonly remove: (context: Context, state: Outputs) => Promise<void>;

  /** The object to take over: the one with this id, or the one that these inputs name. */
  readonly find: (context: Context, inputs: Inputs, id: string | undefined) => Promise<Partial<Outputs> | undefined>;
  /** The id in state of an object. */
  readonly id: (outputs: Partial<Outputs>) => string;
  /** How an object is found that was created and never recorded. */
  readonly recovery: RecoveryRule<Inputs, Outputs>;
  /** Makes up for what only the answer that made the object told, where that was lost; asked of each object made. */
  readonly complete?: (context: Context, made: Outputs) => Promise<void>;
  /** Objects of other kinds that this one owns as its parts, if it declares them: no other resource takes them over. */
  readonly parts?: (outputs: Outputs, declared: Changes) => readonly ObjectKey[];
  /**
   * Why this object cannot be deleted by nature, if so: it is then released from state instead. Asked only of what was
   * taken over: what a resource has made itself it can delete.
   */
  readonly undeletable?: (context: Context, state: Outputs) => Promise<string | undefined>;
  /** Whether an object whose creation ended badly can still become what it should be. */
  readonly usable?: (context: Context, state: Outputs) => Promise<boolean>;
  /** Makes up for an operation that ended badly, once that has been waited for. */
  readonly repair?: (context: Context, state: Outputs) => Promise<void>;
}

/** How a creation that nobody has recorded is recognized. */
export type RecoveryRule<Inputs, Outputs> =
  | {
      /** Its objects carry an ownership tag. */
      readonly by: "tag";
      /** The tagged objects, whoever made them: those created since then, or without a time those of the same name. */
      readonly list: (
        context: Context,
        inputs: Inputs,
        since: Date | undefined,
      ) => Promise<readonly TaggedObject<Outputs>[]>;
    }
  | {
      /** Its objects carry no tag: only the natural key and the time tell. */
      readonly by: "naturalKey";
      /**
       * The objects of the natural key of these inputs that appeared at this moment or later, by the platform's clock.
       * Where the platform tells no time, whatever is there: it was not when the creation began.
       */
      readonly list: (context: Context, inputs: Inputs, since: Date) => Promise<readonly Partial<Outputs>[]>;
      /** Only the answer of the creation tells the secret: without it the object is useless, and is replaced. */
      readonly secretOnce?: true;
    };

/** An object with the ownership tag that it carries. */
export interface TaggedObject<Outputs> {
  readonly tag: string;
  readonly found: Partial<Outputs>;
}

/** Paths of inputs, such as those that changed. */
export interface Changes {
  /** Whether this input, or anything in it, is among them. */
  readonly has: (path: string) => boolean;
}

/** The project whose turn a change of this object has to wait for, if it stands in one. */
export function projectOf({ project }: Pick<Kind<never, never>, "project">, values: Values): string | undefined {
  if (project !== undefined) return project(values);
  const { projectId } = values as { readonly projectId?: unknown };
  return typeof projectId === "string" ? projectId : undefined;
}
