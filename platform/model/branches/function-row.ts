import type { RowTable } from "../containment";

/** A function of a branch. A child branch has its own copy. */
export interface FunctionRow {
  id: string;
  project_id: string;
  branch_id: string;
  slug: string;
  /** `null` means the slug. */
  display_name: string | null;
  /** Whether the function is from the parent and was not deployed on this branch. */
  inherited: boolean;
  /** The port of 127.0.0.1 at which the function can be invoked; `null` until the port is open. */
  port: number | null;
  created_at: string;
}

export const functionTable: RowTable<FunctionRow> = {
  name: "functions",
  within: "branch",
  branching: { on: ["branch"], at: "created_at", copy: (row) => ({ ...row, inherited: true, port: null }) },
  columns: ["port"],
  primaryKey: ["branch_id", "slug"],
  indexes: ["project_id"],
  latest: "created_at",
};

/** A version of a function: its code, its variables, and the state of its build. */
export interface FunctionDeploymentRow {
  project_id: string;
  branch_id: string;
  slug: string;
  /** The number of the version. A copy of the function on a child branch continues the count. */
  id: number;
  status: "pending" | "building" | "completed" | "failed";
  runtime: string;
  created_at: string;
  /** The hash of its archive. */
  bundle: string;
  /** A list, because the names of members decide what is encrypted. */
  variables: readonly { readonly name: string; readonly value: string }[];
  /** The time of the next status; `null` if there is none, or if something else has to happen first. */
  due_at: number | null;
  /** The shortest time that the version is `building`; `null` means until the faults are deleted. */
  building_ms: number | null;
  /** The state of the archive's build. `awaited`: the version's time is up, and the build is not done. */
  build: "pending" | "awaited" | "done";
  /** The reason if the version fails. */
  failure?: string | undefined;
}

export const functionDeploymentTable: RowTable<FunctionDeploymentRow> = {
  name: "function_deployments",
  within: "branch",
  branching: { on: ["branch"], at: "created_at", copy: (row) => row },
  purged({ tables }, { bundle }) {
    if (!tables.functionDeployments.get({ bundle })) tables.functionBundles.delete({ hash: bundle });
  },
  columns: ["status"],
  primaryKey: ["branch_id", "slug", "id"],
  indexes: ["project_id", "due_at", "bundle", "build"],
  encrypted: ["value"],
  latest: "created_at",
};

/** The archive of deployments. Branches and versions with the same content share it. */
export interface FunctionBundleRow {
  hash: string;
  /** In base64. */
  zip: string;
}

export const functionBundleTable: RowTable<FunctionBundleRow> = {
  name: "function_bundles",
  within: "platform",
  primaryKey: ["hash"],
};
