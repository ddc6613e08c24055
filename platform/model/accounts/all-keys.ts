import type { ControlPlane } from "../control-plane";
import type { ApiKeyRow } from "./api-key-row";
import { listKeys } from "./api-key";

/** A key with its owner, as the console and the command line list it, without its secret. */
export interface ListedKey {
  readonly id: number;
  readonly name: string;
  readonly kind: "personal" | "organization" | "project";
  /** The name of the organization, or the user's email address. */
  readonly owner: string;
  /** The project of a project-scoped key. */
  readonly project?: string | undefined;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The keys of all owners, without revoked ones, latest first. */
export function listAllKeys(controlPlane: ControlPlane): ListedKey[] {
  const { tables } = controlPlane;
  const personal = tables.users
    .list({})
    .flatMap(({ id, email }) => listKeys(controlPlane, { user_id: id, org_id: null }).map((row) => listed(row, email)));
  const others = tables.organizations.list({}).flatMap(({ id, name }) =>
    listKeys(controlPlane, { org_id: id }).map((row) => {
      const project = row.project_id === undefined ? undefined : tables.projects.get({ id: row.project_id });
      return listed(row, name, project?.name ?? row.project_id);
    }),
  );
  return [...personal, ...others].sort((one, other) => other.id - one.id);
}

function listed(row: ApiKeyRow, owner: string, project?: string): ListedKey {
  return {
    id: row.id,
    name: row.name,
    kind: row.org_id === undefined ? "personal" : row.project_id === undefined ? "organization" : "project",
    owner,
    project,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
