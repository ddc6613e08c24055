import { messageOf } from "../../../api/core/errors";
import { typeToken } from "../../../sdk/door";
import { EngineResource, type ResourceOptions } from "../../support/engine";
import type { ProviderServer, Values } from "../../support/provider-server";
import { type ObjectPaths, objectsInState } from "../created-objects";
import { referenceOf, type Program } from "./program";

export interface Failure {
  readonly name: string;
  readonly reason: string;
  /** Since its `up` was called, in milliseconds. */
  readonly after: number;
}

/** The failures, and when each other resource was done, in milliseconds since the start. */
export interface Outcome {
  readonly failures: readonly Failure[];
  readonly done: ReadonlyMap<string, number>;
}

/** The resources of a program as the engine runs them: in parallel, each after the resources that it depends on. */
export class EngineStack {
  readonly program: Program;
  readonly resources: ReadonlyMap<string, EngineResource>;

  constructor(server: ProviderServer, program: Program) {
    this.program = program;
    this.resources = new Map(program.map(({ kind, name }) => [name, new EngineResource(server, kind, name)] as const));
  }

  get objects(): ObjectPaths {
    const stored = [...this.resources.values()].flatMap(({ kind, state }) =>
      state === undefined ? [] : [{ type: typeToken(kind), outputs: state.outputs }],
    );
    return objectsInState(stored);
  }

  /** `pulumi up` of the program, of which some resources may be in their later version. */
  async up(
    later: ReadonlySet<string> = new Set(),
    options: (name: string) => ResourceOptions = () => ({}),
  ): Promise<Outcome> {
    return this.#each(
      this.program.map(({ name }) => name),
      needsOf(this.program),
      async (resource, name) => {
        const declared = this.program.find((one) => one.name === name);
        const args = { ...declared?.args, ...(later.has(name) ? declared?.later : {}) };
        await resource.up(this.#resolved(args), options(name));
      },
    );
  }

  async destroy(): Promise<Outcome> {
    const present = [...this.resources].filter(([, { state }]) => state !== undefined).map(([name]) => name);
    return this.#each(present.reverse(), usersOf(this.program), (resource) => resource.destroy());
  }

  /** Acts on resources in parallel, each after those that come before it, which are earlier in the list. */
  async #each(
    names: readonly string[],
    before: ReadonlyMap<string, readonly string[]>,
    act: (resource: EngineResource, name: string) => Promise<unknown>,
  ): Promise<Outcome> {
    const began = performance.now();
    const failures: Failure[] = [];
    const done = new Map<string, number>();
    const steps = new Map<string, Promise<boolean>>();
    for (const name of names) {
      const first = (before.get(name) ?? []).flatMap((other) => steps.get(other) ?? []);
      const run = async (): Promise<boolean> => {
        const isReady = (await Promise.all(first)).every(Boolean);
        const resource = this.resources.get(name);
        if (!isReady || resource === undefined) return false;
        const called = performance.now();
        try {
          await act(resource, name);
          done.set(name, performance.now() - began);
          return true;
        } catch (error) {
          failures.push({ name, reason: messageOf(error), after: performance.now() - called });
          return false;
        }
      };
      steps.set(name, run());
    }
    await Promise.all(steps.values());
    return { failures, done };
  }

  #resolved(args: Values): Values {
    return Object.fromEntries(
      Object.entries(args).map(([key, value]) => {
        const reference = referenceOf(value);
        return [
          key,
          reference === undefined ? value : this.resources.get(reference.resource)?.outputs[reference.output],
        ];
      }),
    );
  }
}

/** The resources that each one takes outputs of. */
function needsOf(program: Program): ReadonlyMap<string, readonly string[]> {
  return new Map(
    program.map(({ name, args }) => [name, Object.values(args).flatMap((value) => referenceOf(value)?.resource ?? [])]),
  );
}

/** The resources that take outputs of each one. */
function usersOf(program: Program): ReadonlyMap<string, readonly string[]> {
  const needs = needsOf(program);
  return new Map(
    program.map(({ name }) => [
      name,
      program.flatMap((user) => (needs.get(user.name)?.includes(name) ? user.name : [])),
    ]),
  );
}
