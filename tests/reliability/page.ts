import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

import { format, resolveConfig } from "prettier";

import { type Door, doors } from "../support/door";
import { table } from "../support/markdown";
import type { Carried } from "./campaign";
import { campaigns } from "./campaigns";

const head = `# Reliability

Results of the long run. The command in each section reproduces it; with \`--write tests/reliability/results.md\` it also writes the
section. The seed repeats the random choices. A failure names the command that repeats it alone.`;

/** Writes the results to the page. The sections of other campaigns stay unchanged, and so do those of other doors. */
export async function write(path: string, carried: readonly Carried[], flags: string, door?: Door): Promise<void> {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const text = pageOf(before, carried, flags, door);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), filepath: path }));
}

/** The page with the results, in the order of all campaigns. What ran through one door only has a section of its own. */
export function pageOf(before: string, carried: readonly Carried[], flags: string, door?: Door): string {
  const old = new Map(before.split(/^(?=## )/m).map((section) => [titleOf(section), section.trim()]));
  const sections = campaigns.flatMap(({ name, title }) => {
    const own = carried.find(({ campaign }) => campaign.name === name);
    return [undefined, ...doors].flatMap((one) => {
      const heading = one === undefined ? title : `${title} (${doorNames[one]})`;
      return (own === undefined || one !== door ? old.get(heading) : sectionOf(heading, own, flags)) ?? [];
    });
  });
  return `${[head, ...sections].join("\n\n")}\n`;
}

const doorNames: Readonly<Record<Door, string>> = { dynamic: "dynamic provider", plugin: "provider plugin" };

function titleOf(section: string): string | undefined {
  return /^## (.+)$/m.exec(section)?.[1];
}

function sectionOf(heading: string, { campaign: { name }, findings, seconds }: Carried, flags: string): string {
  const { counts, failures, details } = findings;
  return [
    `## ${heading}`,
    `\`npm run test:long -- ${flags} --only ${name}\` took ${seconds.toFixed(0)} s on ${availableParallelism()} cores with Node ${process.versions.node}.`,
    table(["what", "how often"], [...Object.entries(counts), ["failed", failures.length]]),
    ...(failures.length === 0 ? [] : [failures.map((failure) => `- ${failure}`).join("\n")]),
    ...(details === undefined ? [] : [details]),
  ].join("\n\n");
}
