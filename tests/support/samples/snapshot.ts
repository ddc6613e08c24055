import { inDays } from "../in-days";
import { onBranch, timestamp } from "../invalid-inputs";
import { usualFacts } from "../kind-facts";
import type { ExpectedRequest, KindSample } from "../sample";
import { branchPath, elsewhere, newBranch, posting, root } from "./object";

const path = /\/snapshots\/snap-[^/]+$/;
const patched = (body: unknown): ExpectedRequest[] => [{ method: "PATCH", path, body: { snapshot: body } }];

/** A snapshot of a project's first branch. */
export const snapshot: KindSample = {
  kind: "Snapshot",
  creates: (declared) => [posting(`${branchPath(declared)}/snapshot?name=${String(declared["name"])}`)],
  declare: async (stage) => ({ ...(await newBranch(stage)), name: stage.name("before") }),
  inPlace: ({ name }) => {
    const expiry = inDays(3);
    const renamed = `${String(name)}-renamed`;
    return [
      { input: "name", to: renamed, sends: patched({ name: renamed }) },
      { input: "expiresAt", to: expiry, sends: patched({ expires_at: expiry }) },
      { input: "expiresAt", to: undefined, sends: patched({ expires_at: null }) },
    ];
  },
  replaces: async (declared, stage) => {
    const { projectId, branchId } = await elsewhere(stage, declared["projectId"], root);
    return {
      createsFirst: { projectId },
      deletesFirst: { branchId, lsn: "0/1DE2850", timestamp: "2025-01-31T12:00:00Z" },
    };
  },
  list: { member: "snapshots" },
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
