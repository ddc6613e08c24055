import { createRequire } from "node:module";

import * as pulumi from "@pulumi/pulumi";

import { milliseconds } from "../api/duration";
import { frozenEntry } from "../provider/entry";
import type { HiddenInputs, Timeouts } from "../provider/lifecycle/state";
import type { KindName } from "../provider/v1";
import { failure } from "./run-error";

/** What a resource class says about itself. */
export interface ResourceClass {
  readonly kind: KindName;
  /** Every output, inputs included. */
  readonly outputs: readonly string[];
  /** Those of them that are secret. */
  readonly secrets: readonly string[];
}

/** The type token of a kind. It stands in users' state files: it never changes. */
export function typeToken(kind: KindName): string {
  return `pulumi-nodejs:dynamic/neon:${kind}`;
}

/**
 * The text by which the engine finds the provider of a kind; it stands in every resource's state, too.
 *
 * It is written out here, and not made from functions, so that it is small and the same in every release. The package is
 * looked up from the program's folder, which finds it installed, linked, and in its own repository.
 */
export function providerText(kind: KindName): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("${frozenEntry}").provider("${kind}")`;
}

/** The program's folder, which is also that of the provider's process. Read before the program can change it. */
const programFolder = process.cwd();
let isInstalled: boolean | undefined;

/**
 * Whether the provider's process finds this package in the program's folder. It does not where only a component library
 * has it, and then fails with a stack trace.
 *
 * Only a program that Pulumi's language host runs is judged, once: a unit test has no such process, and that of an inline
 * program has another folder.
 */
function isInstalledForProvider(): boolean {
  if (process.env["PULUMI_NODEJS_ENGINE"] === undefined) return true;
  return (isInstalled ??= isFoundFrom(programFolder));
}

function isFoundFrom(folder: string): boolean {
  try {
    createRequire(`${folder}/_.js`).resolve(frozenEntry);
    return true;
  } catch {
    return false;
  }
}

/** Base of all resources of this package. */
export abstract class Resource extends pulumi.CustomResource {
  protected constructor(
    { kind, outputs, secrets }: ResourceClass,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    if (opts.import !== undefined) {
      throw failure(
        `${kind} "${name}": \`import\` does not work with resources of this kind. To take over an object that exists, declare \`adopt: "<its id>"\` among the arguments instead.`,
      );
    }
    if (!isInstalledForProvider()) {
      throw failure(
        `${kind} "${name}": neon-pulumi is not installed in the program's folder (${programFolder}), from which Pulumi loads the provider. Run \`npm install neon-pulumi\` there.`,
      );
    }
    const hidden: { [Key in keyof HiddenInputs]: pulumi.Input<HiddenInputs[Key]> } = {
      urn: withoutDependencies(pulumi.createUrn(name, typeToken(kind), opts.parent)),
      ...(opts.customTimeouts === undefined ? {} : { timeouts: timeouts(kind, name, opts.customTimeouts) }),
      // `check` takes it out again. A lookup is not checked: it would stay in the state.
      ...(opts.id === undefined ? organization() : {}),
    };
    super(
      typeToken(kind),
      name,
      {
        ...Object.fromEntries(outputs.map((output) => [output, undefined])),
        ...args,
        __provider: providerText(kind),
        __neon: hidden,
      },
      pulumi.mergeOptions({ additionalSecretOutputs: [...secrets] }, opts),
    );
  }

  /** Whether this is a resource of that type, even one made by another copy of this package. */
  protected static isOfType(value: unknown, type: string): boolean {
    return pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: unknown }).__pulumiType === type;
  }
}

/**
 * An output's value alone. The URN of a resource in a component depends on the component, which stands for everything in
 * it: as an input it would make the resource wait for itself.
 */
function withoutDependencies<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply((value) => resolve(value)));
}

/** The stack's Pulumi organization, by which the provider tells stacks of one URN apart. */
function organization(): Pick<HiddenInputs, "organization"> {
  try {
    const name = pulumi.getOrganization();
    // What backends that know no organizations call theirs.
    return name === "organization" ? {} : { organization: name };
  } catch {
    // Nobody has said it: a program that Pulumi does not run.
    return {};
  }
}

/** The time-outs as durations; the engine's own complaint about a bad one would be a stack trace. */
function timeouts(kind: KindName, name: string, custom: pulumi.CustomTimeouts): Timeouts {
  const given = Object.entries(custom).filter((entry): entry is [keyof Timeouts, string] => entry[1] !== undefined);
  for (const [verb, text] of given) {
    if (milliseconds(text) === undefined) {
      throw failure(
        `${kind} "${name}": customTimeouts.${verb} must be a duration such as "90s", "10m" or "1h30m", not "${text}".`,
      );
    }
  }
  return Object.fromEntries(given);
}
