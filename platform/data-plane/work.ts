import type { ControlPlane } from "../model/control-plane";
import type { BranchRow } from "../model/branches/branch-row";
import type { EndpointRow } from "../model/computes/endpoint-row";
import type { OperationRow } from "../model/operations/operation";
import type { ProjectRow } from "../model/projects/project-row";
import type { Engine } from "../postgres/engine";
import type { BranchData, BuildOptions } from "./branch-data";
import type { Computes } from "./computes";
import type { Histories } from "./histories";

/** A change of rows, which is made in one transaction. */
export type Commit = () => void;

/** The services that works use. */
export interface WorkServices {
  readonly controlPlane: ControlPlane;
  readonly engine: Engine;
  readonly data: BranchData;
  readonly computes: Computes;
  readonly histories: Histories;
}

export interface WorkContext extends WorkServices {
  readonly operation: OperationRow;
}

/** Does the work of an operation, and returns what to record about it when the operation ends. */
export type OperationWork = (context: WorkContext) => Promise<Commit>;

/** The options for building the data of an operation's branch. */
export const buildOptions = (context: WorkContext): BuildOptions => {
  const { pg_version: major, history_retention_seconds: retention } = projectOf(context);
  return { major, keepsHistory: retention > 0 };
};

/** The member of a branch that says whether it has a history. */
export const historyMember = ({ keepsHistory }: BuildOptions): Pick<BranchRow, "without_history"> => ({
  without_history: keepsHistory ? undefined : true,
});

export function branchOf({ controlPlane, operation }: WorkContext): BranchRow {
  const row = controlPlane.tables.branches.get({ id: operation.branch_id ?? "" });
  if (!row) throw new Error("the branch is gone");
  return row;
}

export function endpointOf({ controlPlane, operation }: WorkContext): EndpointRow {
  const row = controlPlane.tables.endpoints.get({ id: operation.endpoint_id ?? "" });
  if (!row) throw new Error("the compute is gone");
  return row;
}

export function projectOf({ controlPlane, operation }: WorkContext): ProjectRow {
  const row = controlPlane.tables.projects.get({ id: operation.project_id });
  if (!row) throw new Error("the project is gone");
  return row;
}
