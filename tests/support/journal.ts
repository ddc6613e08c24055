import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { JournalRun } from "../../provider/ownership/journal";
import { hashOfUrn } from "../../provider/ownership/ownership-tag";

/** A run of which nothing is known. */
export const unknownRun: JournalRun = {
  isRunning: () => Promise.resolve(false),
  isEngineGone: () => Promise.resolve(false),
};

/** A journal entry as it stands in its file. */
export interface WrittenEntry {
  readonly path: string;
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The folder of the journal below a Pulumi home. */
export function journalIn(home: string): string {
  return join(home, "neon-pulumi", "journal");
}

/** What stands in a journal. */
export function entriesIn(journal: string): readonly WrittenEntry[] {
  if (!existsSync(journal)) return [];
  const names = readdirSync(journal).filter((name) => name.endsWith(".json"));
  return names.map((name) => {
    const path = join(journal, name);
    const text = readFileSync(path, "utf8");
    return { path, text, content: JSON.parse(text) as Record<string, unknown> };
  });
}

/** What stands in a journal of the creations of one resource. */
export function entriesOf(journal: string, urn: string): readonly WrittenEntry[] {
  return entriesIn(journal).filter(({ content }) => content["urnHash"] === hashOfUrn(urn));
}

/** Has the entries of a journal come from processes that were killed before they returned anything, although they live. */
export function killWriters(journal: string): void {
  for (const { path, content } of entriesIn(journal)) {
    const { writer: _, returned: __, ...others } = content;
    writeFileSync(path, JSON.stringify(others));
  }
}
