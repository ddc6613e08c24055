import type { TableDefinition } from "../storage/table";
import type { Moment } from "./branches/data-origin";
import type { ControlPlane } from "./control-plane";

/**
 * The changes that copy the rows of a branch: a new branch with all data or with the schema only, a branch that keeps what a
 * restore replaces, a branch that is restored (`reset`: to the present data of its parent), or a snapshot and a branch that is
 * restored from one.
 */
type CopyReason = "branch" | "schema" | "preserve" | "restore" | "reset" | "snapshot";

/** Every reason: Postgres has these objects, so they are wherever its data is. */
export const everyCopy: readonly CopyReason[] = ["branch", "schema", "preserve", "restore", "reset", "snapshot"];

/** The branch that gets copies. The rows of a snapshot have the id of its hidden branch. */
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
  /** When the rows are copied. They replace those that the target has. */
  readonly on: readonly CopyReason[];
  /** The column with the time of a row. A copy of an earlier moment has the rows from before it; default: all rows. */
  readonly at?: keyof Row & string;
  /** The copy of a row, which gets the id of its branch afterwards; undefined if there is none. */
  copy(row: Row, copy: Copy): Row | undefined;
}

/** The container of a table's rows, which are deleted with it. Rows of a branch say how a copy of the branch gets them. */
type Containment<Row> =
  | { readonly within: "platform" | "project" }
  | { readonly within: "branch"; readonly branching: "none" | Branching<Row> };

/** A table of the control plane. */
export type RowTable<Row extends object> = TableDefinition<Row> &
  Containment<Row> & {
    /** Removes what goes with a row that {@link purge} has deleted. */
    purged?(controlPlane: ControlPlane, row: Row): void;
    /** The work on a row when the time in its column `at` has come. It changes that time, or removes the row. */
    readonly due?: {
      readonly at: keyof Row & string;
      /** The condition on the row in SQL, beginning with `AND`; default: none. */
      readonly where?: string;
      run(controlPlane: ControlPlane, row: Row, now: number): void;
    };
  };

/** A table whatever its rows are. */
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

/** Gives a branch or a snapshot the rows of another one. */
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

/** Deletes all rows that a branch contains, or a project with its branches. */
export function purgeRows(controlPlane: ControlPlane, within: "branch" | "project", id: string): void {
  for (const table of allTables(controlPlane)) {
    const { within: place } = table.definition;
    if (place === within || place === "branch") purge(controlPlane, table, { [`${within}_id`]: id });
  }
}

/** Deletes rows for good, with what goes with them. */
export function purge(controlPlane: ControlPlane, table: AnyTable, where: object): void {
  const { definition } = table;
  const rows = definition.purged ? table.list(where) : [];
  table.delete(where);
  for (const row of rows) definition.purged?.(controlPlane, row);
}

/** Whether what was created at a time existed at a moment. Which log position a creation had is not known: all counts. */
function existedAt(moment: Moment | undefined, createdAt: string): boolean {
  return moment === undefined || "lsn" in moment || Date.parse(createdAt) <= Date.parse(moment.time);
}
