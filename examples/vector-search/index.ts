import * as postgresql from "@pulumi/postgresql";
import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// A project whose branch has the extension `vector`, and a role that reads the tables of the application, and nothing else.
const project = new neon.Project("documents", { regionId: "aws-eu-central-1" });
const branch = new neon.Branch("search", {
  projectId: project.id,
  compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 },
});
const at = { projectId: project.id, branchId: branch.branchId };
const owner = new neon.Role("owner", at);
const database = new neon.Database("documents", { ...at, ownerName: owner.name });

// A connection wakes a suspended compute. Not `poolerHost`: statements that change the schema need a session.
const server = new postgresql.Provider("documents", {
  host: branch.requireOutput("host"),
  username: owner.name,
  password: owner.requireOutput("password"),
  database: database.name,
  sslmode: "require",
  superuser: false,
});
const options = { provider: server };
export const extension = new postgresql.Extension("vector", { name: "vector", database: database.name }, options)
  .version;

// A role of SQL: a `neon.Role` may read everything, and no policy applies to it.
const password = new pulumi.Config().requireSecret("readerPassword");
const reader = new postgresql.Role("reader", { name: "reader", login: true, password }, options);

// It may read the tables that `owner` creates from now on: those of schema.sql, which runs after the first `pulumi up`.
new postgresql.DefaultPrivileges(
  "reader",
  {
    database: database.name,
    owner: owner.name,
    role: reader.name,
    schema: "public",
    objectType: "table",
    privileges: ["SELECT"],
  },
  options,
);

export const databaseUrl = neon.getConnectionUriOutput({
  ...at,
  roleName: owner.name,
  databaseName: database.name,
}).uri;
