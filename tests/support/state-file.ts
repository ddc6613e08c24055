import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A resource in a state, as far as anybody but Pulumi looks at it. */
export interface SavedResource {
  readonly urn: string;
  readonly id: string;
  readonly external?: boolean | undefined;
  readonly pendingReplacement?: boolean | undefined;
  readonly delete?: boolean | undefined;
  readonly outputs?: unknown;
}

/** The stack that a state belongs to. */
export interface StateOwner {
  /** A `file://` URL. */
  readonly backend: string;
  readonly project: string;
  readonly stack: string;
}

/** Creates a backend in a folder, without stacks. */
export function backendIn(folder: string): string {
  mkdirSync(join(folder, ".pulumi", "stacks"), { recursive: true });
  return `file://${folder}`;
}

/**
 * Saves a state as Pulumi does in a backend that is a folder.
 *
 * @param creating the URNs of what was being created when a run was killed; Pulumi keeps them in later states
 * @param deleting what a run is deleting
 */
export function saveState(
  owner: StateOwner,
  resources: readonly SavedResource[],
  creating: readonly string[] = [],
  deleting: readonly SavedResource[] = [],
): void {
  const file = stateFileOf(owner);
  mkdirSync(dirname(file), { recursive: true });
  const saved = resources.map(({ urn, id, external, pendingReplacement, delete: isToBeDeleted, outputs }) => ({
    urn,
    id,
    external,
    pendingReplacement,
    delete: isToBeDeleted,
    outputs,
  }));
  const pending = [
    ...creating.map((urn) => ({ type: "creating", resource: { urn } })),
    ...deleting.map((resource) => ({ type: "deleting", resource })),
  ];
  writeFileSync(
    file,
    JSON.stringify({ version: 3, checkpoint: { latest: { resources: saved, pending_operations: pending } } }),
  );
}

/** Removes the state of a stack that has another name or place from now on. */
export function removeState(owner: StateOwner): void {
  rmSync(stateFileOf(owner), { force: true });
}

function stateFileOf({ backend, project, stack }: StateOwner): string {
  return join(fileURLToPath(backend), ".pulumi", "stacks", project, `${stack}.json`);
}
