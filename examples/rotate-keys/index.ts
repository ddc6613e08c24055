import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

const project = new neon.Project("shop");

// A key for this project only. Changing `rotation` creates the new key first and revokes the old one last.
const key = new neon.ProjectApiKey("deployer", {
  projectId: project.id,
  rotateTrigger: config.require("rotation"),
});

// Resources that use the key are updated in between, so they never hold a revoked key.
const deployer = new neon.Provider("deployer", { apiKey: key.key });
const preview = new neon.Branch("preview", { projectId: project.id, compute: {} }, { provider: deployer });

export const host = preview.host;
export const deployerKey = key.key;
