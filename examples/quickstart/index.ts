import * as neon from "neon-pulumi";

const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });

// A copy of the project's data for one pull request, with a small compute.
const preview = new neon.Branch("preview", {
  projectId: project.id,
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
});

export const host = preview.host;
export const connectionUri = preview.requireOutput("connectionUri"); // Output<string>, secret
