import type { Answer, vendor } from "../../published/answers";
import { pick } from "../../storage/timestamps";
import type { ControlPlane } from "../control-plane";
import { deploymentAction } from "../operations/faults";
import { type FunctionDeploymentRow, type FunctionRow } from "./function-row";

/** The share of a deployment's time in which it is `pending`. */
const pendingShare = 0.2;
const memoryMib = 2048;

/** The versions of a function, newest first. */
export function versionsOf({ tables }: ControlPlane, branchId: string, slug: string): FunctionDeploymentRow[] {
  return tables.functionDeployments.list({ branch_id: branchId, slug }, "ORDER BY id DESC");
}

/** The version that answers requests: the newest completed one; undefined if there is none. */
export function activeVersion(
  { tables }: ControlPlane,
  { branch_id, slug }: Pick<FunctionRow, "branch_id" | "slug">,
): FunctionDeploymentRow | undefined {
  const newest = "ORDER BY id DESC LIMIT 1";
  return tables.functionDeployments.list({ branch_id, slug, status: "completed" }, newest)[0];
}

/** The versions whose archives are still to be built. */
export function unbuiltVersions({ tables }: ControlPlane): FunctionDeploymentRow[] {
  return tables.functionDeployments.list({}, "AND build IN ('pending', 'awaited')");
}

/** A version as the API returns it: with the names of its variables, and without their values. */
export function deploymentResponse(row: FunctionDeploymentRow) {
  const environment = row.variables.map(({ name }) => name);
  return {
    ...pick(row, ["id", "status", "runtime", "created_at"]),
    memory_mib: memoryMib,
    ...(environment.length > 0 && { environment }),
    ...(row.status === "failed" && { error: row.failure }),
  } satisfies Answer<vendor.NeonFunctionDeployment>;
}

/** The planned course of a new version's build, with the fault that matches it. */
export function plannedBuild({
  clock,
  faults,
  operationTimes,
}: ControlPlane): Pick<FunctionDeploymentRow, "due_at" | "building_ms" | "build" | "failure"> {
  const end = faults.forDeployment();
  const time = operationTimes.of(deploymentAction);
  const fails = end === "error" || end === "stuck-then-error";
  return {
    due_at: clock.now() + time * pendingShare,
    building_ms: end === "stuck" || end === "stuck-then-error" ? null : time * (1 - pendingShare),
    build: "pending",
    failure: fails ? `${deploymentAction} did not succeed (a scripted fault)` : undefined,
  };
}

/** Moves a version to its next status once its time is up and its build has ended. */
export function advanceDeployment({ tables }: ControlPlane, row: FunctionDeploymentRow, now: number): void {
  tables.functionDeployments.put({ ...row, ...nextOf(row, now) });
}

function nextOf(
  { status, due_at, building_ms, build, failure }: FunctionDeploymentRow,
  now: number,
): Partial<FunctionDeploymentRow> {
  if (status === "pending") {
    return { status: "building", due_at: building_ms === null ? null : (due_at ?? now) + building_ms };
  }
  if (build !== "done") return { build: "awaited", due_at: null };
  return { status: failure === undefined ? "completed" : "failed", due_at: null };
}

/** Records that the archive of a version was built, or why that failed. */
export function endBuild({ tables, clock }: ControlPlane, version: FunctionDeploymentRow, failure?: string): void {
  const { branch_id, slug, id } = version;
  const row = tables.functionDeployments.get({ branch_id, slug, id });
  if (!row || row.build === "done") return;
  tables.functionDeployments.put({
    ...row,
    build: "done",
    failure: row.failure ?? failure,
    due_at: row.build === "awaited" ? clock.now() : row.due_at,
  });
}

/** Resumes the versions that a fault holds. */
export function releaseHeldDeployments({ tables, clock }: ControlPlane): void {
  for (const row of tables.functionDeployments.list({}, "AND status IN ('pending', 'building')")) {
    if (row.building_ms !== null) continue;
    const due_at = row.status === "building" ? clock.now() : row.due_at;
    tables.functionDeployments.put({ ...row, building_ms: 0, due_at });
  }
}
