import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// One stack for each pull request. It contains only the preview's branch, so destroying the stack destroys only that.
const preview = new neon.BranchEnvironment("preview", {
  projectId: config.require("projectId"),
  name: `pr-${config.requireNumber("pullRequest")}`,
  // Neon deletes the branch then. The life begins again at each push, so a preview outlives its last push by 7 days only.
  ttl: "7d",
  ttlTrigger: config.require("commit"),
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 300 },
  pooled: true,
});

// Runs when the branch is new, and when the files change: `npm run migrate`, if package.json has that script.
new neon.Migration("schema", {
  projectId: config.require("projectId"),
  branchId: preview.branchId,
  run: "npm run migrate --if-present",
  files: new pulumi.asset.FileArchive("migrations"),
});

export const branch = preview.branch.name;
export const host = preview.host;
export const expiresAt = preview.branch.expiresAt;
export const databaseUrl = preview.connectionUri;
