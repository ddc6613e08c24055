import type { Values } from "./provider-server";

/** An input by its path in the program, such as `settings.quota`, and the values that a test declares one after the other. */
export type Input = readonly [path: string, from: unknown, to: unknown];

/** Members that the user names. */
const freeForm = new Set(["pgSettings", "pgbouncerSettings", "annotations"]);

/** A program that declares one value at a path, and nothing else. */
export function declaring(path: string, value: unknown): Values {
  return path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as Values;
}

/** Declared values as a request has them: with names in snake case, except those that the user chooses. */
export function onWire(declared: Values): Values {
  return Object.fromEntries(
    Object.entries(declared).map(([name, value]) => {
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
      const sent = isObject && !freeForm.has(name) ? onWire(value as Values) : value;
      return [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), sent];
    }),
  );
}
