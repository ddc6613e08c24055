import * as neon from "neon-pulumi";

const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
const staging = new neon.Branch("staging", { projectId: project.id, compute: {} });

export const databaseUrl = staging.requireOutput("connectionUri"); // a secret
