import * as postgresql from "@pulumi/postgresql";
import * as neon from "neon-pulumi";
import * as pulumi from "@pulumi/pulumi";

// A project whose branch has the extension `vector`, and a role that reads one table, row by row as a policy says.
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
export const extension = new postgresql.Extension(
  "vector",
  { name: "vector", database: database.name },
  { provider: server },
).version;

// A role of SQL: a `neon.Role` may read everything, and no policy applies to it.
const password = new pulumi.Config().requireSecret("readerPassword");
const reader = new postgresql.Role("reader", { name: "reader", login: true, password }, { provider: server });

// The table and its policy are in schema.sql, which a migration of the application runs first.
new postgresql.Grant(
  "reader",
  {
    database: database.name,
    role: reader.name,
    schema: "public",
    objectType: "table",
    objects: ["document"],
    privileges: ["SELECT"],
  },
  { provider: server },
);
export const host = branch.host;
