import type { Topic } from "../../storage/change-feed";

/** Changes when the log of a branch gets a line. */
export const logTopic: Topic = { name: "logs" };

/** A line in the log of a branch. */
export interface LogRecord {
  readonly branch_id: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Orders lines of the same time. */
  readonly number: number;
  readonly message: string;
  readonly source: "function" | "storage";
  readonly entity_id: string;
  readonly service_name: string;
  readonly scope_name: string;
  readonly severity_text: "debug" | "info" | "warn" | "error";
  readonly trace_id?: string | undefined;
}

const maxRecords = 20_000;
const maxCharacters = 16 << 20;

/** The latest lines of all branches, oldest first. They are in memory only, and their number and total length are limited. */
export class BranchLogs {
  #records: LogRecord[] = [];
  #characters = 0;
  #number = 0;
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  add(record: Omit<LogRecord, "number">): void {
    this.#number += 1;
    this.#records.push({ ...record, number: this.#number });
    this.#characters += record.message.length;
    // Trim many at a time: removing one for each new one would copy the whole list.
    if (this.#records.length > 2 * maxRecords || this.#characters > 2 * maxCharacters) this.#trim();
    this.#onChange();
  }

  #trim(): void {
    let first = Math.max(this.#records.length - maxRecords, 0);
    let characters = this.#records.slice(first).reduce((sum, { message }) => sum + message.length, 0);
    for (; characters > maxCharacters; first += 1) characters -= this.#records[first]?.message.length ?? 0;
    this.#records = this.#records.slice(first);
    this.#characters = characters;
  }

  of(branchId: string): readonly LogRecord[] {
    return this.#records.filter(({ branch_id }) => branch_id === branchId);
  }
}
