/** The actions of the platform's operations, and whether each does something in Postgres. */
const worksInPostgres = {
  apply_config: true,
  apply_storage_config: true,
  check_availability: false,
  create_branch: true,
  create_timeline: true,
  delete_timeline: false,
  start_compute: true,
  suspend_compute: true,
  timeline_archive: false,
  timeline_unarchive: false,
  timeline_update_protected_config: false,
} as const;

export type OperationAction = keyof typeof worksInPostgres;
export const operationActions = Object.keys(worksInPostgres) as readonly OperationAction[];

/** The actions that do something in Postgres. The data plane has work for each of them, and for no other action. */
export type WorkingAction = {
  [Action in OperationAction]: (typeof worksInPostgres)[Action] extends true ? Action : never;
}[OperationAction];

export function isWorkingAction(action: OperationAction): action is WorkingAction {
  return worksInPostgres[action];
}
