import { hasStatus, type HttpError } from "../../api/core/errors";
import type { Context } from "../call/context";
import type { Search } from "../call/lists";
import type { Problem } from "../call/services";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Changes } from "./field-rules";

// Each interface is an option of a definition that only some kinds need.

/** Only one object of the same inputs can exist. */
export interface Unique<Inputs> {
  /**
   * The inputs that no two objects may share. A replacement that keeps them all deletes the old object first. Empty if
   * any number of equal objects can exist. Default: the inputs that identify the object.
   */
  readonly uniqueBy?: readonly string[];
  /** The input values for which `uniqueBy` holds. Default: all. */
  readonly uniqueWhere?: Readonly<Partial<Inputs>>;
  /** The advice if somebody else already has the object. Default: declare another name, or remove the resource. */
  readonly alternative?: string;
}

/** How `adopt` finds its object, if not by the address in the inputs. */
export interface Adoptable<Inputs, Outputs> {
  /** Finds the objects that have the natural key of these inputs or, if the kind has none, their name. */
  readonly namesakes?: (context: Context, inputs: Inputs) => NamesakeSearch<Outputs>;
  /**
   * Finds the object that `adopt` names. Default: the object whose id ends with this segment, with the segments before
   * it taken from the inputs.
   */
  readonly adopted?: (context: Context, inputs: Inputs, segment: string) => Promise<Partial<Outputs> | undefined>;
  /** How to restore the object that `adopt` names if it was deleted; undefined if that is not possible. */
  readonly recovery?: (context: Context, inputs: Inputs, state: Partial<Outputs>) => Promise<string | undefined>;
}

/** Tells an object from another one of the same id. */
export interface Recreated<Outputs> {
  /** The output in which the two differ. */
  readonly by: keyof Outputs & string;
  /**
   * The output is a setting, which anybody can change. Another value does not mean another object, but a delete is not
   * sent again once the value differs.
   */
  readonly isSetting?: true;
  /** Reads the present value of the output; undefined if the object does not exist. */
  readonly read: (context: Context, state: Outputs) => Promise<unknown>;
}

/** The consequences of replacing an object. */
export interface Replaceable {
  /** The user's loss, for the warning in the preview. A function if it depends on the outputs. */
  readonly loss: string | ((outputs: Values) => string);
  /** An addition to the warning if the old object is deleted before the new one is created. */
  readonly deletedFirst?: string;
  /** Once deleted, such an object can never be created again, so no message advises deleting it. */
  readonly isFinal?: true;
}

/** The object has containers besides its project and branch, or contains other objects. */
export interface Contained<Outputs> {
  /**
   * The containers of an object besides its project and branch, by kind, with the outputs that name each of them on the
   * branch. Deleting a container deletes the object. `Branch: false`: the object outlives its branch.
   */
  readonly within?: Readonly<Record<string, readonly string[] | false>>;
  /**
   * Deleting the object keeps its contents, which are of no use until another such object exists. Default: they are
   * deleted, too.
   */
  readonly leavesContents?: true;
  /** Tells which contents a change in place deletes. Default: none. */
  readonly empties?: (state: Outputs, inputs: Values, changed: Changes) => Emptying | undefined;
  /**
   * Objects of other kinds that this object owns as its parts while it declares them. No other resource adopts them.
   */
  readonly parts?: (outputs: Outputs, declared: Changes) => readonly ObjectKey[];
}

/**
 * The resource is work that is done in its containers, such as a migration, and not an object of its own. Emptying a
 * container undoes the work, and so can others. `update` then does it again.
 */
export interface Repeated<Outputs> {
  /**
   * The outputs after the work is undone: without those that tell what was done, so that all inputs differ. A read
   * returns them, too, if it finds that the work is undone.
   */
  readonly undone: (state: Outputs) => Outputs;
  /** Says in a preview why the work is done again, as a sentence. */
  readonly why: (reasons: RepeatReasons) => string;
  /** Says after a failure what the next `pulumi up` does, as a sentence. */
  readonly next: string;
}

/** Why work is done again. */
export interface RepeatReasons {
  /** The inputs that differ from those of the last time. */
  readonly changed: readonly string[];
  /** How the last time ended, if the state and this machine know of it: `interrupted` by a kill. */
  readonly last: "failed" | "interrupted" | undefined;
  /** The change of a container that undoes the work, such as `the reset of Branch "pr"`. */
  readonly undoneBy?: string | undefined;
  /** Whether a read has found that the work is undone. */
  readonly isUndone: boolean;
}

/** A change in place that deletes what an object contains. */
export interface Emptying {
  /** The name of the change in messages, such as "reset". */
  readonly what: string;
  /**
   * The kinds of the objects that the change can delete. Objects that it creates in their place belong to no resource.
   */
  readonly kinds: readonly string[];
}

/** A requirement of an object on other objects, and the platform's error if it is not met. */
export interface Need {
  readonly status: number;
  /** Matches the platform's message. Default: all messages. */
  readonly message?: RegExp;
  /** The advice on what to declare, in sentences. */
  readonly fix: string;
}

/** Whether an error says that a required object is missing. */
export function isLackOf({ status, message }: Need, error: unknown): error is HttpError {
  return hasStatus(error, status) && (message?.test(error.reason) ?? true);
}

/**
 * A requirement that must be met before the platform creates, changes or deletes an object. This run may still be
 * creating what is required.
 */
export interface PreconditionRule<Outputs> extends Need {
  /** Whether the required object exists now. */
  readonly isMet: (context: Context, state: Partial<Outputs>) => Promise<boolean>;
  /** The required object in messages, such as "read-write compute". */
  readonly what: (state: Partial<Outputs>) => string;
  /** The object that lacks it in messages, such as "branch br-1". */
  readonly of: (state: Partial<Outputs>) => string;
  /** The lock, besides that of the project, of the call that may be creating the required object. */
  readonly lock?: (state: Partial<Outputs>) => string;
  /**
   * The fate of an object that cannot be deleted while the required object is missing, as part of a sentence. Default:
   * it can be deleted.
   */
  readonly remains?: string;
}

/** The answers of a kind for a preview of new and changed inputs, which may hold unknown values. */
export interface Previewed<Outputs> {
  /**
   * The problems of the inputs that only the platform can tell.
   *
   * @param inputs the inputs; for a new resource, `adopt` tells whether it adopts an object instead of creating one
   * @param before the inputs in the state; undefined for a new resource
   */
  readonly problems?: (context: Context, inputs: Values, before: Values | undefined) => Promise<readonly Problem[]>;
  /**
   * The warning about data that a change of these inputs overwrites for good, as a sentence; undefined if there is
   * none.
   */
  readonly overwrites?: (state: Outputs, inputs: Values, changed: Changes) => string | undefined;
  /**
   * Whether a change of these inputs is refused while the state holds an obstacle from a refresh. Default: no change
   * is.
   */
  readonly refuses?: (inputs: Values, changed: Changes) => boolean;
}

/** How to finish an object whose creation did not succeed, or one of whose operations failed. */
export interface Finishing<Outputs> {
  /**
   * `usable` and `repair` judge by the object itself and not by the failed operation, so they also serve an adopted
   * object.
   */
  readonly readsState?: true;
  /** Whether an object whose creation failed can still become usable. Default: it can. */
  readonly usable?: (context: Context, state: Outputs) => Promise<boolean>;
  /** Repairs the object after an operation has failed. */
  readonly repair?: (context: Context, state: Outputs) => Promise<void>;
  /**
   * Restores what only the lost response to the creation contained. Called for each created object; after a failed
   * creation, called once the update has been applied.
   */
  readonly complete?: (context: Context, created: Outputs) => Promise<void>;
}

/** The platform can refuse to delete the object. */
export interface Undeletable<Outputs> {
  /** Why an adopted object can never be deleted; undefined if it can. It is removed from the state instead. */
  readonly undeletable?: (context: Context, state: Outputs) => Promise<string | undefined>;
  /**
   * Why the platform does not delete an object alone, though it does with the branch or project, as a sentence;
   * undefined if nothing prevents it.
   */
  readonly heldBy?: (context: Context, state: Outputs) => Promise<string | undefined>;
}

/** Which other changes must not run at the same time as a change of an object. */
export interface Scoped {
  /** Objects of this kind are the projects themselves: a project that this key can see is not deleted. */
  readonly isProject?: true;
  /** The object's operations name a branch that the platform does not show, not the one in `branchId`. */
  readonly hasHiddenBranch?: true;
  /**
   * The lock of objects whose changes start no operations of a project. Objects that a lost response could confuse
   * share a lock, so that they are created one after the other. Default: the project's lock.
   */
  readonly lock?: (values: Values) => string | undefined;
  /** Changes start no operations of the project, so they exclude only other changes of the same object. */
  readonly isApart?: true;
}

/** How to find the objects that can be confused with one of the same inputs. */
interface NamesakeSearch<Outputs> extends Search<unknown> {
  /** The outputs that the list gives for an object: enough to read it. */
  readonly outputs: (item: unknown) => Partial<Outputs>;
}

/** Hides the item type from code that does not know it. The members of a search agree on that type. */
export function namesakes<Item, Outputs>(
  of: Search<Item> & { readonly outputs: (item: Item) => Partial<Outputs> },
): NamesakeSearch<Outputs> {
  return of as unknown as NamesakeSearch<Outputs>;
}
