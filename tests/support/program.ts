/** Runs a program to its end: the result is its exit code. A wrong option is a `RangeError`, which needs no stack. */
export function runProgram(main: () => Promise<number>): void {
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof RangeError ? error.message : error);
      process.exit(1);
    },
  );
}

/** The items that an option names, separated by commas. Without the option: all. */
export function namedIn<Item extends { readonly name: string }>(
  flag: string,
  text: string | undefined,
  all: readonly Item[],
): readonly Item[] {
  if (text === undefined) return all;
  const names = text.split(",");
  const unknown = names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0) {
    throw new RangeError(`${flag}: ${unknown.join(", ")} is none of ${all.map(({ name }) => name).join(", ")}`);
  }
  return all.filter(({ name }) => names.includes(name));
}
