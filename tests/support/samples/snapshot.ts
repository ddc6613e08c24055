import { inDays } from "../in-days";
import { onBranch, timestamp } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { KindSample } from "../sample";
import { branchPath, listed, posting } from "./object";

/** A snapshot of a project's first branch. */
export const snapshot: KindSample = {
  kind: "Snapshot",
  creates: (declared) => [posting(`${branchPath(declared)}/snapshot?name=${String(declared["name"])}`)],
  declare: async (stage) => {
    const { id, branchId } = await stage.project();
    return { projectId: id, branchId, name: stage.name("before") };
  },
  inPlace: ({ name }) => {
    const expiry = inDays(3);
    const renamed = `${String(name)}-renamed`;
    return [
      {
        input: "name",
        to: renamed,
        sends: [{ method: "PATCH", path: /\/snapshots\/snap-[^/]+$/, body: { snapshot: { name: renamed } } }],
      },
      {
        input: "expiresAt",
        to: expiry,
        sends: [{ method: "PATCH", path: /\/snapshots\/snap-[^/]+$/, body: { snapshot: { expires_at: expiry } } }],
      },
      {
        input: "expiresAt",
        to: undefined,
        sends: [{ method: "PATCH", path: /\/snapshots\/snap-[^/]+$/, body: { snapshot: { expires_at: null } } }],
      },
    ];
  },
  replaces: async ({ projectId }, stage) => {
    const { id } = await stage.project();
    const root = await stage.branch(String(projectId), { branch: { init_source: "schema-only" } });
    return {
      createsFirst: { projectId: id },
      deletesFirst: { branchId: root.id, lsn: "0/1DE2850", timestamp: "2025-01-31T12:00:00Z" },
    };
  },
  ...listed(({ projectId }) => `/projects/${String(projectId)}/snapshots`, "snapshotId", { member: "snapshots" }),
  adopt: ({ snapshotId }) => String(snapshotId),
  replaced: {
    lsn: /^Changing `lsn` replaces this snapshot\. The data in the old snapshot is deleted.* is deleted first/,
  },
  readAt: { path: /\/snapshots$/, isList: true },
  invalid: [
    onBranch,
    [
      [{ branchId: undefined }, "branchId", "is required"],
      [{ lsn: "0/1DE2850", timestamp }, "timestamp", /together with lsn/],
      [{ lsn: "here" }, "lsn", /log sequence number/],
      [{ timestamp: "yesterday" }, "timestamp", /must be an ISO 8601 timestamp/],
      [{ expiresAt: "2030-01-31" }, "expiresAt", /must be an ISO 8601 timestamp/],
      [{ name: "" }, "name", /at least 1/],
      [{ expires_at: timestamp }, "expires_at", /did you mean expiresAt\?/],
    ],
  ],
  facts: { ...usualFacts, path: "/projects/:projectId/snapshots/:snapshotId" },
};
