import { z } from "zod";

import { camelShape, toWire } from "../../api/camel-case";
import { PlatformError } from "../../api/errors";
import { type Snapshot, snapshotCreate, snapshots } from "../../api/schemas/snapshot";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy } from "../kind/id";
import type { Kind } from "../kind/kind";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";

const inputs = z
  .strictObject({
    projectId: objectId,
    branchId: objectId,
    ...camelShape(snapshotCreate.shape),
    adopt: adopt.optional(),
  })
  .superRefine(({ lsn, timestamp }, context) => {
    if (lsn === undefined || timestamp === undefined) return;
    context.addIssue({ code: "custom", path: ["timestamp"], message: "cannot be declared together with lsn" });
  });
/** What a program declares of a snapshot. */
export type SnapshotInputs = z.infer<typeof inputs>;

/** What there is to know of a snapshot. */
export interface SnapshotOutputs extends Omit<SnapshotInputs, "adopt" | "name" | "branchId"> {
  readonly snapshotId: string;
  readonly name: string;
  /** Absent where the platform does not tell it. */
  readonly branchId?: string;
  /** False for those that a backup schedule has taken. */
  readonly manual?: boolean;
  readonly createdAt: string;
}

/** What a branch held at some moment, kept for as long as the resource. */
export const snapshot: Kind<SnapshotInputs, SnapshotOutputs> = {
  name: "Snapshot",
  noun: "snapshot",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    lsn: { onChange: "replace" },
    timestamp: { onChange: "replace", equality: "instant" },
    expiresAt: { onChange: "replace", equality: "instant", unset: "none" },
  },
  controls: ["adopt"],
  defaultName: "name",
  secrets: [],
  uniqueBy: [],
  lossOnReplace:
    "What the old snapshot holds goes with it. The new one is taken now, of what the branch then holds, unless lsn or timestamp says otherwise.",
  ...identifiedBy("projectId", "snapshotId"),

  create: (context, { projectId, branchId, adopt: _, ...declared }) =>
    context.create({
      what: `take snapshot ${declared.name ?? ""}`,
      request: () => snapshots.create(projectId, branchId, toWire(declared)),
      // Any number of snapshots can have the same name.
      repeatable: false,
      record: (answer) => {
        const outputs = snapshotOutputs(projectId, answer.snapshot, branchId);
        return { id: snapshot.id(outputs), outputs };
      },
    }),

  read: async (context, state) => {
    const { projectId = "", branchId } = state;
    const found = await findSnapshot(context, state);
    return found && snapshotOutputs(projectId, found, branchId);
  },

  update: async (context, state, { name }, changes) => {
    if (!changes.has("name") || name === undefined) return;
    const { projectId, snapshotId } = state;
    await context.change({
      what: `rename snapshot ${state.name}`,
      project: projectId,
      request: snapshots.update(projectId, snapshotId, { name }),
      applies: ["name"],
      done: async () => (await findSnapshot(context, state))?.name === name,
    });
  },

  remove: async (context, state) => {
    const { projectId, snapshotId, name } = state;
    await deleteObject(context, {
      object: `snapshot ${name} (${snapshotId})`,
      project: projectId,
      request: snapshots.delete(projectId, snapshotId),
      tells: (answer) => answer.operations.length > 0,
      isThere: async () => (await findSnapshot(context, state)) !== undefined,
    });
  },

  find: async (context, { projectId, name }, id) => {
    if (id !== undefined) return { projectId, snapshotId: adoptedSegment(id, projectId) };
    const named = (await allSnapshots(context, projectId)).filter((one) => one.name === name);
    if (named.length > 1) {
      throw new PlatformError(
        "invalid",
        `There are ${named.length} snapshots named "${name ?? ""}" in project ${projectId}: ${named.map((one) => one.id).join(", ")}. Adopt one of them by its id.`,
        undefined,
      );
    }
    return named[0] && { projectId, snapshotId: named[0].id };
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, name }, since) =>
      (await allSnapshots(context, projectId))
        .filter(
          (one) =>
            one.name === name &&
            (one.source_branch_id ?? branchId) === branchId &&
            Date.parse(one.created_at) >= since.getTime(),
        )
        .map((one) => ({ projectId, snapshotId: one.id })),
  },

  // Whether anything is in a snapshot whose taking ended badly nobody tells, and one is taken quickly.
  usable: () => Promise.resolve(false),
};

/** Those of a project, none if it is gone. */
async function allSnapshots(context: Context, projectId: string): Promise<readonly Snapshot[]> {
  return (await present(context.read(snapshots.list(projectId))))?.snapshots ?? [];
}

async function findSnapshot(
  context: Context,
  { projectId = "", snapshotId }: Partial<SnapshotOutputs>,
): Promise<Snapshot | undefined> {
  return (await allSnapshots(context, projectId)).find(({ id }) => id === snapshotId);
}

/** @param branchId what it is known to be taken of, should the platform no longer tell it */
function snapshotOutputs(projectId: string, found: Snapshot, branchId: string | undefined): SnapshotOutputs {
  const source = found.source_branch_id ?? branchId;
  return {
    projectId,
    snapshotId: found.id,
    name: found.name,
    ...(source === undefined ? {} : { branchId: source }),
    ...(found.lsn === undefined ? {} : { lsn: found.lsn }),
    ...(found.timestamp === undefined ? {} : { timestamp: found.timestamp }),
    ...(found.expires_at === undefined ? {} : { expiresAt: found.expires_at }),
    ...(found.manual === undefined ? {} : { manual: found.manual }),
    createdAt: found.created_at,
  };
}
