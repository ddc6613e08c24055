import type { ControlPlane } from "../control-plane";
import type { Deletable } from "../deletable";
import type { BranchRow } from "./branch-row";
import type { Moment } from "./data-origin";
import type { WaitingDeletions } from "./snapshot-row";
import { nextSequenceNumber } from "../sequence";

/**
 * What was deleted while a branch had no compute: Postgres still has it, and loses it when a compute starts. Without passwords,
 * which nobody needs any more.
 *
 * @param moment the moment in the history of the branch from which on nothing counts; default: now
 */
export function waitingDeletions({ tables }: ControlPlane, branchId: string, moment?: Moment): WaitingDeletions {
  const waiting = [{ branch_id: branchId, deletion_id: null }, "AND deleted_at IS NOT NULL"] as const;
  const withoutPassword = { password: undefined, verifier: undefined, next_password: undefined };
  return {
    roles: tables.roles
      .list(...waiting)
      .filter((row) => isBefore(row, moment))
      .map((row) => ({ ...row, ...withoutPassword })),
    databases: tables.databases.list(...waiting).filter((row) => isBefore(row, moment)),
  };
}

/** Whether something was deleted before a moment. Which log position a deletion had is not known. */
function isBefore({ deleted_at: at }: Deletable, moment: Moment | undefined): boolean {
  return moment === undefined || ("time" in moment && Date.parse(at ?? "") <= Date.parse(moment.time));
}

/** Gives the deletions that wait for a compute of a branch to another one, whose data is a copy. */
export function copyWaitingDeletions(
  controlPlane: ControlPlane,
  source: BranchRow,
  target: BranchRow,
  moment?: Moment,
): void {
  putDeletions(controlPlane, target, waitingDeletions(controlPlane, source.id, moment));
}

/** Lets a branch lose these objects when a compute starts. */
export function putDeletions(
  controlPlane: ControlPlane,
  branch: BranchRow,
  { roles, databases }: WaitingDeletions,
): void {
  const { tables } = controlPlane;
  for (const role of roles) tables.roles.put({ ...role, branch_id: branch.id });
  for (const database of databases) {
    const id = nextSequenceNumber(controlPlane, "database");
    tables.databases.put({ ...database, id, branch_id: branch.id });
  }
}

/** Removes the deletions that came after the moment to which a branch is restored. */
export function dropLaterDeletions(controlPlane: ControlPlane, branch: BranchRow, moment: Moment | undefined): void {
  const { tables } = controlPlane;
  const { roles, databases } = waitingDeletions(controlPlane, branch.id);
  for (const role of roles) if (!isBefore(role, moment)) tables.roles.remove(role);
  for (const database of databases) if (!isBefore(database, moment)) tables.databases.remove(database);
}
