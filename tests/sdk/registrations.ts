import * as pulumi from "@pulumi/pulumi";

/** A resource that the program has registered. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/**
 * Answers a program's registrations as an engine would. Data sources do not call the mocks then, as they would in a unit
 * test, but read from the account.
 */
export function pretendEngine(newResource: pulumi.runtime.Mocks["newResource"], isPreview = false): void {
  // No part of it is asynchronous.
  void pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", isPreview);
  const monitor = pulumi.runtime.getMonitor() as unknown as MonitorOfMocks;
  const { mocks, readResource, registerResource, resources, newUrn } = monitor;
  const answering = { mocks, resources, newUrn };
  monitor.readResource = readResource.bind(answering);
  monitor.registerResource = registerResource.bind(answering);
  delete monitor.mocks;
}

/** What Pulumi's mocks take the place of an engine with. */
interface MonitorOfMocks {
  mocks?: pulumi.runtime.Mocks;
  readonly resources: unknown;
  readonly newUrn: unknown;
  readResource: (this: unknown) => unknown;
  registerResource: (this: unknown) => unknown;
}

/** A fake engine: records what a program registers, and returns the inputs as outputs. */
export class Registrations {
  readonly #all = new Map<string, Registration>();

  /** Records all registrations from now on. */
  listen(): void {
    pretendEngine(({ type, name, inputs, id }) => {
      const state = inputs as Record<string, unknown>;
      this.#all.set(name, { type, name, inputs: state });
      return { id: id === undefined || id === "" ? `${name}-id` : id, state };
    });
  }

  /** Waits for the registration of this name. */
  async one(name: string): Promise<Registration> {
    for (let turns = 0; turns < 1000; turns += 1) {
      const found = this.#all.get(name);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`nothing was registered as ${name}`);
  }
}
