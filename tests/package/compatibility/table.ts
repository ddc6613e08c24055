import * as prettier from "prettier";

import type { Case } from "./cases";
import type { Outcome } from "./check";

/** What came of a case. */
export interface Result {
  readonly case: Case;
  readonly outcome: Outcome | "not tested" | "fails";
  /** Why it was not tested or failed. */
  readonly detail?: string;
}

const begin = "<!-- table: npm run test:compatibility -- --write -->";
const end = "<!-- end of table -->";

/** A page with the table of these results in place of its own. */
export async function withTable(page: string, results: readonly Result[]): Promise<string> {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < 0) throw new Error("The page has no place for the table.");
  const columns = ["Package manager", "Node", "Loader", "Modules", "TypeScript", "Dependent", "Result"];
  const rows = results.map(({ case: one, outcome, detail = "" }) => [
    one.installer,
    one.node,
    one.loader,
    one.modules,
    one.typescript,
    one.dependent,
    outcome === "not tested" ? `${outcome}: ${detail}` : outcome,
  ]);
  const table = [columns, columns.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return prettier.format(`${page.slice(0, before)}${begin}\n\n${table}\n\n${page.slice(after)}`, {
    parser: "markdown",
    printWidth: 120,
  });
}
