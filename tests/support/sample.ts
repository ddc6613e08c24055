import { z } from "zod";

import type { KindName } from "../../provider/frozen-entry";
import type { AnyKind } from "../../provider/kind/kind";
import type { InvalidInput } from "./invalid-inputs";
import type { KindFacts } from "./kind-facts";
import type { Values } from "./provider-server";
import type { Stage } from "./stage";

/** A request that a change must send. It may send no others. */
export interface ExpectedRequest {
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  /** The pattern of the path below the base URL. */
  readonly path: RegExp;
  /** The whole body as it is sent, or a function that checks it. Omitted for a request without one. */
  readonly body?: unknown;
  /** The request sets a value that the platform never reports, so it is sent again if its response is lost. */
  readonly isRepeated?: true;
}

/** An input that is changed in place. */
export interface InPlaceChange {
  /** The path of the input, such as `settings.quota`. */
  readonly input: string;
  /** The new value of the whole top-level input. `undefined` removes it from the program. */
  readonly to: unknown;
  /** The requests, in order. Empty for an input that is only in the state. */
  readonly sends: readonly ExpectedRequest[];
  /** Inputs that the new value requires, for suites that make only this change. */
  readonly requires?: Values;
}

/** A response, with the members that samples read. */
type Body = Values & Record<"schedule" | "endpoints" | "project_members", readonly Values[]>;

/** An object without an id of its own: setting it overwrites the values of another program. */
export interface Overwritable {
  /** The input that both programs set, with the values of this one and of the other one. */
  readonly input: string;
  readonly us: unknown;
  readonly them: unknown;
  /** The requests that set and read the object. Default for reading: the same path. */
  readonly set: readonly [method: "POST" | "PUT", path: string];
  readonly at?: string;
  /** The input in a response; undefined while the service is still applying it. */
  readonly read: (body: Body) => unknown;
  /** Whether the response to a deletion confirms it, so that nothing is read afterwards. */
  readonly isConfirmed?: true;
}

/** Inputs whose change replaces the object, with a new value for each. */
export interface Replacements {
  readonly createsFirst: Values;
  /** Inputs whose change deletes the old object first. */
  readonly deletesFirst?: Values;
}

/** A kind for the suites that go through every kind. The members are all that suites know of it. */
export type Sample = KindSample &
  Ways & {
    /** The kind. Each of its inputs must be among the changes of one of its samples, or excused. */
    readonly definition: AnyKind;
  };

/** The ways in which a sample removes an object, finds it, and adopts it. */
export interface Ways {
  /** Removes the object behind the provider's back. Default: sends `DELETE` to its path. */
  readonly remove: (stage: Stage, outputs: Values) => Promise<void>;
  /** Whether the object exists. Default: its path answers, or the list has it. */
  readonly exists: (stage: Stage, outputs: Values) => Promise<boolean>;
  /** The value of `adopt` that adopts the object. Default: the output that is the last variable of its path. */
  readonly adopt: (outputs: Values) => string | true;
}

/** A sample, as a file in `samples/` declares it. */
export interface KindSample extends Partial<Ways> {
  readonly kind: KindName;
  /** The name of the sample, if the kind has several. */
  readonly variant?: string;
  /** Creates what the object needs, and returns the first declaration. Its names are unique on the stage. */
  readonly declare: (stage: Stage) => Promise<Values>;
  /** The requests that create the object with the final values of {@link inPlace}. */
  readonly creates: (declared: Values) => readonly ExpectedRequest[];
  /** The changes in place, made one after the other on the same object. */
  readonly inPlace: (declared: Values, outputs: Values) => readonly InPlaceChange[];
  /** The changes that replace the object, each previewed by itself. */
  readonly replaces: (declared: Values, stage: Stage) => Replacements | Promise<Replacements>;
  /** The replacements that are also run, with the warning of the preview, or none if nothing is lost. */
  readonly replaced?: Readonly<Record<string, RegExp | undefined>>;
  /** Top-level inputs that are in neither list, with the reason. */
  readonly excused?: Readonly<Record<string, string>>;
  /**
   * For an object that can only be found in the list above its path: the members of the response with the list, and of the object with
   * its id. Default: the response is the list, and the id is `id`.
   */
  readonly list?: { readonly member?: string; readonly id?: string };
  /**
   * The declaration after an object was removed, if the platform never accepts the same one again:
   * declaring the same one is rejected for this reason.
   */
  readonly replacement?: { readonly declare: (declared: Values, stage: Stage) => Values; readonly reason: RegExp };
  /**
   * The id of an object that does not exist, if a removed one can still be read. Default: the id
   * of the removed one.
   */
  readonly absent?: (outputs: Values) => string;
  /** The requests of an adoption without differences: they set values that the platform never reports. Default: none. */
  readonly sentOnAdoption?: readonly ExpectedRequest[];
  /** The inputs for members of requests that have other names. */
  readonly inputOf?: Readonly<Record<string, string>>;
  /** Outputs that an adoption changes. Default: none. */
  readonly movedOnAdoption?: readonly string[];
  /** The noun in messages for the object that is created with a project, as a pattern, and its declaration. */
  readonly withProject?: readonly [noun: string, declared: Values];
  /**
   * For an object in a list: the end of the path of the request that reads the object alone or, if there is none, of
   * the list.
   */
  readonly readAt?: { readonly path: RegExp; readonly isList?: true };
  /** The overwriting of the object. For every kind whose objects are `the same` when created twice. */
  readonly overwritable?: (declared: Values) => Overwritable;
  /**
   * The body of the `POST` that creates the object, if the object needs only its branch. Suites that are not about
   * the provider create every such object with it.
   */
  readonly posted?: Values;
  /** The first request of a creation that is not a GET changes nothing, so it is sent again if its response is lost. */
  readonly repeatsCreation?: true;
  /** If the response to the creation is lost, another `POST` gives the object a new secret. */
  readonly renewsLostSecret?: true;
  /** The method of the request that deletes. Default: `DELETE`. */
  readonly deletedBy?: "PUT";
  /** A declaration whose object needs another one that does not exist, and the advice in the error. */
  readonly needs?: readonly [declared: Values, advice: string];
  /** Inputs that exclude each other: a program with all others omits the first ones or the second ones. */
  readonly alternatives?: readonly (readonly string[])[];
  /** Creates on a new branch what the object needs there. */
  readonly prepareBranch?: (stage: Stage, branch: Values) => Promise<void>;
  /** Valid inputs, and additions that make them invalid. */
  readonly invalid: readonly [valid: Values, invalid: readonly InvalidInput[]];
  readonly facts: KindFacts;
  /** The secret outputs. */
  readonly secrets?: readonly string[];
  /** Outputs that an adopted object does not have, because they are returned only once. */
  readonly lostOnAdoption?: readonly string[];
}

/** The kind of a sample, and its variant, such as `Branch masked`. */
export function titleOf({ kind, variant }: KindSample): string {
  return variant === undefined ? kind : `${kind} ${variant}`;
}

/** A declaration with one top-level input changed. */
export function changed(declared: Values, input: string, to: unknown): Values {
  const top = input.split(".", 1)[0] ?? input;
  const { [top]: _, ...others } = declared;
  return to === undefined ? others : { ...others, [top]: to };
}

/** The names of the top-level inputs of a kind. */
export function inputNames({ definition }: Pick<Sample, "definition">): string[] {
  const inputs = definition.inputs();
  return inputs instanceof z.ZodObject ? Object.keys(inputs.shape) : [];
}

/** Whether a kind has this input. */
export function hasInput(sample: Pick<Sample, "definition">, name: string): boolean {
  return inputNames(sample).includes(name);
}

/** Whether an object is on one branch, whose deletion deletes it. */
export function isOnBranch({ facts }: Sample): boolean {
  return facts.path.includes("/branches/:branchId/");
}

/** Whether a change of an input updates the object in place, which the platform reports. */
export function isReported({ definition }: Sample, input: string): boolean {
  const { onChange, platform } = definition.rules[input.split(".", 1)[0] ?? input] ?? {};
  return onChange !== "replace" && platform === undefined;
}
