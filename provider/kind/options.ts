import { hasStatus, type HttpError } from "../../api/core/errors";
import type { Context } from "../call/context";
import type { Search } from "../call/lists";
import type { Problem } from "../call/services";
import type { ObjectKey } from "../ownership/claim";
import type { Values } from "../values";
import type { Changes } from "./field-rules";

// Each interface is an option of a definition, which only some kinds need.

/** There can be only one object of the same inputs. */
export interface Unique<Inputs> {
  /**
   * The inputs that no two objects may share: a replacement that keeps them all deletes the old object first. Empty if any
   * number of equal objects can exist. Default: those that identify the object.
   */
  readonly uniqueBy?: readonly string[];
  /** The values of inputs for which `uniqueBy` holds. Default: all. */
  readonly uniqueWhere?: Readonly<Partial<Inputs>>;
  /** What to do if there is one already that somebody else has. Default: declare another name, or remove the resource. */
  readonly alternative?: string;
}

/** `adopt` finds its object in another way than at the address that the inputs hold. */
export interface Adoptable<Inputs, Outputs> {
  /** How the objects are found that have the natural key of these inputs or, where there is none, their name. */
  readonly namesakes?: (context: Context, inputs: Inputs) => NamesakeSearch<Outputs>;
  /** The object that `adopt` names. Default: the one whose id ends with this segment; the ones before it are inputs. */
  readonly adopted?: (context: Context, inputs: Inputs, segment: string) => Promise<Partial<Outputs> | undefined>;
  /** How the object that `adopt` names can be had again although it was deleted, if it can. */
  readonly recovery?: (context: Context, inputs: Inputs, state: Partial<Outputs>) => Promise<string | undefined>;
}

/** What tells an object from another one of the same id. */
export interface Recreated<Outputs> {
  /** The output that does. */
  readonly by: keyof Outputs & string;
  /** It is a setting, which anybody can change: another value is no other object, but a delete is not sent again then. */
  readonly isSetting?: true;
  /** What it is now; undefined if there is no object. */
  readonly read: (context: Context, state: Outputs) => Promise<unknown>;
}

/** What replacing an object means. */
export interface Replaceable {
  /** For the user's data, for the warning in the preview; with a function, for an object of these outputs. */
  readonly loss: string | ((outputs: Values) => string);
  /** What else to know if the old object is deleted before the new one is created. */
  readonly deletedFirst?: string;
  /** Once deleted, an object like it can never be created again: nothing advises to delete it. */
  readonly isFinal?: true;
}

/** The object is in others than its project and its branch, or others are in it. */
export interface Contained<Outputs> {
  /**
   * The containers of an object besides its project and its branch, by kind: the outputs that name each of them on the branch.
   * Deleting a container deletes the object. `Branch: false`: the object outlives its branch.
   */
  readonly within?: Readonly<Record<string, readonly string[] | false>>;
  /** What the object contains stays when it is deleted, without use until there is another one. Default: it is deleted, too. */
  readonly leavesContents?: true;
  /** What a change in place deletes of what the object contains. Default: nothing. */
  readonly empties?: (state: Outputs, inputs: Values, changed: Changes) => Emptying | undefined;
  /** Objects of other kinds that this one owns as its parts, if it declares them: no other resource adopts them. */
  readonly parts?: (outputs: Outputs, declared: Changes) => readonly ObjectKey[];
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

/** What a preview says of new and changed inputs, which may hold unknown values. */
export interface Previewed<Outputs> {
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

/** How an object is finished whose creation, or an operation of it, did not succeed. */
export interface Finishing<Outputs> {
  /** `usable` and `repair` judge by the object itself, not by what has failed: they also serve an object that is adopted. */
  readonly readsState?: true;
  /** Whether an object whose creation failed can still become usable. Default: it can. */
  readonly usable?: (context: Context, state: Outputs) => Promise<boolean>;
  /** Repairs the object after an operation has failed. */
  readonly repair?: (context: Context, state: Outputs) => Promise<void>;
  /** Restores what only the lost response to the creation contained. Called for each created object; after a failed creation, once the update has been applied. */
  readonly complete?: (context: Context, created: Outputs) => Promise<void>;
}

/** The platform can refuse to delete the object. */
export interface Undeletable<Outputs> {
  /** Why an adopted object can never be deleted, if so: it is removed from the state instead. */
  readonly undeletable?: (context: Context, state: Outputs) => Promise<string | undefined>;
  /** What keeps the platform from deleting an object alone, though not with its branch or project, in a sentence; undefined if nothing. */
  readonly heldBy?: (context: Context, state: Outputs) => Promise<string | undefined>;
}

/** What changes of an object exclude. */
export interface Scoped {
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
