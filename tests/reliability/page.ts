import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

import { format, resolveConfig } from "prettier";

import { table } from "../support/markdown";
import type { Carried } from "./campaign";
import { campaigns } from "./campaigns";

const head = `# Reliability

Results of the long run. The command in each section reproduces it; with \`--write tests/reliability/results.md\` it also writes the
section. The seed repeats the random choices. A failure names the command that repeats it alone.`;

/** Writes the results to the page. The sections of other campaigns stay unchanged. */
export async function write(path: string, carried: readonly Carried[], flags: string): Promise<void> {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const text = pageOf(before, carried, flags);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

/** The page with the results, in the order of all campaigns. */
export function pageOf(before: string, carried: readonly Carried[], flags: string): string {
  const old = new Map(before.split(/^(?=## )/m).map((section) => [titleOf(section), section.trim()]));
  const sections = campaigns.flatMap(({ name, title }) => {
    const own = carried.find(({ campaign }) => campaign.name === name);
    return (own === undefined ? old.get(title) : sectionOf(own, flags)) ?? [];
  });
  return `${[head, ...sections].join("\n\n")}\n`;
}

function titleOf(section: string): string | undefined {
  return /^## (.+)$/m.exec(section)?.[1];
}

function sectionOf({ campaign: { name, title }, findings, seconds }: Carried, flags: string): string {
  const { counts, failures, details } = findings;
  return [
    `## ${title}`,
    `\`npm run test:long -- ${flags} --only ${name}\` took ${seconds.toFixed(0)} s on ${availableParallelism()} cores with Node ${process.versions.node}.`,
    table(["what", "how often"], [...Object.entries(counts), ["failed", failures.length]]),
    ...(failures.length === 0 ? [] : [failures.map((failure) => `- ${failure}`).join("\n")]),
    ...(details === undefined ? [] : [details]),
  ].join("\n\n");
}
