import { createHash } from "node:crypto";

import type { DeploymentCreate } from "../../../api/schemas/function";
import { badRequest, HttpError } from "../../http-error";
import { newId } from "../../storage/ids";
import { publicMembers } from "../../storage/table";
import type { ControlPlane } from "../control-plane";
import type { BranchRow } from "./branch-row";
import { existedAt, type Moment } from "./data-origin";
import { deploymentResponse, plannedBuild, versionsOf } from "./function-deployment";
import { type FunctionDeploymentRow, type FunctionRow, functionTable } from "./function-row";

const slugForm = /^[a-z0-9]{1,20}$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const maxVariables = 1000;
const maxVariableBytes = 64 << 10;
const usualRuntime = "nodejs24";

/** @throws HttpError 400 if a text can be no slug of a function */
export function functionSlug(text: string): string {
  if (!slugForm.test(text)) throw badRequest("invalid slug: must be 1 to 20 lower-case letters and digits");
  return text;
}

/** @throws HttpError 404 */
export function getFunction({ tables }: ControlPlane, { id }: BranchRow, slug: string): FunctionRow {
  const found = tables.functions.get({ branch_id: id, slug: functionSlug(slug) });
  if (!found) throw notVisible();
  return found;
}

/** A page of the functions of a branch, by slug. */
export function listFunctions(
  { tables }: ControlPlane,
  { id }: BranchRow,
  after: string,
  limit: number,
): FunctionRow[] {
  return tables.functions.list({ branch_id: id }, "AND slug > ? ORDER BY slug LIMIT ?", after, limit);
}

/** Changes the display name of a function that the branch has deployed itself. */
export function renameFunction(
  controlPlane: ControlPlane,
  branch: BranchRow,
  slug: string,
  name: string | null,
): FunctionRow {
  const row = getFunction(controlPlane, branch, slug);
  if (row.inherited) throw notVisible();
  const trimmed = name === null ? null : name.trim();
  if (trimmed === "") throw badRequest("name must not be blank");
  const renamed = { ...row, display_name: trimmed };
  controlPlane.tables.functions.put(renamed);
  return renamed;
}

/** Deletes a function of this branch with its deployments. Its children keep theirs, and its triggers and domains stay. */
export function deleteFunction(controlPlane: ControlPlane, branch: BranchRow, slug: string): void {
  const row = getFunction(controlPlane, branch, slug);
  const { functions, functionDeployments } = controlPlane.tables;
  functions.remove(row);
  functionDeployments.delete({ branch_id: branch.id, slug });
  deleteUnusedBundles(controlPlane);
}

/** Removes the functions of a branch for good. */
export function purgeFunctions(controlPlane: ControlPlane, branchId: string): void {
  const { functions, functionDeployments } = controlPlane.tables;
  for (const table of [functions, functionDeployments]) table.delete({ branch_id: branchId });
  deleteUnusedBundles(controlPlane);
}

/** Creates a version of a function, and with the first one the function. What is omitted stays as in the newest version. */
export function deployFunction(
  controlPlane: ControlPlane,
  branch: BranchRow,
  slug: string,
  { zip, runtime, environment }: DeploymentCreate,
): FunctionDeploymentRow {
  const { tables, timestamps } = controlPlane;
  const at = { project_id: branch.project_id, branch_id: branch.id, slug: functionSlug(slug) };
  if (zip === undefined && runtime === undefined && environment === undefined) {
    throw badRequest("at least one of zip, environment and runtime must be supplied");
  }
  const [newest] = versionsOf(controlPlane, branch.id, slug);
  const bundle = zip === undefined ? newest?.bundle : storeBundle(controlPlane, zip);
  if (bundle === undefined) throw badRequest("the first deployment of a function must include zip");
  const created_at = timestamps.next();
  const known = tables.functions.get({ branch_id: branch.id, slug });
  const added: FunctionRow = {
    id: newId.function(),
    ...at,
    display_name: null,
    inherited: false,
    port: null,
    created_at,
  };
  tables.functions.put({ ...(known ?? added), inherited: false });
  const row: FunctionDeploymentRow = {
    ...at,
    id: (newest?.id ?? 0) + 1,
    status: "pending",
    runtime: runtime ?? newest?.runtime ?? usualRuntime,
    created_at,
    bundle,
    variables: mergedVariables(newest?.variables ?? [], environment ?? {}),
    ...plannedBuild(controlPlane),
  };
  tables.functionDeployments.put(row);
  return row;
}

/**
 * Gives a child the functions of its parent with their versions: of an earlier time, those that were created by then and not
 * deleted since.
 */
export function copyFunctions(
  { tables }: ControlPlane,
  parent: BranchRow,
  child: BranchRow,
  moment: Moment | undefined,
): void {
  const at = { project_id: child.project_id, branch_id: child.id };
  for (const row of tables.functions.list({ branch_id: parent.id })) {
    if (existedAt(moment, row.created_at)) tables.functions.put({ ...row, ...at, inherited: true, port: null });
  }
  for (const row of tables.functionDeployments.list({ branch_id: parent.id })) {
    if (existedAt(moment, row.created_at)) tables.functionDeployments.put({ ...row, ...at });
  }
}

/** A function as the API returns it. */
export function functionResponse(controlPlane: ControlPlane, row: FunctionRow): object {
  const versions = versionsOf(controlPlane, row.branch_id, row.slug);
  const [current] = versions;
  const active = versions.find(({ status }) => status === "completed");
  return {
    ...publicMembers(functionTable, row),
    name: row.display_name ?? row.slug,
    invocation_url: invocationUrl(row),
    ...(current && { current_deployment: deploymentResponse(current) }),
    ...(active && { active_deployment: deploymentResponse(active) }),
  };
}

/** Where a function can be invoked; empty until that is open. */
export function invocationUrl({ port }: FunctionRow): string {
  return port === null ? "" : `http://127.0.0.1:${port}/`;
}

export const notVisible = (): HttpError => new HttpError(404, "function not visible on branch");

/** Keeps an archive. Returns its hash. */
function storeBundle({ tables }: ControlPlane, zip: Uint8Array): string {
  const hash = createHash("sha256").update(zip).digest("hex");
  if (!tables.functionBundles.get({ hash })) {
    tables.functionBundles.put({ hash, zip: Buffer.from(zip).toString("base64") });
  }
  return hash;
}

function deleteUnusedBundles({ tables }: ControlPlane): void {
  const unused = "AND NOT EXISTS (SELECT 1 FROM function_deployments d WHERE d.bundle = function_bundles.hash)";
  for (const row of tables.functionBundles.list({}, unused)) tables.functionBundles.remove(row);
}

/** @throws HttpError 400 if a name is none, or if there are too many */
function mergedVariables(
  before: FunctionDeploymentRow["variables"],
  changes: Readonly<Record<string, string>>,
): FunctionDeploymentRow["variables"] {
  for (const name of Object.keys(changes)) {
    if (!variableName.test(name)) throw badRequest(`environment: "${name}" is not the name of a variable`);
  }
  const all = { ...Object.fromEntries(before.map(({ name, value }) => [name, value])), ...changes };
  const merged = Object.entries(all)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  if (merged.length > maxVariables) throw badRequest(`environment: at most ${maxVariables} variables are allowed`);
  const bytes = merged.reduce((sum, { name, value }) => sum + Buffer.byteLength(name) + Buffer.byteLength(value), 0);
  if (bytes > maxVariableBytes) throw badRequest("environment: names and values must have at most 64 KiB in total");
  return merged;
}
