import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "pg";
import { socketFolderOf } from "../../../tests/support/postgres-files";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: read replicas", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  let replica: string;
  const query = async (text: string) => {
    const folder = join(suite.folder(), "postgres", "replicas", replica, "data");
    const client = new Client({ host: socketFolderOf(folder), user: "neondb_owner", database: "neondb" });
    await client.connect();
    try {
      return (await client.query<{ count: number }>(text)).rows;
    } finally {
      await client.end();
    }
  };
  /** Waits until the replica has so many rows: it follows within milliseconds. */
  const reaches = async (count: number) => {
    while ((await query("SELECT count(*)::int AS count FROM item"))[0]?.count !== count) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const act = (id: string, action: string) => project.done("POST", `/endpoints/${id}/${action}`);

  before(async () => {
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
    const endpoint = { branch_id: project.main, type: "read_only" };
    replica = (await project.done("POST", "/endpoints", { endpoint })).endpoint.id;
  });

  it("streams what is written, and refuses writes", async () => {
    await reaches(1);
    await project.sql(project.main, "INSERT INTO item VALUES (2)");
    await reaches(2);
    await assert.rejects(query("INSERT INTO item VALUES (3)"), { code: "25006" });
  });

  it("serves on while its primary is suspended, starts without it, and follows it again", async () => {
    await act(project.endpointId, "suspend");
    await reaches(2);
    await act(replica, "suspend");
    await act(replica, "start");
    await reaches(2);
    await act(project.endpointId, "start");
    await project.sql(project.main, "INSERT INTO item VALUES (4)");
    await reaches(3);
  });

  it("follows its primary when that gets more connections than it had itself", async () => {
    const settings = { pg_settings: { max_connections: "150" } };
    await project.done("PATCH", `/endpoints/${project.endpointId}`, { endpoint: { settings } });
    await project.sql(project.main, "INSERT INTO item VALUES (5)");
    await reaches(4);
  });
});
