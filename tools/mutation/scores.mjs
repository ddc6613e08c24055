import { readFileSync, writeFileSync } from "node:fs";
import prettier from "prettier";

/**
 * @typedef {object} Score
 * @property {string} file
 * @property {number} mutants
 * @property {number} survived
 * @property {string} command What follows `npm run test:mutation --`.
 */

const header = ["| File | Mutants | Killed | Survived | Command |", "| --- | --- | --- | --- | --- |"];

/**
 * Puts scores into the table of a document, whose other rows stay as they are. Adds the table if there is none.
 *
 * @param {string} path
 * @param {Score[]} scores
 */
export async function writeScores(path, scores) {
  const text = readFileSync(path, "utf8");
  const [table = "", written = ""] = /^\| File +\| Mutants .*\n\|[ :|-]+\n((?:\|.*\n)*)/m.exec(text) ?? [];
  /** @type {Map<string | undefined, string>} */
  const rows = new Map();
  for (const row of written.split("\n").filter(Boolean)) rows.set(row.split("|")[1]?.trim(), row);
  for (const { file, mutants, survived, command } of scores) {
    const name = `\`${file}\``;
    rows.set(name, `| ${name} | ${mutants} | ${mutants - survived} | ${survived} | \`${command}\` |`);
  }
  const sorted = [...rows].sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)).map(([, row]) => row);
  const replacement = [...header, ...sorted, ""].join("\n");
  const changed = table === "" ? `${text}\n${replacement}` : text.replace(table, () => replacement);
  writeFileSync(path, await prettier.format(changed, { ...(await prettier.resolveConfig(path)), parser: "markdown" }));
}
