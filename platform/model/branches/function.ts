import { createHash } from "node:crypto";
import { z } from "zod";

import { badRequest, HttpError } from "../../http-error";
import type { Answer, vendor } from "../../published/answers";
import * as published from "../../published/requests";
import { newId } from "../../storage/ids";
import { pick } from "../../storage/timestamps";
import { purge } from "../containment";
import type { ControlPlane } from "../control-plane";
import { branchMember } from "../routing/authorization";
import { allow, type ApiPaths, noContent } from "../routing/route";
import { cursorOf, formatCursor } from "../routing/validation";
import type { BranchRow } from "./branch-row";
import { deploymentResponse, plannedBuild, versionsOf } from "./function-deployment";
import { type FunctionDeploymentRow, type FunctionRow } from "./function-row";

const path = "/projects/:project_id/branches/:branch_id/functions";
const defaultPageSize = 100;

/** Parses the variables, which a form sends as a JSON object. */
const environment = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue("must be a JSON object of names and texts");
    return z.NEVER;
  }
});

const deployment = z.object({
  zip: z.instanceof(Uint8Array, { error: "must be a file" }).optional(),
  runtime: z.enum(["nodejs24"]).optional(),
  environment: environment.optional(),
});

const { query } = published.listProjectBranchFunctions;
const page = query.extend({ cursor: cursorOf(z.string(), "functions").default("") });

export const functionPaths: ApiPaths = {
  [path]: {
    GET: allow(
      { ...branchMember, query: page },
      ({ controlPlane, branch, query: { cursor, limit = defaultPageSize } }) => {
        const following = "AND slug > ? ORDER BY slug LIMIT ?";
        const rows = controlPlane.tables.functions.list({ branch_id: branch.id }, following, cursor, limit + 1);
        const last = rows.length > limit ? rows[limit - 1] : undefined;
        return {
          functions: rows.slice(0, limit).map((row) => functionResponse(controlPlane, row)),
          pagination: last && { next: formatCursor(last.slug) },
        };
      },
    ),
  },
  [`${path}/:slug`]: {
    GET: allow(branchMember, ({ controlPlane, branch, parameter }) => ({
      function: functionResponse(controlPlane, getFunction(controlPlane, branch, parameter("slug"))),
    })),
    PATCH: allow(
      { ...branchMember, ...published.updateProjectBranchFunction },
      ({ controlPlane, branch, parameter, body }) => ({
        function: functionResponse(controlPlane, renameFunction(controlPlane, branch, parameter("slug"), body.name)),
      }),
    ),
    DELETE: allow(branchMember, ({ controlPlane, branch, parameter }) => {
      deleteFunction(controlPlane, branch, parameter("slug"));
      return noContent;
    }),
  },
  [`${path}/:slug/deployments`]: {
    POST: allow(
      {
        ...branchMember,
        status: 201,
        operationId: "createProjectBranchFunctionDeployment",
        bodyKind: "form",
        body: deployment,
      },
      ({ controlPlane, branch, parameter, body }) => ({
        deployment: deploymentResponse(deployFunction(controlPlane, branch, parameter("slug"), body)),
      }),
    ),
  },
};

const slugForm = /^[a-z0-9]{1,20}$/;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const maxVariables = 1000;
const maxVariableBytes = 64 << 10;
const usualRuntime = "nodejs24";

/** @throws HttpError 400 if a text cannot be the slug of a function */
function functionSlug(text: string): string {
  if (!slugForm.test(text)) throw badRequest("invalid slug: must be 1 to 20 lower-case letters and digits");
  return text;
}

/** @throws HttpError 404 */
function getFunction({ tables }: ControlPlane, { id }: BranchRow, slug: string): FunctionRow {
  const found = tables.functions.get({ branch_id: id, slug: functionSlug(slug) });
  if (!found) throw notVisible();
  return found;
}

/** Changes the display name of a function that the branch has deployed itself. */
function renameFunction(controlPlane: ControlPlane, branch: BranchRow, slug: string, name: string | null): FunctionRow {
  const row = getFunction(controlPlane, branch, slug);
  if (row.inherited) throw notVisible();
  const trimmed = name === null ? null : name.trim();
  if (trimmed === "") throw badRequest("name must not be blank");
  const renamed = { ...row, display_name: trimmed };
  controlPlane.tables.functions.put(renamed);
  return renamed;
}

/** Deletes a function of this branch with its deployments. Copies on child branches stay, and so do triggers and domains. */
function deleteFunction(controlPlane: ControlPlane, branch: BranchRow, slug: string): void {
  const row = getFunction(controlPlane, branch, slug);
  const { functions, functionDeployments } = controlPlane.tables;
  functions.remove(row);
  purge(controlPlane, functionDeployments, { branch_id: branch.id, slug });
}

/** Creates a version of a function. The first version also creates the function. Omitted members stay as in the newest version. */
function deployFunction(
  controlPlane: ControlPlane,
  branch: BranchRow,
  slug: string,
  { zip, runtime, environment: changes }: z.infer<typeof deployment>,
): FunctionDeploymentRow {
  const { tables, timestamps } = controlPlane;
  const at = { project_id: branch.project_id, branch_id: branch.id, slug: functionSlug(slug) };
  if (zip === undefined && runtime === undefined && changes === undefined) {
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
    variables: mergedVariables(newest?.variables ?? [], changes ?? {}),
    ...plannedBuild(controlPlane),
  };
  tables.functionDeployments.put(row);
  return row;
}

function functionResponse(controlPlane: ControlPlane, row: FunctionRow) {
  const versions = versionsOf(controlPlane, row.branch_id, row.slug);
  const [current] = versions;
  const active = versions.find(({ status }) => status === "completed");
  return {
    ...pick(row, ["id", "slug", "created_at"]),
    name: row.display_name ?? row.slug,
    invocation_url: invocationUrl(row),
    ...(current && { current_deployment: deploymentResponse(current) }),
    ...(active && { active_deployment: deploymentResponse(active) }),
  } satisfies Answer<vendor.NeonFunction>;
}

/** The URL of a function; empty until its port is open. */
export function invocationUrl({ port }: FunctionRow): string {
  return port === null ? "" : `http://127.0.0.1:${port}/`;
}

const notVisible = (): HttpError => new HttpError(404, "function not visible on branch");

/** Stores an archive, and returns its hash. */
function storeBundle({ tables }: ControlPlane, zip: Uint8Array): string {
  const hash = createHash("sha256").update(zip).digest("hex");
  if (!tables.functionBundles.get({ hash })) {
    tables.functionBundles.put({ hash, zip: Buffer.from(zip).toString("base64") });
  }
  return hash;
}

/** @throws HttpError 400 if the name of a variable is invalid, or if there are too many variables */
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
