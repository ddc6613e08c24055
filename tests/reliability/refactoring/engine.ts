import type { KindName } from "../../../provider/frozen-entry";
import type { Door } from "../../support/door";
import type { Values } from "../../support/provider-server";
import type { Step } from "../../support/engine";
import type { Place } from "../../support/place";
import type { Program } from "./program";

export type Did = Step | "delete" | "read" | "gone";

export interface Message {
  readonly is: "warning" | "error";
  /** The resource it is about; empty for the stack. */
  readonly urn: string;
  readonly text: string;
}

export interface Ran {
  readonly ended: "well" | "badly";
  /** By logical name. */
  readonly did: Readonly<Record<string, Did>>;
  readonly messages: readonly Message[];
}

/** A resource in the state of a stack. */
export interface Held {
  readonly urn: string;
  readonly id: string;
  readonly kind: KindName;
  readonly outputs: Values;
  /** Only read, by `get` of a class. */
  readonly external?: boolean;
  /** Replaced, and still to be deleted. */
  readonly delete?: boolean;
}

export interface UpFlags {
  readonly target?: readonly string[];
  /** Whether what depends on the targets may change, too. */
  readonly targetDependents?: boolean;
  readonly replace?: readonly string[];
}

export type DestroyFlags = Pick<UpFlags, "target">;

export type Exported = object;

/** A stack that the model of the engine or the real CLI runs. */
export interface Engine {
  /** The place of the next run: people move to other machines and folders. */
  place: Place;
  readonly held: readonly Held[];
  up(program: Program, flags?: UpFlags): Promise<Ran>;
  refresh(): Promise<Ran>;
  destroy(flags?: DestroyFlags): Promise<Ran>;
  /** Reaches the kinds through this door from now on. Only the real CLI can change it. */
  useDoor(door: Door): void;
  /** `pulumi state delete` */
  forget(name: string): Promise<void>;
  /** `pulumi state rename` */
  renameResource(from: string, to: string): Promise<void>;
  /** `pulumi state taint` and `pulumi state untaint` */
  taint(name: string, isTainted: boolean): Promise<void>;
  /** `pulumi state move` */
  move(name: string, to: Engine): Promise<void>;
  /** `pulumi stack rename` */
  rename(to: Partial<Pick<Place, "stack" | "project">>): Promise<void>;
  /** `pulumi stack export` */
  exported(): Promise<Exported>;
  /** `pulumi stack import` */
  import(state: Exported): Promise<void>;
  remove(): Promise<void>;
}
