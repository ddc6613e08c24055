import type { z } from "zod";

import { hasStatus, type HttpError } from "../../api/core/errors";
import type { Context } from "../call/context";
import type { Search } from "../call/lists";
import type { Creation } from "./creation";
import type { Problem } from "../call/services";
import type { Owner } from "../call/visibility";
import type { ObjectKey } from "../ownership/claim";
import type { Listing } from "./listing";
import type { OutputSchema } from "./outputs";
import type { ContentType } from "../content";
import type { Values } from "../values";

/**
 * What is special about one input: a few independent questions, each with a default. An input without a rule is updated
 * in place, compared with what the platform reports, and ignored when the program omits it.
 */
export interface FieldRule {
  /**
   * What a change of the program does. Default: it updates the object in place. With `replace`, the declared value stays
   * in the state however the platform has worded it, until a refresh finds that somebody has changed it.
   */
  readonly onChange?: "replace";
  /**
   * What a change by somebody else means. Default: it is drift, which the next `up` reverts; so is a change of what the program omits,
   * from the value that the reference names as the default. `ignore`: the state keeps what is declared, because a replacement would
   * lose data, or because nothing is to be reverted that the program does not declare.
   */
  readonly onDrift?: "ignore";
  /** What declaring it does to an object that reports nothing of it. Default: it is set in place. */
  readonly onAdd?: "replace";
  /**
   * What the platform knows of it. Default: it reports it, and a difference is drift.
   *
   * - `moves`: it changes without anybody changing the resource; the declared value is frozen, so that only a change of
   *   the program counts.
   * - `write-only`: it accepts the value and never reports it; the state keeps the declared one.
   * - `unaware`: it exists in the program and the state only; the kind decides what a change does.
   */
  readonly platform?: "moves" | "write-only" | "unaware";
  /** What omitting a previously declared value does. Default: the object keeps it. `clear` removes it from the object. */
  readonly onRemove?: "clear";
  /** How values that are written differently are compared. Default: literally. A function tells whether the first one is as declared. */
  readonly equality?: "instant" | "set" | "caseless" | ((present: unknown, declared: unknown) => boolean);
  /**
   * What no value means. Default: nothing is known.
   *
   * - `false`: a declared `false` is the same as omitting it.
   * - `none`: if the platform reports no value, there is none.
   * - `orgId`: the account's setting of that name applies if the program omits it; one of the two is required.
   */
  readonly unset?: "false" | "none" | "orgId";
  /**
   * The value that the object has by now, as far as the project's owner tells it. A program that declares it changes
   * nothing: the state records it.
   */
  readonly present?: (owner: Owner) => unknown;
  /** Why a change cannot be made at all, if so; asked in `check`. */
  readonly refuse?: (from: unknown, to: unknown) => string | undefined;
  /** It is a file or an archive, of which the state keeps only the hash: in the output of this name. */
  readonly content?: { readonly type: ContentType; readonly hash: string };
  /** The outputs that a change in place can change besides the input itself. Default: none. */
  readonly affects?: readonly string[];
}

/**
 * A kind of resource: data, and four verbs written against {@link Context}. Everything that is the same for all kinds is
 * in `provider/lifecycle/`. A kind knows nothing of Pulumi.
 *
 * What only some kinds need is optional, in groups of what belongs together.
 */
export interface Kind<Inputs, Outputs> {
  readonly name: string;
  /** The name in messages, such as "branch". */
  readonly noun: string;
  /** The version of the shape of its outputs. Default: 1. */
  readonly version?: number;
  /** What a program may declare, strictly: an unknown name is a mistake. */
  readonly inputs: () => z.ZodType<Inputs>;
  /** What is known of an object, each output with its words. */
  readonly outputs: OutputSchema<Outputs>;
  /** Rules by path, such as `settings.hipaa`; a rule holds for everything below its path. */
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** Outputs that hold the value of an input at another path: a secret input makes them secret. */
  readonly carries?: Readonly<Partial<Record<keyof Outputs & string, string>>>;
  /** The input whose default is the resource's logical name. */
  readonly defaultName?: string;
  /**
   * The inputs that no two objects may share: a replacement that keeps them all deletes the old object first. Empty if any
   * number of equal objects can exist.
   */
  readonly uniqueBy: readonly string[];
  /** The values of inputs of which {@link Kind.uniqueBy} holds. Default: all. */
  readonly uniqueWhere?: Readonly<Partial<Inputs>>;
  /** The names of the outputs that an id in state holds, in this order. */
  readonly addressNames: readonly (keyof Outputs & string)[];
  /** These outputs, from an id. */
  readonly address: (id: string) => Partial<Outputs>;
  /** The id in state of an object. */
  readonly id: (outputs: Partial<Outputs>) => string;
  /** What tells the object from another one that has its id, because it was created later. Default: the id does. */
  readonly identity?: IdentityRule<Outputs>;

  /** The creation of the object. */
  readonly create: (inputs: Inputs, defaults: Defaults) => Creation<Outputs>;
  /** The object, with the outputs that cannot be read taken from `state`; undefined if it does not exist. */
  readonly read: (context: Context, state: Partial<Outputs>) => Promise<Outputs | undefined>;
  /** Applies the changed inputs, named by path, with `context.change`. Absent if every change replaces the object. */
  readonly update?: (context: Context, state: Outputs, inputs: Inputs, changed: Changes) => Promise<void>;
  /** Deletes the object with `context.change`. An object that does not exist is no error. */
  readonly remove: (context: Context, state: Outputs) => Promise<void>;

  /**
   * How the objects are found that have the natural key of these inputs or, where there is none, their name. Default: the one
   * at the address that the inputs hold.
   */
  readonly namesakes?: (context: Context, inputs: Inputs) => NamesakeSearch<Outputs>;
  /** The object that `adopt` names. Default: the one whose id ends with this segment; the ones before it are inputs. */
  readonly adopted?: (context: Context, inputs: Inputs, segment: string) => Promise<Partial<Outputs> | undefined>;
  /** How the object that `adopt` names can be had again although it was deleted, if it can. */
  readonly recovery?: (context: Context, inputs: Inputs, state: Partial<Outputs>) => Promise<string | undefined>;
  /** The ownership tag of an object, if the platform stores one with it. */
  readonly tagOf?: (context: Context, outputs: Partial<Outputs>) => Promise<string | undefined>;
  /** Only the response to the creation contains the secret: nobody takes an object without it for the result of a request. */
  readonly secretOnce?: true;

  /** How `neon-pulumi import` finds the objects of an account. Projects are listed by the account that has them. */
  readonly listing?: Listing;
  /** What to do if there is one already that somebody else has. Default: declare another name, or remove the resource. */
  readonly alternative?: string;
  /** What has to be there before it is created or changed. */
  readonly needs?: readonly Need[];
  readonly replacement?: ReplacementRule;
  readonly preview?: PreviewRule<Outputs>;
  readonly scope?: ScopeRule;
  readonly finishing?: FinishingRule<Outputs>;
  readonly precondition?: PreconditionRule<Outputs>;
  /**
   * The containers of an object, by kind: the outputs that hold the id of each. Deleting a container deletes the object. Default:
   * the project and the branch that the outputs name; `false` if the object outlives that one.
   */
  readonly within?: Readonly<Record<string, readonly string[] | false>>;
  /** What the object contains stays when it is deleted, without use until there is another one. Default: it is deleted, too. */
  readonly leavesContents?: true;
  /** What a change in place deletes of what the object contains. Default: nothing. */
  readonly empties?: (state: Outputs, inputs: Values, changed: Changes) => Emptying | undefined;
  /** Objects of other kinds that this one owns as its parts, if it declares them: no other resource adopts them. */
  readonly parts?: (outputs: Outputs, declared: Changes) => readonly ObjectKey[];
  /** Why an adopted object can never be deleted, if so: it is removed from the state instead. */
  readonly undeletable?: (context: Context, state: Outputs) => Promise<string | undefined>;
  /** What keeps the platform from deleting an object alone, though not with its branch or project, in a sentence; undefined if nothing. */
  readonly heldBy?: (context: Context, state: Outputs) => Promise<string | undefined>;
}

/** A kind as the lifecycle uses it, which knows no inputs or outputs by name. */
export type AnyKind = Kind<Values, Values>;

/** What applies where the program declares nothing. */
export interface Defaults {
  /** Organization of projects that do not declare theirs. */
  readonly orgId?: string | undefined;
}

/** A change in place that deletes what an object contains. */
export interface Emptying {
  /** What it is, such as "reset". */
  readonly what: string;
  /** The kinds of the objects that it can delete. What it puts in their place belongs to no resource. */
  readonly kinds: readonly string[];
}

/** What an object needs of others, and what the platform answers if it is not there. */
export interface Need {
  readonly status: number;
  /** Matches the platform's message. Default: all messages. */
  readonly message?: RegExp;
  /** What to declare, in sentences. */
  readonly fix: string;
}

/** Whether an error says that what an object needs is not there. */
export function isLackOf({ status, message }: Need, error: unknown): error is HttpError {
  return hasStatus(error, status) && (message?.test(error.reason) ?? true);
}

/** What replacing an object means. */
export interface ReplacementRule {
  /** For the user's data, for the warning in the preview; with a function, for an object of these outputs. */
  readonly loss: string | ((outputs: Values) => string);
  /** What else to know if the old object is deleted before the new one is created. */
  readonly deletedFirst?: string;
  /** Once deleted, an object like it can never be created again: nothing advises to delete it. */
  readonly isFinal?: true;
}

/** What a preview says of new and changed inputs, which may hold unknown values. */
interface PreviewRule<Outputs> {
  /**
   * The problems of the inputs that only the platform can tell.
   *
   * @param inputs of a new resource, `adopt` tells whether it adopts an object instead of creating one
   * @param before the inputs in the state; undefined for a new resource
   */
  readonly problems?: (context: Context, inputs: Values, before: Values | undefined) => Promise<readonly Problem[]>;
  /** What a change of these inputs overwrites for good, in a sentence; undefined if nothing. */
  readonly overwrites?: (state: Outputs, inputs: Values, changed: Changes) => string | undefined;
  /** Whether a change of these inputs is refused while the state holds an obstacle that a refresh has found. Default: none is. */
  readonly refuses?: (inputs: Values, changed: Changes) => boolean;
}

/** What changes of an object exclude. Default: other changes of the project that `projectId` names. */
interface ScopeRule {
  /** Objects of this kind are the projects themselves: one that this key sees is not deleted. */
  readonly isProject?: true;
  /** Its operations name a branch that the platform does not show, not the one that `branchId` names. */
  readonly hasHiddenBranch?: true;
  /**
   * The lock of objects whose changes start no operations of a project. Those that a lost response could confuse share one: they
   * are created one after the other. Default: the project's.
   */
  readonly lock?: (values: Values) => string | undefined;
  /** Changes start no operations of the project: they exclude only other changes of the same object. */
  readonly isApart?: true;
}

/** How an object is finished whose creation, or an operation of it, did not succeed. */
interface FinishingRule<Outputs> {
  /** `usable` and `repair` judge by the object itself, not by what has failed: they also serve an object that is adopted. */
  readonly readsState?: true;
  /** Whether an object whose creation failed can still become usable. Default: it can. */
  readonly usable?: (context: Context, state: Outputs) => Promise<boolean>;
  /** Repairs the object after an operation has failed. */
  readonly repair?: (context: Context, state: Outputs) => Promise<void>;
  /** Restores what only the lost response to the creation contained. Called for each created object; after a failed creation, once the update has been applied. */
  readonly complete?: (context: Context, created: Outputs) => Promise<void>;
}

/** What has to exist before the platform creates, changes or deletes an object: this run may still be creating it. */
export interface PreconditionRule<Outputs> extends Need {
  /** Whether it exists now. */
  readonly isMet: (context: Context, state: Partial<Outputs>) => Promise<boolean>;
  /** What has to exist, such as "read-write compute". */
  readonly what: (state: Partial<Outputs>) => string;
  /** What lacks it, such as "branch br-1". */
  readonly of: (state: Partial<Outputs>) => string;
  /** The lock of the call that may be creating it, besides that of the project. */
  readonly lock?: (state: Partial<Outputs>) => string;
  /** What becomes of an object that cannot be deleted without it. Default: it can be. */
  readonly remains?: string;
}

/** What tells an object from another one of the same id. */
export interface IdentityRule<Outputs> {
  /** The output that does. */
  readonly by: keyof Outputs & string;
  /** It is a setting, which anybody can change: another value is no other object, but a delete is not sent again then. */
  readonly isSetting?: true;
  /** What it is now; undefined if there is no object. */
  readonly read: (context: Context, state: Outputs) => Promise<unknown>;
}

/** How the objects are found that one of the same inputs can be taken for. */
interface NamesakeSearch<Outputs> extends Search<unknown> {
  /** What the list says of one: enough to read it. */
  readonly outputs: (item: unknown) => Partial<Outputs>;
}

/** The same, for code that does not know the items. Its members agree with each other about them. */
export function namesakes<Item, Outputs>(
  of: Search<Item> & { readonly outputs: (item: Item) => Partial<Outputs> },
): NamesakeSearch<Outputs> {
  return of as unknown as NamesakeSearch<Outputs>;
}

/** Paths of inputs, such as those that changed. */
export interface Changes {
  /** Whether this input, or anything in it, is among them. */
  readonly has: (path: string) => boolean;
}

/** The project whose lock a change of this object needs, if it belongs to one. */
export function projectOf({ scope }: AnyKind, { projectId }: Values): string | undefined {
  return scope?.lock === undefined && typeof projectId === "string" ? projectId : undefined;
}
