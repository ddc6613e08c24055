import type { TableDefinition } from "../storage/table";
import type { Moment } from "./branches/data-origin";
import type { ControlPlane } from "./control-plane";

/**
 * The reasons to copy the rows of a branch: a new branch with all data (`branch`) or only the schema (`schema`), a branch that
 * keeps the data that a restore replaces (`preserve`), a restore, a reset to the parent's present data, and a snapshot or a
 * branch that is restored from one (`snapshot`).
 */
type CopyReason = "branch" | "schema" | "preserve" | "restore" | "reset" | "snapshot";

/** Every reason, for objects that Postgres stores: every copy of its data has them. */
export const everyCopy: readonly CopyReason[] = ["branch", "schema", "preserve", "restore", "reset", "snapshot"];

/** The branch that gets the copies. For a snapshot, this is its hidden branch. */
interface Target {
  readonly id: string;
  readonly project_id: string;
}

interface Copy {
  readonly controlPlane: ControlPlane;
  readonly to: Target;
  /** The moment in the history of the source; undefined: now. */
  readonly moment: Moment | undefined;
}

interface Branching<Row> {
  /** The reasons for which the rows are copied. The copies replace the rows of the target. */
  readonly on: readonly CopyReason[];
  /** The column with the time of a row. A copy of an earlier moment contains only the rows that existed then; default: all rows. */
  readonly at?: keyof Row & string;
  /** Copies a row, which then gets the id of its new branch. Returns undefined if the copy does not contain the row. */
  copy(row: Row, copy: Copy): Row | undefined;
}

/** The container of a table's rows, with which they are deleted. A table of a branch says how copies of the branch get its rows. */
type Containment<Row> =
  | { readonly within: "platform" | "project" }
  | { readonly within: "branch"; readonly branching: "none" | Branching<Row> };

/** A table of the control plane. */
export type RowTable<Row extends object> = TableDefinition<Row> &
  Containment<Row> & {
    /** Cleans up after {@link purge} has deleted a row. */
    purged?(controlPlane: ControlPlane, row: Row): void;
    /** The work on a row when the time in its column `at` has come. It changes that time, or removes the row. */
    readonly due?: {
      readonly at: keyof Row & string;
      /** The condition on the row in SQL, beginning with `AND`; default: none. */
      readonly where?: string;
      run(controlPlane: ControlPlane, row: Row, now: number): void;
    };
  };

/** A table with any rows. */
interface AnyTable {
  readonly definition: {
    readonly within: "platform" | "project" | "branch";
    readonly branching?: "none" | AnyBranching;
    readonly latest?: string;
    purged?(controlPlane: ControlPlane, row: object): void;
  };
  list(where: object, rest?: string): object[];
  put(row: object): void;
  delete(where: object): void;
}

interface AnyBranching {
  readonly on: readonly CopyReason[];
  readonly at?: string;
  copy(row: object, copy: Copy): object | undefined;
}

const allTables = ({ tables }: ControlPlane): readonly AnyTable[] => Object.values(tables);

/** Copies the rows of a branch or a snapshot to another one. */
export function copyRows(
  controlPlane: ControlPlane,
  reason: CopyReason,
  from: string,
  to: Target,
  moment?: Moment,
): void {
  for (const table of allTables(controlPlane)) {
    const { branching = "none", latest } = table.definition;
    if (branching === "none" || !branching.on.includes(reason)) continue;
    purge(controlPlane, table, { branch_id: to.id });
    const { at } = branching;
    for (const row of table.list({ branch_id: from }, latest === undefined ? "" : `ORDER BY ${latest}`)) {
      if (at !== undefined && !existedAt(moment, String(row[at as keyof typeof row]))) continue;
      const copy = branching.copy(row, { controlPlane, to, moment });
      if (copy) table.put({ ...copy, branch_id: to.id });
    }
  }
}

/** Deletes all rows of a branch, or of a project and its branches. */
export function purgeRows(controlPlane: ControlPlane, within: "branch" | "project", id: string): void {
  for (const table of allTables(controlPlane)) {
    const { within: place } = table.definition;
    if (place === within || place === "branch") purge(controlPlane, table, { [`${within}_id`]: id });
  }
}

/** Deletes rows permanently, and cleans up after them. */
export function purge(controlPlane: ControlPlane, table: AnyTable, where: object): void {
  const { definition } = table;
  const rows = definition.purged ? table.list(where) : [];
  table.delete(where);
  for (const row of rows) definition.purged?.(controlPlane, row);
}

/**
 * Whether an object existed at a moment. The log position of its creation is unknown, so it counts as existing at any log position.
 */
function existedAt(moment: Moment | undefined, createdAt: string): boolean {
  return moment === undefined || "lsn" in moment || Date.parse(createdAt) <= Date.parse(moment.time);
}
