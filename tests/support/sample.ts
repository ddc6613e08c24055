import { z } from "zod";

import type { KindName } from "../../provider/frozen-entry";
import type { AnyKind } from "../../provider/kind/kind";
import type { InvalidInput } from "./invalid-inputs";
import type { KindFacts } from "./kind-facts";
import type { Values } from "./provider-server";
import type { Stage } from "./stage";

/** A request that a change has to send, and nothing else. */
export interface ExpectedRequest {
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE";
  /** Matched against the path below the base URL. */
  readonly path: RegExp;
  /** The whole body, as it is sent, or a function that asserts what it is; left out for a request without one. */
  readonly body?: unknown;
  /** It sets what the platform never reports, so that it is sent again if its answer is lost. */
  readonly isRepeated?: true;
}

/** An input that is changed in place. */
export interface InPlaceChange {
  /** Its path, such as `settings.quota`. */
  readonly input: string;
  /** The new value of the whole input at the top of this path. `undefined` leaves it out of the program. */
  readonly to: unknown;
  /** What is sent for it, in this order. Empty for what stands in the state only. */
  readonly sends: readonly ExpectedRequest[];
  /** Inputs that the new value requires, for a suite that makes this change alone. */
  readonly requires?: Values;
}

/** Members of responses that samples read. */
type Body = Values & Record<"schedule" | "endpoints" | "project_members", readonly Values[]>;

/** An object without an id of its own: setting it overwrites what another program has set. */
export interface Overwritable {
  /** The input that both programs set, with what this one and the other one declare. */
  readonly input: string;
  readonly us: unknown;
  readonly them: unknown;
  /** How it is set, and where it is read. Default: at the same path. */
  readonly set: readonly [method: "POST" | "PUT", path: string];
  readonly at?: string;
  /** The input as a response to the reader says it; undefined while the service is still applying it. */
  readonly read: (body: Body) => unknown;
  /** The response to a deletion says that the object is deleted: nothing is read after it. */
  readonly isConfirmed?: true;
}

/** Inputs whose change needs a new object, with a new value of each. */
export interface Replacements {
  readonly createsFirst: Values;
  /** Those for which the old object has to be deleted first. */
  readonly deletesFirst?: Values;
}

/** A kind, for all suites that go through every kind: what a suite has to know of one is a member here. */
export interface Sample extends KindSample {
  /** The kind itself: every input of it has to be among the changes of one of its samples, or excused. */
  readonly definition: AnyKind;
}

/** A sample as a file in `samples/` declares it. */
export interface KindSample {
  readonly kind: KindName;
  /** Tells a sample from the other ones of its kind. */
  readonly variant?: string;
  /** Makes what has to be there before, and says what the program declares at first. Its names are unique on the stage. */
  readonly declare: (stage: Stage) => Promise<Values>;
  /** What a program sends that creates the object with everything that {@link inPlace} declares in the end, and nothing else. */
  readonly creates: (declared: Values) => readonly ExpectedRequest[];
  /** Each of these alone, one after the other, on the same object: what was changed stays changed. */
  readonly inPlace: (declared: Values, outputs: Values) => readonly InPlaceChange[];
  /** Each of these alone; they are previewed only. */
  readonly replaces: (declared: Values, stage: Stage) => Replacements | Promise<Replacements>;
  /** Those of them with which an `up` is run, and what its preview warns of; of nothing if nothing is lost. */
  readonly replaced?: Readonly<Record<string, RegExp | undefined>>;
  /** Inputs at the top that are in neither list, and why. */
  readonly excused?: Readonly<Record<string, string>>;
  /** Removes the object behind the provider's back. */
  readonly remove: (stage: Stage, outputs: Values) => Promise<void>;
  /**
   * What a program declares instead of an object that was removed, where the platform never takes the same one again:
   * declaring that one is refused with this reason.
   */
  readonly replacement?: { readonly declare: (declared: Values, stage: Stage) => Values; readonly reason: RegExp };
  /**
   * The id of an object that does not exist, where a removed one leaves something that is read like an object. Default: the id
   * of the removed one.
   */
  readonly absent?: (outputs: Values) => string;
  /** Whether the object is there. */
  readonly exists: (stage: Stage, outputs: Values) => Promise<boolean>;
  /** What `adopt` takes it over by. */
  readonly adopt: (outputs: Values) => string | true;
  /** What `adopt` sends, although nothing is declared otherwise: it sets what the platform never reports. Default: nothing. */
  readonly sentOnAdoption?: readonly ExpectedRequest[];
  /** The inputs that members of requests stand for, where those have other names. */
  readonly inputOf?: Readonly<Record<string, string>>;
  /** Outputs that change when it is adopted. Default: none. */
  readonly movedOnAdoption?: readonly string[];
  /** What a message calls the object that is created with its project, as a pattern, and what declares it. */
  readonly withProject?: readonly [noun: string, declared: Values];
  /**
   * Of an object that a list has: the end of the path of the request that reads the object alone or, if there is none, of
   * the list.
   */
  readonly readAt?: { readonly path: RegExp; readonly isList?: true };
  /** What setting the object again does; of every kind whose objects are `the same` when created twice. */
  readonly overwritable?: (declared: Values) => Overwritable;
  /**
   * The body of the `POST` to its path that creates the object, if it needs nothing but its branch. Suites create every
   * object so that are not about the provider.
   */
  readonly posted?: Values;
  /** The first request of a creation that is no GET changes nothing, so that it is sent again if its answer is lost. */
  readonly repeatsCreation?: true;
  /** If the answer to the creation is lost, one more `POST` gives the object another secret. */
  readonly renewsLostSecret?: true;
  /** The request that deletes. Default: `DELETE`. */
  readonly deletedBy?: "PUT";
  /** What a program declares whose object needs another one that does not exist, and what the error advises. */
  readonly needs?: readonly [declared: Values, advice: string];
  /** Inputs that cannot be declared together: with all others, the first ones are left out, or the second ones. */
  readonly alternatives?: readonly (readonly string[])[];
  /** Makes on a new branch what the object needs there. */
  readonly prepareBranch?: (stage: Stage, branch: Values) => Promise<void>;
  /** Inputs that are valid, and what makes them invalid. */
  readonly invalid: readonly [valid: Values, invalid: readonly InvalidInput[]];
  readonly facts: KindFacts;
  /** Outputs that are secret. */
  readonly secrets?: readonly string[];
  /** Outputs that an adopted object does not have, because they are returned only once. */
  readonly lostOnAdoption?: readonly string[];
}

/** The kind of a sample, and its variant, such as `Branch masked`. */
export function titleOf({ kind, variant }: KindSample): string {
  return variant === undefined ? kind : `${kind} ${variant}`;
}

/** What a program declares, with one input at the top changed. */
export function changed(declared: Values, input: string, to: unknown): Values {
  const top = input.split(".", 1)[0] ?? input;
  const { [top]: _, ...others } = declared;
  return to === undefined ? others : { ...others, [top]: to };
}

/** The names of the inputs at the top of a kind. */
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
