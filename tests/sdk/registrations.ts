import * as pulumi from "@pulumi/pulumi";

/** A resource as the program has registered it. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Record<string, unknown>;
}

/** Stands in for the engine: takes down what a program registers, and answers with what was declared. */
export class Registrations {
  readonly #all = new Map<string, Registration>();

  /** Has everything registered from now on registered here. */
  listen(): void {
    void pulumi.runtime.setMocks({
      newResource: ({ type, name, inputs, id }) => {
        const registration = {
          type,
          name,
          inputs: inputs as Record<string, unknown>,
        };
        this.#all.set(name, registration);
        return { id: id === undefined || id === "" ? `${name}-id` : id, state: inputs as Record<string, unknown> };
      },
      call: () => ({}),
    });
  }

  /** The registration of this name, once it has come. */
  async one(name: string): Promise<Registration> {
    for (let turns = 0; turns < 1000; turns += 1) {
      const found = this.#all.get(name);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`nothing was registered as ${name}`);
  }
}
