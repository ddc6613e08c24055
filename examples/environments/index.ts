import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// One stack for each environment, one project in each stack: nothing that happens in `dev` can reach `production`.
const environment = pulumi.getStack();
const config = new pulumi.Config();
const isProtected = config.requireBoolean("isProtected");
const options = { protect: isProtected };

const project = new neon.Project(
  "shop",
  {
    name: `shop-${environment}`,
    regionId: "aws-eu-central-1",
    historyRetentionSeconds: config.requireNumber("historyDays") * 86_400,
  },
  options,
);

// Neon creates this branch with the project. It is declared to set its protection and the size of its compute.
const main = new neon.Branch(
  "main",
  {
    projectId: project.id,
    name: "main",
    adopt: true,
    protected: isProtected,
    compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: config.requireNumber("maxCu") },
  },
  options,
);

export const projectId = project.id;
export const branchId = main.branchId;
export const databaseUrl = main.requireOutput("connectionUri"); // a secret
