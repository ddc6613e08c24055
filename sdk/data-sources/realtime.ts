// Generated from api/lookups/realtime.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** Arguments of `getRealtime`. */
export interface GetRealtimeArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getRealtimeSource = dataSource<
  GetRealtimeArgs,
  {
    /** Whether the branch has Realtime. */
    readonly enabled: boolean;
    /**
     * URL that clients connect to: the `NEON_REALTIME_URL` of an application. Absent while Realtime is not enabled or not
     * ready.
     */
    readonly invocationUrl?: string;
    /** Origins of browsers that can connect. Empty if all can. Absent while Realtime is not enabled or not ready. */
    readonly allowedOrigins?: string[];
    /**
     * Key that the server of an application seals queries with: its `NEON_REALTIME_SECRET`. Anyone who has it can run any
     * query. Absent while Realtime is not enabled or not ready. Secret.
     */
    readonly secret?: string;
  }
>("getRealtime");

/**
 * Reads the Realtime service of a branch, such as one that a branch has inherited from its parent: whether it is
 * enabled, its URL, and the secret of the application's server.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/realtime` and `/realtime/secret`.
 *
 * @example
 * ```ts
 * const live = new neon.Realtime("live", { projectId: project.id, branchId: project.defaultBranchId });
 * const realtime = neon.getRealtimeOutput({ projectId: project.id, branchId: live.branchId });
 * export const url = realtime.invocationUrl;
 * ```
 */
export function getRealtime(args: GetRealtimeArgs, options?: LookupOptions) {
  return getRealtimeSource.invoke(args, options);
}

/** Output form of {@link getRealtime}: the arguments can be outputs, and the result is secret. */
export function getRealtimeOutput(args: Inputs<GetRealtimeArgs>, options?: LookupOptions) {
  return getRealtimeSource.output(args, options);
}
