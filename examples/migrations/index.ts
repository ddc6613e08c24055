import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// A copy of production's data, so that a migration meets real rows before it is merged.
const preview = new neon.BranchEnvironment("preview", {
  projectId: config.require("projectId"),
  name: `pr-${config.requireNumber("pullRequest")}`,
  // Neon deletes the branch then, even if nobody runs `pulumi destroy`.
  ttl: "7d",
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 },
  // If a run is killed, the next one adopts the branch that it left behind.
  adopt: true,
});

// Runs when the branch is new, when the files change, and when somebody resets the branch. If it fails, nothing that
// depends on it is changed, and the next `pulumi up` runs it again.
const schema = new neon.Migration("schema", {
  projectId: config.require("projectId"),
  branchId: preview.branchId,
  run: "npm run --silent migrate",
  files: new pulumi.asset.FileArchive("drizzle"),
});

export const databaseUrl = preview.connectionUri; // a secret
export const migratedAs = schema.roleName;
