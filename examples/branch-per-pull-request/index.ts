import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// One stack for each pull request. It contains only the preview's branch, so destroying the stack destroys only that.
const preview = new neon.BranchEnvironment("preview", {
  projectId: config.require("projectId"),
  name: `pr-${config.requireNumber("pullRequest")}`,
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1, suspendTimeoutSeconds: 300 },
  // A cancelled run may have left the branch behind. The next run adopts it.
  adopt: true,
  pooled: true,
});

export const host = preview.host;
export const databaseUrl = preview.connectionUri;
