import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// One stack for each environment, one project in each stack: nothing that happens in `dev` can reach `production`.
const environment = pulumi.getStack();
const config = new pulumi.Config();
const isProtected = config.requireBoolean("isProtected");
const options = { protect: isProtected };
const size = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: config.requireNumber("maxCu") };

const project = new neon.Project(
  "shop",
  {
    name: `shop-${environment}`,
    regionId: "aws-eu-central-1",
    historyRetentionSeconds: config.requireNumber("historyDays") * 86_400,
    defaultEndpointSettings: size,
  },
  options,
);

// Neon creates this branch with the project, and deletes it with the project. It is declared here to protect it and to resize its
// compute later.
const main = new neon.Branch(
  "main",
  {
    projectId: project.id,
    name: "main",
    adopt: true,
    protected: isProtected,
    compute: size,
  },
  { ...options, deletedWith: project },
);

export const projectId = project.id;
export const branchId = main.branchId;
export const databaseUrl = main.requireOutput("connectionUri"); // a secret
