import { snapshot as definition } from "../../../provider/resources/snapshot";
import type { Sample } from "../sample";

/** A snapshot of a project's first branch. */
export const snapshot: Sample = {
  kind: "Snapshot",
  definition,
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, name: stage.name("before") };
  },
  inPlace: ({ name }) => {
    const renamed = `${String(name)}-renamed`;
    return [
      {
        input: "name",
        to: renamed,
        sends: [{ method: "PATCH", path: /\/snapshots\/snap-[^/]+$/, body: { snapshot: { name: renamed } } }],
      },
    ];
  },
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const root = await stage.branch(String(projectId), { branch: { init_source: "schema-only" } });
    return [
      { input: "projectId", to: id, deletesFirst: false },
      { input: "branchId", to: root.id, deletesFirst: false },
      { input: "lsn", to: "0/1DE2850", deletesFirst: false },
      { input: "timestamp", to: "2030-01-31T12:00:00Z", deletesFirst: false },
      { input: "expiresAt", to: "2030-01-31T12:00:00Z", deletesFirst: false },
    ];
  },
  remove: async (stage, { projectId, snapshotId }) => {
    await stage.platform.call("DELETE", `/projects/${String(projectId)}/snapshots/${String(snapshotId)}`);
    await stage.settled(String(projectId));
  },
  exists: async (stage, { projectId, snapshotId }) => {
    const { body } = await stage.platform.call("GET", `/projects/${String(projectId)}/snapshots`);
    return body.snapshots.some(({ id }) => id === snapshotId);
  },
  adopt: ({ snapshotId }) => String(snapshotId),
};
