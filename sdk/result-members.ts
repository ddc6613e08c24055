import { fromWire, type SnakeKey } from "../api/camel-case";

/** A wire schema with exactly these members. */
interface SchemaOf<Name extends string> {
  readonly shape: Readonly<Record<Name, unknown>>;
  readonly keyof: () => { readonly options: readonly Name[] };
}

/**
 * Converts objects of Neon's API to results: their documented members, in camelCase. Other members are dropped, because
 * some of them are counters that change on their own: a stack that exports a result would differ in every preview.
 *
 * @param schema the wire schema with exactly the members of the result, loaded with the first result
 */
export function resultOf<Result extends object>(
  schema: () => SchemaOf<SnakeKey<keyof Result & string>>,
): (wire: object) => Result {
  let shape: object | undefined;
  return (wire) => {
    const known = (shape ??= schema().shape);
    const members = Object.entries(wire).filter(([name]) => Object.hasOwn(known, name));
    return fromWire(Object.fromEntries(members)) as Result;
  };
}
