import type { KindName } from "../../../provider/frozen-entry";
import { typeOf } from "../../support/door";
import type { Values } from "../../support/provider-server";
import type { ResourceOptions } from "../../support/engine";
import type { StackPlace } from "../../support/stack";

/** A component that resources are children of. */
export interface Component {
  readonly name: string;
  readonly type: string;
  /** The type it had before. */
  readonly oldType?: string;
}

/** A former name or parent of a resource. Default: the present one. */
export interface Alias {
  readonly name?: string;
  /** `null`: a child of the stack. */
  readonly parent?: Component | null;
}

/** Options of a resource, as Pulumi names them. */
export interface Options extends Pick<
  ResourceOptions,
  "retainOnDelete" | "ignoreChanges" | "replaceOnChanges" | "deleteBeforeReplace"
> {
  readonly parent?: Component;
  readonly aliases?: readonly Alias[];
  /** The name of an explicit provider. Default: the default provider. */
  readonly provider?: string;
  readonly protect?: boolean;
  /** The id of an object to take over. Only the plugin has it. */
  readonly import?: string;
  /** The logical name of the resource whose deletion deletes this one. */
  readonly deletedWith?: string;
  /** The logical name of the resource that the engine handles first. */
  readonly dependsOn?: string;
}

/** A resource as a program declares it. */
export interface Declared {
  readonly name: string;
  readonly kind: KindName;
  readonly args: Values;
  readonly options?: Options;
  /** The id for `Kind.get(name, id)`, which only reads the object. */
  readonly get?: string;
}

export interface Program {
  readonly resources: readonly Declared[];
  /** The API keys of explicit providers, by the providers' names. */
  readonly providers?: Readonly<Record<string, string>>;
  /** Options that a transform sets on every resource. */
  readonly transform?: Options;
}

/** Names that are part of every URN of a stack. */
type StackName = Pick<StackPlace, "stack" | "project">;

/** The URN of a resource in a stack. */
export function urnIn(
  { stack, project }: StackName,
  { kind, name }: Pick<Declared, "kind" | "name">,
  parentType?: string,
): string {
  const type = [...(parentType === undefined ? [] : [parentType]), typeOf(kind)].join("$");
  return `urn:pulumi:${stack}::${project}::${type}::${name}`;
}

export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The URNs that a resource may have had before, in the order in which the engine looks for them. */
export function aliasesIn(stack: StackName, { kind, name, options = {} }: Declared): readonly string[] {
  const { aliases = [], parent } = options;
  const inherited = parent?.oldType === undefined ? [] : [urnIn(stack, { kind, name }, parent.oldType)];
  const own = aliases.map((alias) => {
    const before = alias.parent === undefined ? parent : (alias.parent ?? undefined);
    return urnIn(stack, { kind, name: alias.name ?? name }, before?.type);
  });
  return [...own, ...inherited];
}

/** The options of a resource, with those that a transform sets. */
export function optionsOf({ transform }: Program, { options }: Declared): Options {
  return { ...options, ...transform };
}
