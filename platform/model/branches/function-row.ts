import type { RowTable } from "../containment";

/** A function of a branch. A child has a copy of its own. */
export interface FunctionRow {
  id: string;
  project_id: string;
  branch_id: string;
  slug: string;
  /** `null`: the slug. */
  display_name: string | null;
  /** Whether the branch has it from its parent, and has not deployed it itself. */
  inherited: boolean;
  /** The port of 127.0.0.1 where it can be invoked; `null` until that is open. */
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

/** A version of a function: its code, its variables, and what became of its build. */
export interface FunctionDeploymentRow {
  project_id: string;
  branch_id: string;
  slug: string;
  /** Counts the versions of the function, also across branches. */
  id: number;
  status: "pending" | "building" | "completed" | "failed";
  runtime: string;
  created_at: string;
  /** The hash of its archive. */
  bundle: string;
  /** A list, because the names of members decide what is encrypted. */
  variables: readonly { readonly name: string; readonly value: string }[];
  /** When the next status follows; `null` if none does, or if something else has to happen first. */
  due_at: number | null;
  /** How long it is `building` at least; `null`: until the faults are deleted. */
  building_ms: number | null;
  /** Whether its archive has to be built; `awaited` if its time is up. */
  build: "pending" | "awaited" | "done";
  /** Why it fails. */
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
