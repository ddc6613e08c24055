import * as pulumi from "@pulumi/pulumi";

/** A resource that the program has registered. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** A fake engine: records what a program registers, and returns the inputs as outputs. */
export class Registrations {
  readonly #all = new Map<string, Registration>();

  /** Records all registrations from now on. */
  listen(): void {
    void pulumi.runtime.setMocks({
      newResource: ({ type, name, inputs, id }) => {
        const state = inputs as Record<string, unknown>;
        this.#all.set(name, { type, name, inputs: state });
        return { id: id === undefined || id === "" ? `${name}-id` : id, state };
      },
      call: () => ({}),
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
