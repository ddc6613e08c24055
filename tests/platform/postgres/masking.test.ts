import { before, describe, it } from "mocha";
import assert from "node:assert/strict";

import { until } from "../../support/until";
import { type RealProject, suiteDatabases } from "./support";

interface Status {
  readonly state: string;
  readonly status_message?: string;
}

describe("local platform with Postgres: masked branches", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  before(async () => {
    project = await suite.project();
    await project.sql(
      project.main,
      `CREATE TABLE customer (id int, email text, name text, city text);
       INSERT INTO customer VALUES (1, 'ada@shop.example', 'Ada', 'Paris'), (2, 'bob@shop.example', 'Bob', 'Rome')`,
      { user: "neondb_owner" },
    );
  });

  const rule = (column: string, mask: object, table = "customer") => ({
    ...{ database_name: "neondb", schema_name: "public", table_name: table, column_name: column },
    ...mask,
  });
  const statusOf = async (id: string) =>
    (await project.call("GET", `/branches/${id}/anonymized_status`)).body as unknown as Status;
  const ended = async (id: string): Promise<Status> => {
    await until(async () => ["anonymized", "error"].includes((await statusOf(id)).state));
    return statusOf(id);
  };
  const create = async (rules: readonly object[], endpoints: readonly object[] = [{ type: "read_write" }]) => {
    const body = { branch_create: { endpoints }, masking_rules: rules, start_anonymization: true };
    return (await project.done("POST", "/branch_anonymized", body)).branch.id;
  };
  const rows = (id: string) => project.sql(id, "SELECT id, email, name, city FROM customer ORDER BY id");

  it("the rows of the branch are masked by functions and values, and those of its parent are not", async () => {
    const id = await create([
      rule("email", { masking_function: "anon.fake_email()" }),
      rule("name", { masking_value: "it's hidden" }),
      rule("city", { masking_function: "anon.hash(city)" }),
    ]);
    assert.equal((await ended(id)).state, "anonymized");
    const masked = await rows(id);
    assert.deepEqual(
      masked.map(({ id: number, name }) => [number, name]),
      [
        [1, "it's hidden"],
        [2, "it's hidden"],
      ],
    );
    assert.equal(new Set(masked.map(({ email }) => email)).size, 2);
    for (const { email, city } of masked) {
      assert.match(String(email), /^[a-z]{12}@example\.com$/);
      assert.match(String(city), /^[0-9a-f]{64}$/);
    }
    assert.deepEqual((await rows(project.main))[0], { id: 1, email: "ada@shop.example", name: "Ada", city: "Paris" });
  });

  it("a branch without a compute is masked, too, and survives a restart of the platform", async () => {
    const id = await create([rule("name", { masking_value: "hidden" })], []);
    assert.equal((await ended(id)).state, "anonymized");
    await suite.restart();
    assert.equal((await statusOf(id)).state, "anonymized");
    await project.compute(id);
    assert.deepEqual((await rows(id))[0]?.["name"], "hidden");
  });

  it("a failing rule masks nothing of its database, says why, and never runs as the superuser", async () => {
    const name = rule("name", { masking_value: "hidden" });
    const id = await create([name, rule("nickname", { masking_value: "hidden" })]);
    const { state, status_message: message } = await ended(id);
    assert.equal(state, "error");
    assert.match(message ?? "", /column "nickname"/);
    assert.equal((await rows(id))[0]?.["name"], "Ada");
    for (const [masking_function, reason] of [
      ["pg_read_file('postgresql.conf')", /permission denied/],
      ["'x'; DROP TABLE customer --", /multiple commands/],
    ] as const) {
      await project.call("PATCH", `/branches/${id}/masking_rules`, {
        masking_rules: [rule("name", { masking_function })],
      });
      await project.call("POST", `/branches/${id}/anonymize`);
      assert.match((await ended(id)).status_message ?? "", reason);
    }
  });
});
