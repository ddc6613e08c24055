import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { until } from "../../support/until";
import { query } from "../support/sql";
import { type RealProject, suiteDatabases } from "./support";

describe("local platform with Postgres: read replicas", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  let replica: string;
  const ask = (text: string) => query({ ...project.replica(replica), user: "neondb_owner" }, text);
  /** Waits until the replica has so many rows: it follows within milliseconds. */
  const reaches = (count: number) => until(async () => (await ask("SELECT FROM item")).length === count);
  const act = (id: string, action: string) => project.done("POST", `/endpoints/${id}/${action}`);

  before(async () => {
    project = await suite.project();
    await project.sql(project.main, "CREATE TABLE item (value int); INSERT INTO item VALUES (1)");
    replica = await project.compute(project.main, "read_only");
  });

  it("streams what is written, and refuses writes", async () => {
    await reaches(1);
    await project.sql(project.main, "INSERT INTO item VALUES (2)");
    await reaches(2);
    await assert.rejects(ask("INSERT INTO item VALUES (3)"), { code: "25006" });
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
