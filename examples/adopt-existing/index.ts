import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const projectId = new pulumi.Config().require("projectId");

// This program manages only what it declares. Everything else stays as it is.
const project = new neon.Project("shop", { adopt: projectId, historyRetentionSeconds: 3_600 });

// These were created with the project. Creating them again would fail as a duplicate.
const main = new neon.Branch("main", {
  projectId: project.id,
  adopt: project.defaultBranchId,
});
const compute = new neon.Endpoint("main", {
  projectId: project.id,
  branchId: main.branchId,
  type: "read_write",
  adopt: true,
  suspendTimeoutSeconds: 600,
});
const owner = new neon.Role("neondb_owner", { projectId: project.id, branchId: main.branchId, adopt: true });
const database = new neon.Database("neondb", {
  projectId: project.id,
  branchId: main.branchId,
  ownerName: owner.name,
  adopt: true,
});

export const host = compute.host;
export const databaseName = database.name;
export const password = owner.password;
