import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();
// Ids as text, not as outputs of other resources: so the first preview can read everything, and warns of each difference.
const projectId = config.require("projectId");
const branchId = config.require("branchId");

// `destroy` fails, and removing a resource from the program keeps the object.
const keep = { protect: true, retainOnDelete: true };

// Only required properties: what the program does not declare keeps its value.
const project = new neon.Project("shop", { adopt: projectId }, keep);
const main = new neon.Branch("main", { projectId, adopt: branchId }, keep);
new neon.Role("owner", { projectId, branchId, adopt: "neondb_owner" }, keep);
const database = new neon.Database("neondb", { projectId, branchId, adopt: "neondb", ownerName: "neondb_owner" }, keep);

export const projectName = project.name;
export const host = main.requireOutput("host");
export const databaseName = database.name;
