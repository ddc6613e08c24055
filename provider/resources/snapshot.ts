import { z } from "zod";

import { toWire } from "../../api/core/camel-case";
import { camelShape } from "../../api/core/camel-shape";
import { lazy } from "../../api/core/lazy";
import { projects } from "../../api/schemas/project";
import { type Snapshot, snapshot as wireSnapshot, snapshotCreate, snapshots } from "../../api/schemas/snapshot";
import { operationsOf } from "../call/change";
import { type Collection, wholeList } from "../call/collection";

import { combination } from "../kind/combination";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn } from "../values";
import { explainedByParent } from "./branch/root";

const inputs = lazy(() => {
  const wire = camelShape(snapshotCreate.shape);
  return z
    .strictObject({
      ...ofProject,
      branchId: ofBranch.branchId.meta({ note: "Neon takes snapshots of root branches only." }),
      name: wire.name,
      lsn: wire.lsn.meta({ note: "Conflicts with `timestamp`.", omitted: "the latest" }),
      timestamp: wire.timestamp.meta({
        note: "Conflicts with `lsn`.",
        omitted: "now",
        daysFromNow: { most: 0 },
      }),
      expiresAt: wire.expiresAt.meta({
        omitted: "never",
        change: "Removing it keeps the snapshot for ever.",
        daysFromNow: { least: 0 },
      }),
      adopt,
    })
    .check(
      combination(({ lsn, timestamp }, report) => {
        if (lsn !== undefined && timestamp !== undefined) report("cannot be declared together with lsn", "timestamp");
      }),
    );
});
export type SnapshotInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, sourceBranchId, ...wire } = camelShape(wireSnapshot.shape);
  return z.object({
    ...ofProject,
    branchId: sourceBranchId,
    ...only(wire, "name", "slug", "lsn", "timestamp", "expiresAt"),
    snapshotId: id,
    ...only(wire, "manual", "createdAt"),
  });
};
export type SnapshotOutputs = OutputsOf<typeof outputs>;

/** The data of a branch at a point in time. */
export const snapshot = listedKind<Snapshot, SnapshotInputs, SnapshotOutputs>({
  name: "Snapshot",
  noun: "snapshot",
  inputs,
  outputs,
  identifiedBy: ["projectId", "snapshotId"],
  rules: {
    branchId: { onChange: "replace" },
    lsn: { onChange: "replace" },
    timestamp: { onChange: "replace", equality: "instant" },
    expiresAt: { onRemove: "clear", equality: "instant", unset: "none" },
  },
  defaultName: "name",
  uniqueBy: ["projectId", "name"],
  replacement: {
    loss: "The data in the old snapshot is deleted. The new snapshot is taken of the current data of the branch, unless `lsn` or `timestamp` is declared.",
    deletedFirst:
      "The old one is deleted first, because the new one has its name. To take the new one first, change `name`, too.",
  },
  within: { Branch: false },

  create: ({ projectId, branchId, adopt: _, ...declared }) =>
    creation({
      what: "create snapshot",
      request: snapshots.create(projectId, branchId, toWire(declared)),
      repeatable: true,
      explain: (context, error) => {
        const failed = `The snapshot of branch ${branchId} was not taken`;
        return explainedByParent(context, { projectId, branchId }, error, { failed, resource: "Snapshot" });
      },
      outputs: (answer) => snapshotOutputs(projectId, answer.snapshot, branchId),
    }),

  collection: snapshotsOf,
  outputsOf: (found, { projectId = "", branchId }) => snapshotOutputs(projectId, found, branchId),

  update: async (context, state, { name, expiresAt = null }, changes) => {
    const { projectId, snapshotId } = state;
    const applies = ["name", "expiresAt"].filter((input) => changes.has(input));
    if (applies.length === 0) return;
    await context.change({
      what: "change snapshot",
      request: snapshots.update(projectId, snapshotId, {
        ...(changes.has("name") && { name }),
        ...(changes.has("expiresAt") && { expires_at: expiresAt }),
      }),
      applies,
      done: async () => {
        const found = await context.readOne(snapshotsOf(state), snapshotId);
        if (found === undefined || (changes.has("name") && found.name !== name)) return false;
        return !changes.has("expiresAt") || same({ equality: "instant" }, found.expires_at ?? null, expiresAt);
      },
    });
  },

  deletion: ({ projectId, snapshotId, name }) => ({
    object: `snapshot ${name} (${snapshotId})`,
    request: snapshots.delete(projectId, snapshotId),
    confirms: (answer) => operationsOf(answer).length > 0,
  }),

  scope: { hasHiddenBranch: true },
  // After a failed creation, the platform does not report whether the snapshot holds data. Creating another one is
  // quick.
  finishing: { usable: () => Promise.resolve(false) },

  listing: {
    leftOut: ({ manual }) => (manual === false ? "a backup schedule takes and deletes them" : undefined),
  },
});

function snapshotsOf({ projectId = "" }: Partial<SnapshotOutputs>): Collection<Snapshot> {
  return wholeList({
    list: snapshots.list(projectId),
    items: (answer) => answer.snapshots,
    keyOf: ({ id }) => id,
    parent: projects.get(projectId),
  });
}

/** @param branchId the known source, in case the platform no longer reports it */
function snapshotOutputs(projectId: string, found: Snapshot, branchId: string | undefined): SnapshotOutputs {
  return {
    projectId,
    snapshotId: found.id,
    ...omitUndefined({
      branchId: found.source_branch_id ?? branchId,
      expiresAt: found.expires_at ?? undefined,
    }),
    ...outputsIn(found, "name", "slug", "lsn", "timestamp", "manual", "created_at"),
  };
}
