import { z } from "zod";

import { toWire } from "../../api/camel-case";
import { camelShape } from "../../api/camel-shape";
import { type Snapshot, snapshotCreate, snapshots } from "../../api/schemas/snapshot";
import { projects } from "../../api/schemas/project";
import { type Collection, onePage, type Reader } from "../call/collection";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { identifiedBy } from "../kind/id";
import { type Kind, namesakes } from "../kind/kind";
import { adopt, idInput } from "../kind/inputs";
import { deleteObject } from "../call/delete-object";
import { omitUndefined } from "../values";
import { listOf } from "./list-of";

const inputs = z
  .strictObject({
    projectId: idInput,
    branchId: idInput,
    ...camelShape(snapshotCreate.shape),
    adopt: adopt.optional(),
  })
  .superRefine(({ lsn, timestamp }, context) => {
    if (lsn === undefined || timestamp === undefined) return;
    context.addIssue({ code: "custom", path: ["timestamp"], message: "cannot be declared together with lsn" });
  });
export type SnapshotInputs = z.infer<typeof inputs>;

export interface SnapshotOutputs extends Omit<SnapshotInputs, "adopt" | "name" | "branchId"> {
  readonly snapshotId: string;
  readonly name: string;
  /** Undefined if the platform does not report it. */
  readonly branchId?: string;
  /** False if a backup schedule created the snapshot. */
  readonly manual?: boolean;
  readonly createdAt: string;
}

/** The data of a branch at a point in time. */
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
  secrets: {},
  defaultName: "name",
  uniqueBy: [],
  replacement: {
    loss: "The data in the old snapshot is deleted. The new snapshot is taken of the current data of the branch, unless `lsn` or `timestamp` is declared.",
  },
  ...identifiedBy("projectId", "snapshotId"),

  create: ({ projectId, branchId, adopt: _, ...declared }) =>
    creation({
      what: "create snapshot",
      request: () => snapshots.create(projectId, branchId, toWire(declared)),
      // Snapshots can have the same name.
      repeatable: false,
      outputs: (answer) => snapshotOutputs(projectId, answer.snapshot, branchId),
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
      what: "rename snapshot",
      project: projectId,
      request: snapshots.update(projectId, snapshotId, { name }),
      applies: ["name"],
      done: async () => (await findSnapshot(context, state))?.name === name,
    });
  },

  remove: async (context, state) => {
    const { projectId, snapshotId, name } = state;
    await deleteObject(context, {
      what: "delete snapshot",
      object: `snapshot ${name} (${snapshotId})`,
      project: projectId,
      request: snapshots.delete(projectId, snapshotId),
      confirms: (answer) => answer.operations.length > 0,
      exists: async () => (await findSnapshot(context, state)) !== undefined,
    });
  },

  namesakes: (_, { projectId, branchId, name }) =>
    namesakes({
      collection: snapshotsOf(projectId),
      matches: (one) => one.name === name,
      outputs: (one) => snapshotOutputs(projectId, one, branchId),
    }),

  // The platform does not report whether a snapshot whose creation failed holds data, and creating another is quick.
  finishing: { usable: () => Promise.resolve(false) },
};

/** The snapshots of a project, none if the project does not exist. */
async function listSnapshots(reader: Reader, projectId: string): Promise<readonly Snapshot[]> {
  return (await listOf(reader, reader.read(snapshots.list(projectId)), projects.get(projectId)))?.snapshots ?? [];
}

async function findSnapshot(
  context: Context,
  { projectId = "", snapshotId = "" }: Partial<SnapshotOutputs>,
): Promise<Snapshot | undefined> {
  return context.readOne(snapshotsOf(projectId), snapshotId);
}

function snapshotsOf(projectId: string): Collection<Snapshot> {
  return {
    name: `snapshots/${projectId}`,
    projectId,
    pages: (reader) => onePage(() => listSnapshots(reader, projectId)),
    keyOf: ({ id }) => id,
  };
}

/** @param branchId the known source, for the case that the platform no longer reports it */
function snapshotOutputs(projectId: string, found: Snapshot, branchId: string | undefined): SnapshotOutputs {
  return {
    projectId,
    snapshotId: found.id,
    name: found.name,
    ...omitUndefined({
      branchId: found.source_branch_id ?? branchId,
      lsn: found.lsn,
      timestamp: found.timestamp,
      expiresAt: found.expires_at,
      manual: found.manual,
    }),
    createdAt: found.created_at,
  };
}
