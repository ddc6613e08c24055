import * as pulumi from "@pulumi/pulumi";

// The stack of ../environments exports the URL. It is a secret there, and stays one here.
const database = new pulumi.StackReference(new pulumi.Config().require("databaseStack"));

// Hand it to the platform that runs app.mjs as a secret, with the provider of that platform. For example:
//
//   new kubernetes.core.v1.Secret("database", { stringData: { DATABASE_URL: databaseUrl } });
//   new aws.ssm.Parameter("database", { name: "/shop/DATABASE_URL", type: "SecureString", value: databaseUrl });
//   new vercel.ProjectEnvironmentVariable("database", { projectId, key: "DATABASE_URL", value: databaseUrl, … });
//
// A platform without a provider takes it from `pulumi stack output databaseUrl --show-secrets`.
export const databaseUrl = database.requireOutput("databaseUrl");
