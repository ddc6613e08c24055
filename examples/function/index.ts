import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// Neon runs functions in some regions only.
const project = new neon.Project("notes", { regionId: "aws-us-east-2" });

const api = new neon.Function("api", {
  projectId: project.id,
  branchId: project.defaultBranchId,
  // Bundled with its packages by each `pulumi up`, and deployed if that changes the code.
  code: neon.bundle("api/index.ts"),
  // Neon adds DATABASE_URL.
  environment: { TOKEN: new pulumi.Config().requireSecret("token") },
});

export const url = api.invocationUrl; // public
