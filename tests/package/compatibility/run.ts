// `npm run test:compatibility`: runs all cases, prints a line for each, and with `--write` writes the table of the documents.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import * as prettier from "prettier";

import { table } from "../../support/markdown";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { runProgram } from "../../support/program";
import { Stack } from "../../support/stack";
import { type Case, cases, titleOf } from "./cases";
import { check } from "./check";
import { Unavailable } from "./programs";

const page = "docs/compatibility.md";
const begin = "<!-- table: npm run test:compatibility -- --write -->";
const end = "<!-- end of table -->";

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { only: { type: "string", default: "" }, write: { type: "boolean" } } });
  const platform = await startTestPlatform({ operationTime: "20ms" });
  const rows: string[][] = [];
  try {
    for (const one of cases.filter((each) => titleOf(each).includes(values.only))) {
      const outcome = await outcomeOf(one, platform);
      console.log(`${outcome}: ${titleOf(one)}`);
      rows.push([one.installer, one.node, one.loader, one.modules, one.typescript, outcome]);
    }
  } finally {
    await platform.close();
  }
  if (values.write) {
    const [before = ""] = readFileSync(page, "utf8").split(begin);
    const [, after = ""] = readFileSync(page, "utf8").split(end);
    const results = table(["Package manager", "Node", "Loader", "Modules", "TypeScript", "Result"], rows);
    const text = `${before}${begin}\n\n${results}\n\n${end}${after}`;
    writeFileSync(page, await prettier.format(text, { parser: "markdown", printWidth: 120 }));
  }
  const failed = rows.filter((cells) => cells.at(-1)?.startsWith("fails")).length;
  console.log(`${String(rows.length - failed)} passed, ${String(failed)} failed`);
  return failed === 0 ? 0 : 1;
}

async function outcomeOf(one: Case, platform: TestPlatform): Promise<string> {
  const stacks: Stack[] = [];
  try {
    await check(one, platform, async (options) => {
      const stack = await Stack.create(options);
      stacks.push(stack);
      return stack;
    });
    return "works";
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return `${error instanceof Unavailable ? "not tested" : "fails"}: ${detail}`;
  } finally {
    for (const stack of stacks) await stack.remove();
  }
}

runProgram(main);
