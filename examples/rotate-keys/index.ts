import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

const config = new pulumi.Config();

const project = new neon.Project("shop");

// A key that reaches this one project. Changing `rotation` makes a new one first; the old one is revoked last.
const key = new neon.ProjectApiKey("deployer", {
  projectId: project.id,
  rotateTrigger: config.require("rotation"),
});

// Whatever uses the key is updated in between, so that it never holds a key that is revoked already.
const deployer = new neon.Provider("deployer", { apiKey: key.key });
const preview = new neon.Branch("preview", { projectId: project.id, compute: {} }, { provider: deployer });

export const host = preview.host;
export const deployerKey = key.key;
