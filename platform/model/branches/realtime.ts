import { randomBytes } from "node:crypto";
import { z } from "zod";

import { notFound } from "../../http-error";
import { isActive, listProjectEndpoints, suspendCompute } from "../computes/endpoint";
import type { RowTable } from "../containment";
import type { ControlPlane } from "../control-plane";
import { startOperations } from "../operations/lifecycle";
import { requireUnlockedProject } from "../operations/project-lock";
import type { ProjectRow } from "../projects/project-row";
import { branchMember, requireWriter } from "../routing/authorization";
import { allow, type ApiPaths, emptyBody } from "../routing/route";
import type { BranchRow } from "./branch-row";

interface RealtimeSettings {
  readonly allowed_origins: readonly string[];
  /** Encrypted in the file. */
  readonly secret: string;
}

/** Realtime of a branch: the settings in force, and those that were asked for since. A branch without it has no row. */
export interface RealtimeRow {
  readonly project_id: string;
  readonly branch_id: string;
  /** `undefined` until the first change is applied. */
  readonly applied?: RealtimeSettings | undefined;
  /** `null`: Realtime is to be disabled. */
  readonly wanted: RealtimeSettings | null;
  /** Counts the changes that were applied. */
  readonly revision: number;
  /** When the change is applied; `null` if there is none. */
  readonly due_at: number | null;
}

/** The operation time that a change takes. The service reports it as no operation. */
const action = "apply_realtime";

export const realtimeTable: RowTable<RealtimeRow> = {
  name: "realtime",
  within: "branch",
  branching: {
    on: ["branch"],
    // The child has a URL and a secret of its own.
    copy: ({ wanted, applied: _, ...row }, { controlPlane }) =>
      wanted === null ? undefined : changed(controlPlane, row, { ...wanted, secret: newSecret() }),
  },
  primaryKey: ["branch_id"],
  indexes: ["project_id", "due_at"],
  encrypted: ["secret"],
  due: {
    at: "due_at",
    run({ tables }, { wanted, revision, ...row }) {
      if (wanted === null) tables.realtime.remove({ ...row, wanted, revision });
      else tables.realtime.put({ ...row, wanted, applied: wanted, revision: revision + 1, due_at: null });
    },
  },
};

/** An origin of a browser: `http` or `https`, a host and an optional port. */
const origin = z
  .string()
  .refine(
    (text) => text === "*" || (/^https?:\/\/[^\s/?#@\\]+$/i.test(text) && URL.canParse(text) && !text.endsWith(":")),
    "must be an origin of http or https with a host, an optional port and no path",
  );
const options = z.object({
  allowed_origins: z
    .array(origin)
    .refine((origins) => origins.length < 2 || !origins.includes("*"), "must not have other origins besides *")
    .optional(),
});

const path = "/projects/:project_id/branches/:branch_id/realtime";

/** Only pages of the vendor's API reference describe these: neither published document has them. */
export const realtimePaths: ApiPaths = {
  [path]: {
    GET: allow(branchMember, ({ controlPlane: { tables }, project, branch }) =>
      realtimeResponse(project, tables.realtime.get({ branch_id: branch.id })),
    ),
    // Enables it, or sets the options of a branch that has it.
    POST: allow(
      { ...branchMember, status: 202, operationId: "enableProjectBranchRealtime", body: options, isBodyOptional: true },
      ({ controlPlane, project, branch, body }) => {
        requireUnlockedProject(controlPlane, project.id);
        const row = controlPlane.tables.realtime.get({ branch_id: branch.id });
        const present = row?.wanted ?? enabled(controlPlane, project);
        const allowed = body.allowed_origins ?? present.allowed_origins;
        // An empty list stands for any origin, and so does `*`.
        change(controlPlane, branch, { ...present, allowed_origins: allowed.filter((one) => one !== "*") });
        return emptyBody;
      },
    ),
    DELETE: allow({ ...branchMember, status: 202 }, ({ controlPlane, project, branch }) => {
      requireEnabled(controlPlane, branch);
      requireUnlockedProject(controlPlane, project.id);
      change(controlPlane, branch, null);
      return emptyBody;
    }),
  },
  [`${path}/secret`]: {
    // Those who may only read the project may not read its credentials.
    GET: allow(branchMember, ({ controlPlane, caller, project, branch }) => {
      requireWriter(controlPlane, caller, project);
      const { applied, wanted, due_at } = controlPlane.tables.realtime.getOr404("Realtime", { branch_id: branch.id });
      if (!applied || !wanted) throw notFound("Realtime secret");
      return { secret: applied.secret, pending: due_at !== null };
    }),
  },
  [`${path}/rotate_secret`]: {
    POST: allow({ ...branchMember, status: 202 }, ({ controlPlane, project, branch }) => {
      const present = requireEnabled(controlPlane, branch);
      requireUnlockedProject(controlPlane, project.id);
      change(controlPlane, branch, { ...present, secret: newSecret() });
      return emptyBody;
    }),
  },
};

/** The settings of a branch that enables Realtime. It turns on logical replication, and suspends the project's computes. */
function enabled(controlPlane: ControlPlane, project: ProjectRow): RealtimeSettings {
  const { tables, timestamps } = controlPlane;
  if (!project.settings.enable_logical_replication) {
    const settings = { ...project.settings, enable_logical_replication: true };
    tables.projects.put({ ...project, settings, updated_at: timestamps.next() });
  }
  const active = listProjectEndpoints(controlPlane, project.id).filter(isActive);
  startOperations(controlPlane, project.id, active.map(suspendCompute));
  return { allowed_origins: [], secret: newSecret() };
}

/** Asks for a change. One that is not applied yet is overtaken. */
function change(controlPlane: ControlPlane, { id, project_id }: BranchRow, wanted: RealtimeSettings | null): void {
  const { realtime } = controlPlane.tables;
  const row = realtime.get({ branch_id: id }) ?? { project_id, branch_id: id, revision: 0 };
  realtime.put(changed(controlPlane, row, wanted));
}

function changed(
  { clock, operationTimes }: ControlPlane,
  row: Omit<RealtimeRow, "wanted" | "due_at">,
  wanted: RealtimeSettings | null,
): RealtimeRow {
  return { ...row, wanted, due_at: clock.now() + operationTimes.of(action) };
}

/** @throws HttpError 404 */
function requireEnabled({ tables }: ControlPlane, branch: BranchRow): RealtimeSettings {
  const { wanted = null } = tables.realtime.get({ branch_id: branch.id }) ?? {};
  if (wanted === null) throw notFound("Realtime");
  return wanted;
}

/** The state of Realtime as the API returns it. It has a URL once the first change is applied. */
function realtimeResponse(project: ProjectRow, row: RealtimeRow | undefined) {
  const { applied, wanted = null, due_at = null, revision } = row ?? {};
  return {
    enabled: wanted !== null,
    pending: due_at !== null,
    ...(row && applied && wanted && { invocation_url: invocationUrl(project, row), revision }),
    ...(applied && wanted && { allowed_origins: applied.allowed_origins }),
  };
}

/** The URL and the secret of a branch whose Realtime is ready. Nothing listens there. */
export function realtimeOf(
  { tables }: ControlPlane,
  project: ProjectRow,
  branchId: string,
): { readonly url: string; readonly secret: string } | undefined {
  const row = tables.realtime.get({ branch_id: branchId });
  if (!row?.applied || !row.wanted) return undefined;
  return { url: invocationUrl(project, row), secret: row.applied.secret };
}

function invocationUrl({ proxy_host }: ProjectRow, { branch_id }: RealtimeRow): string {
  return `wss://realtime.${proxy_host}/${branch_id}`;
}

/** A key of 32 bytes, with the version of its form. */
const newSecret = (): string => `nrt_live_1${randomBytes(32).toString("base64url")}`;
