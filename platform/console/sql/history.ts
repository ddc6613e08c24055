/** An SQL text that was run. */
export interface HistoryEntry {
  readonly sql: string;
  readonly at: number;
  readonly branch: string;
}

const name = "neon-platform.sql-history";
const mostKept = 60;

/** The SQL texts that were run in this browser, latest first. */
export function readHistory(): readonly HistoryEntry[] {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]") as HistoryEntry[];
  } catch {
    return [];
  }
}

export function addToHistory(entry: HistoryEntry): readonly HistoryEntry[] {
  const entries = [entry, ...readHistory().filter(({ sql }) => sql !== entry.sql)].slice(0, mostKept);
  localStorage.setItem(name, JSON.stringify(entries));
  return entries;
}

export function clearHistory(): void {
  localStorage.removeItem(name);
}
