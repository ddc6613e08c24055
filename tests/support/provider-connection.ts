import type { HurriedClock } from "./hurried-clock";
import type { ChildProcess } from "node:child_process";

import type { Message } from "google-protobuf";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

import { decoded, encoded, type Path } from "../../provider/pulumi/wire";

/** Plain values by name. */
export type Values = Record<string, unknown>;

/** Where calls of a provider go. */
export interface Connection {
  /** @throws CallError */
  readonly call: (method: string, request: Message) => Promise<unknown>;
  /** The output of the provider so far. */
  readonly printed: () => string;
  /** Ends the provider in the middle of its calls. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
  /** The process of the provider, if it has one of its own. */
  readonly process?: ChildProcess;
}

/** Where a provider runs. */
export interface ProviderPlace {
  /** Pulumi's home. Default: a folder without anything. */
  readonly home?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The program's folder. Default: this repository. */
  readonly folder?: string | undefined;
  /** The clock that a provider in this process shares with its platform. Default: the system's. */
  readonly clock?: HurriedClock | undefined;
}

/** How the engine writes a value that is not known yet. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A backend that is no folder: the provider cannot see what it holds. */
export const backend = "s3://pulumi-states";

/** Values as a provider returns them, with the paths of what is marked as secret. */
export interface Marked {
  readonly outputs: Values;
  readonly secrets: readonly Path[];
}

/** The error of `create` or `update` if the object exists nevertheless. */
export interface PartialFailure {
  readonly id: string;
  readonly properties: Values;
  readonly secrets: readonly Path[];
  readonly reasons: readonly string[];
}

/** A call of the provider that failed. */
export class CallError extends Error {
  constructor(
    message: string,
    readonly partial: PartialFailure | undefined,
  ) {
    super(message);
  }
}

/** Values as a message holds them. */
export function struct(values: object): Struct {
  return Struct.fromJavaScript(JSON.parse(JSON.stringify(values)) as Record<string, JavaScriptValue>);
}

/** The values that a message holds. */
export function marked(properties: Struct | undefined): Marked {
  const { value, secrets } = decoded(properties?.toJavaScript() ?? {});
  return { outputs: encoded(value as Values), secrets };
}
