// `npm run test:compatibility`: runs all cases, prints a line for each, and with `--write` writes the table of the documents.
import { readFileSync, writeFileSync } from "node:fs";

import { startTestPlatform } from "../../support/platform";
import { Stack } from "../../support/stack";
import { cases, titleOf } from "./cases";
import { check } from "./check";
import { Unavailable } from "./programs";
import { type Result, withTable } from "./table";

const page = "docs/compatibility.md";

async function main(args: readonly string[]): Promise<number> {
  const only = args.includes("--only") ? (args[args.indexOf("--only") + 1] ?? "") : "";
  const platform = await startTestPlatform({ operationTime: "20ms" });
  const results: Result[] = [];
  try {
    for (const one of cases.filter((each) => titleOf(each).includes(only))) {
      const result = { case: one, ...(await outcomeOf(() => runOne(one))) };
      results.push(result);
      console.log(`${result.outcome}: ${titleOf(one)}${result.detail === undefined ? "" : `\n  ${result.detail}`}`);
    }
  } finally {
    await platform.close();
  }
  if (args.includes("--write")) writeFileSync(page, await withTable(readFileSync(page, "utf8"), results));
  const failed = results.filter(({ outcome }) => outcome === "fails").length;
  console.log(`${String(results.length - failed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;

  async function runOne(one: Result["case"]): Promise<Result["outcome"]> {
    const stacks: Stack[] = [];
    try {
      return await check(one, platform, async (options) => {
        const stack = await Stack.create(options);
        stacks.push(stack);
        return stack;
      });
    } finally {
      for (const stack of stacks) await stack.remove();
    }
  }
}

async function outcomeOf(run: () => Promise<Result["outcome"]>): Promise<Pick<Result, "outcome" | "detail">> {
  try {
    return { outcome: await run() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { outcome: error instanceof Unavailable ? "not tested" : "fails", detail };
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
