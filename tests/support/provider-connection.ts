import type { HurriedClock } from "./hurried-clock";
import type { ChildProcess } from "node:child_process";

import type { Message } from "google-protobuf";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";

import { decoded, encoded, type Path } from "../../provider/pulumi/wire";

/** Plain values by name. */
export type Values = Record<string, unknown>;

/** A connection to a provider. */
export interface Connection {
  /** @throws CallError */
  readonly call: (method: string, request: Message) => Promise<unknown>;
  /** The output of the provider so far. */
  readonly printed: () => string;
  /** Ends the provider during its calls. */
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
  /** The process of the provider, if it has its own. */
  readonly process?: ChildProcess;
}

/** The surroundings of a provider. */
export interface ProviderPlace {
  /** Pulumi's home. Default: an empty folder. */
  readonly home?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The program's folder. Default: this repository. */
  readonly folder?: string | undefined;
  /** The clock that a provider in this process shares with the platform. Default: the system's. */
  readonly clock?: HurriedClock | undefined;
}

/** The engine's text for an unknown value. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A backend other than a folder, which the provider cannot read. */
export const backend = "s3://pulumi-states";

/** Values of a provider, with the paths of secrets. */
export interface Marked {
  readonly outputs: Values;
  readonly secrets: readonly Path[];
}

/** The error of a `create` or `update` that has made the object nevertheless. */
export interface PartialFailure {
  readonly id: string;
  readonly properties: Values;
  readonly secrets: readonly Path[];
  readonly reasons: readonly string[];
}

/** The error of a failed call of the provider. */
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
