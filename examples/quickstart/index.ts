import * as neon from "neon-pulumi";

const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
const staging = new neon.Branch("staging", { projectId: project.id, compute: {} }); // a compute of the default size

export const databaseUrl = staging.requireOutput("connectionUri"); // a secret
