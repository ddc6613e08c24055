import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

// Production's project is another stack's. Without its id, the example creates a project of its own.
const projectId = config.get("projectId") ?? new neon.Project("migrations", { regionId: "aws-us-east-2" }).id;

// A copy of production's data, so that a migration meets real rows before it is merged.
const preview = new neon.BranchEnvironment("preview", {
  projectId,
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
  projectId,
  branchId: preview.branchId,
  run: "npm run --silent migrate",
  files: new pulumi.asset.FileArchive("drizzle"),
});

export const databaseUrl = preview.connectionUri; // a secret
export const migratedAs = schema.roleName;
