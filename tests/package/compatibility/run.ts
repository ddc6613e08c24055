// `npm run test:compatibility`: runs all cases, prints a line for each, and with `--write` writes the table of the documents.
import { readFileSync, writeFileSync } from "node:fs";

import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { Stack, type StackOptions } from "../../support/stack";
import { type Case, cases, titleOf } from "./cases";
import { check } from "./check";
import { Unavailable } from "./programs";
import { type Result, withTable } from "./table";

const page = "docs/compatibility.md";

async function main(args: readonly string[]): Promise<number> {
  const valueOf = (option: string): string | undefined => args[args.indexOf(option) + 1 || args.length];
  const wanted = cases.filter((each) => titleOf(each).includes(valueOf("--only") ?? ""));
  const results = new Map<Case, Result>();
  const left = [...wanted];
  await Promise.all(Array.from({ length: Number(valueOf("--lanes") ?? 2) }, lane));
  if (args.includes("--write")) {
    const inOrder = wanted.flatMap((one) => results.get(one) ?? []);
    writeFileSync(page, await withTable(readFileSync(page, "utf8"), inOrder));
  }
  const failed = [...results.values()].filter(({ outcome }) => outcome === "fails").length;
  console.log(`${String(results.size - failed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;

  /** Runs cases until none is left, with a platform of its own. */
  async function lane(): Promise<void> {
    const platform = await startTestPlatform({ operationTime: "20ms" });
    try {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const result = { case: one, ...(await outcomeOf(one, platform)) };
        results.set(one, result);
        console.log(`${result.outcome}: ${titleOf(one)}${result.detail === undefined ? "" : `\n  ${result.detail}`}`);
      }
    } finally {
      await platform.close();
    }
  }
}

async function outcomeOf(one: Case, platform: TestPlatform): Promise<Pick<Result, "outcome" | "detail">> {
  const stacks: Stack[] = [];
  const newStack = async (options: StackOptions): Promise<Stack> => {
    const stack = await Stack.create(options);
    stacks.push(stack);
    return stack;
  };
  try {
    return { outcome: await check(one, platform, newStack) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof Unavailable) return { outcome: "not tested", detail };
    return { outcome: "fails", detail };
  } finally {
    for (const stack of stacks) await stack.remove();
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
