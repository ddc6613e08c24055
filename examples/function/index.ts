import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// Neon runs functions in some regions only.
const project = new neon.Project("notes", { regionId: "aws-us-east-2" });

const api = new neon.Function("api", {
  projectId: project.id,
  branchId: project.defaultBranchId,
  // Neon does not bundle: `npm run build` does, and writes this folder.
  code: new pulumi.asset.FileArchive("./dist"),
  // Neon adds DATABASE_URL.
  environment: { TOKEN: new pulumi.Config().requireSecret("token") },
});

export const url = api.invocationUrl; // public
