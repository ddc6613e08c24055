/** The actions of the operations that the platform starts. */
export const operationActions = [
  "apply_config",
  "apply_storage_config",
  "check_availability",
  "create_branch",
  "create_timeline",
  "delete_timeline",
  "start_compute",
  "suspend_compute",
  "timeline_archive",
  "timeline_mark_invisible",
  "timeline_unarchive",
] as const;
export type OperationAction = (typeof operationActions)[number];
