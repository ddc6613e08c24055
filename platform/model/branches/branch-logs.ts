import type { Topic } from "../../storage/change-feed";
import { LatestEntries } from "../../storage/latest-entries";

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

/** The latest lines of all branches, oldest first. They are in memory only. */
export class BranchLogs {
  readonly #records = new LatestEntries<LogRecord>(maxRecords, maxCharacters);
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  add(record: Omit<LogRecord, "number">): void {
    this.#records.add({ ...record, number: this.#records.added + 1 }, record.message.length);
    this.#onChange();
  }

  of(branchId: string): readonly LogRecord[] {
    return this.#records.list().filter(({ branch_id }) => branch_id === branchId);
  }
}
