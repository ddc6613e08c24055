import assert from "node:assert/strict";

import fc from "fast-check";
import { before, describe, it } from "mocha";

import { assertError } from "../support/responses";
import { type RealProject, suiteDatabases } from "./support";
import { everyKind } from "./schema-objects";

describe("local platform with Postgres: schema", () => {
  const suite = suiteDatabases();
  let project: RealProject;
  let copies = 0;
  const schema = async (branchId: string, database: string, more = "") =>
    await project.call("GET", `/branches/${branchId}/schema?db_name=${encodeURIComponent(database)}${more}`);
  const sqlOf = async (branchId: string, database: string, more = ""): Promise<string> => {
    const { status, body } = await schema(branchId, database, more);
    assert.equal(status, 200, JSON.stringify(body));
    return body.sql;
  };
  /** Creates a database from a text, and returns its schema. */
  const restored = async (text: string): Promise<string> => {
    copies += 1;
    const database = `restored_${copies}`;
    await project.sql(project.main, `CREATE DATABASE ${database} OWNER neondb_owner`);
    await project.sql(project.main, text, { database });
    const result = await sqlOf(project.main, database);
    await project.sql(project.main, `DROP DATABASE ${database}`);
    return result;
  };

  before(async () => {
    project = await suite.project();
    await project.sql(project.main, 'CREATE ROLE "Odd role"; CREATE ROLE plain');
    await project.sql(project.main, 'CREATE DATABASE "every ""kind"');
    // Postgres 14 does not know it.
    const known = project.created.project.pg_version > 14 ? everyKind : everyKind.replace(" NULLS NOT DISTINCT", "");
    await project.sql(project.main, known, { database: 'every "kind' });
  });

  it("the SQL of every kind of object creates the same schema in an empty database", async () => {
    const text = await sqlOf(project.main, 'every "kind');
    assert.doesNotMatch(text, /Not included/);
    assert.equal(await restored(text), text);
    for (const part of [
      "CREATE TABLE public.zz_parent (",
      "\n    \"Select\" public.word,\n    mood public.zz_mood DEFAULT 'sad'::public.zz_mood NOT NULL,",
      'ALTER TABLE public.aa_child OWNER TO "Odd role";',
      "ALTER TABLE ONLY public.measure ATTACH PARTITION public.aa_measure FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');",
      "ALTER INDEX public.measure_pkey ATTACH PARTITION public.aa_measure_pkey;",
      'CREATE POLICY own ON public.zz_parent AS RESTRICTIVE FOR UPDATE TO "Odd role", plain USING ((id > 1)) WITH CHECK ((id > 2));',
      "GRANT SELECT(self),UPDATE(self) ON TABLE public.aa_child TO plain;",
      "GRANT ALL ON TABLE public.zz_view TO plain WITH GRANT OPTION;",
      "REVOKE ALL ON FUNCTION public.touch() FROM PUBLIC;",
      "ALTER DEFAULT PRIVILEGES FOR ROLE plain REVOKE ALL ON FUNCTIONS FROM PUBLIC;",
      "COMMENT ON CONSTRAINT positive ON public.zz_parent IS 'c';",
      "COMMENT ON COLUMN public.zz_parent.\"Select\" IS 'a column';",
      "COMMENT ON SCHEMA \"Odd schema\" IS E'It''s odd \\\\ here';",
    ]) {
      assert.ok(text.includes(part), `${part} is not in\n${text}`);
    }
    await project.sql(project.main, 'DROP DATABASE "every ""kind"');
  });

  it("generated schemas survive a restore, whatever the names and the order of creation", async () => {
    const name = fc.string({
      unit: fc.constantFrom("a", "Z", "1", " ", '"', "'", "\\", ".", "ä", "%", "\n"),
      minLength: 1,
      maxLength: 6,
    });
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const column = fc.record({
      type: fc.constantFrom("int", "text[]", "numeric(7,2)", "timestamptz(3)", "jsonb"),
      isNull: fc.boolean(),
      isIndexed: fc.boolean(),
    });
    const table = fc.record({
      name,
      columns: fc.uniqueArray(fc.tuple(name, column), { selector: ([each]) => each, maxLength: 4 }),
      hasView: fc.boolean(),
      comment: name,
    });
    const tables = fc.uniqueArray(table, { selector: (each) => each.name, minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(tables, async (list) => {
        const statements = list.flatMap((each, index) => {
          const relation = quoted(each.name);
          const columns = each.columns.map(
            ([of, { type, isNull }]) => `${quoted(of)} ${type}${isNull ? "" : " NOT NULL"}`,
          );
          return [
            `CREATE TABLE ${relation} (${["id_ int PRIMARY KEY", ...columns].join(", ")})`,
            `COMMENT ON TABLE ${relation} IS E'${each.comment.replaceAll(/['\\]/g, "\\$&")}'`,
            ...each.columns
              .filter(([, { isIndexed }]) => isIndexed)
              .map(([of]) => `CREATE INDEX ON ${relation} ((${quoted(of)} IS NULL))`),
            ...(each.hasView ? [`CREATE VIEW ${quoted(`${each.name} v`)} AS SELECT * FROM ${relation}`] : []),
            ...(index > 0
              ? [`ALTER TABLE ${relation} ADD FOREIGN KEY (id_) REFERENCES ${quoted(list[index - 1]?.name ?? "")}`]
              : []),
          ];
        });
        const text = await restored(statements.join(";"));
        assert.equal(await restored(text), text);
        assert.equal(text.match(/^CREATE TABLE/gm)?.length, list.length);
      }),
      { numRuns: 3, seed: 15, endOnFailure: true },
    );
  });

  it("a suspended branch stays suspended", async () => {
    await project.sql(project.main, "CREATE TABLE asleep (id int PRIMARY KEY)");
    const before = await sqlOf(project.main, "neondb");
    await project.act("suspend");
    const operations = (await project.call("GET", "/operations")).body.operations.length;
    assert.equal(await sqlOf(project.main, "neondb"), before);
    assert.equal((await project.endpointOf()).current_state, "idle");
    assert.equal((await project.call("GET", "/operations")).body.operations.length, operations);
    await project.act("start");
    assert.equal(await sqlOf(project.main, "neondb"), before);
  });

  it("objects that have no statement are named", async () => {
    await project.sql(project.main, "CREATE AGGREGATE total (int) (SFUNC = int4pl, STYPE = int)");
    assert.match(await sqlOf(project.main, "neondb"), /^-- Not included: aggregate public\.total\(integer\)$/m);
    await project.sql(project.main, "DROP AGGREGATE total (int)");
  });

  it("format=json lists tables with columns and constraints", async () => {
    const columns =
      "owner int REFERENCES asleep, label text UNIQUE, long int GENERATED ALWAYS AS (length(label)) STORED";
    await project.sql(project.main, `CREATE TABLE item (${columns})`);
    const { json } = (await schema(project.main, "neondb", "&format=json")).body;
    const column = (name: string, type: string, nullable = true, generated = false) => ({
      name,
      type,
      nullable,
      generated,
    });
    assert.deepEqual(json, {
      tables: [
        {
          schema: "public",
          name: "asleep",
          columns: [column("id", "integer", false)],
          constraints: [{ name: "asleep_pkey", type: "primary_key", columns: ["id"] }],
        },
        {
          schema: "public",
          name: "item",
          columns: [column("owner", "integer"), column("label", "text"), column("long", "integer", true, true)],
          constraints: [
            { name: "item_label_key", type: "unique", columns: ["label"] },
            {
              name: "item_owner_fkey",
              type: "foreign_key",
              columns: ["owner"],
              referenced_table: { schema: "public", table: "asleep", columns: ["id"] },
            },
          ],
        },
      ],
    });
  });

  it("the advisor names the tables of the schema public whose rows no policy protects", async () => {
    interface Issue {
      readonly name: string;
      readonly level: string;
      readonly detail: string;
    }
    const issues = async (query = "") =>
      ((await project.call("GET", `/advisors?database_name=neondb${query}`)).body as unknown as { issues: Issue[] })
        .issues;
    const tables = async () => (await issues()).map(({ detail }) => /`public\.(.*)`/.exec(detail)?.[1]);
    await project.sql(
      project.main,
      "CREATE TABLE open (); CREATE TABLE closed (); CREATE SCHEMA inner_part; CREATE TABLE inner_part.hidden ()",
    );
    await project.sql(project.main, "ALTER TABLE closed ENABLE ROW LEVEL SECURITY");
    assertError(await project.call("GET", "/advisors?database_name=neondb"), 422, /has no Data API/);
    await project.done("POST", `/branches/${project.main}/data-api/neondb`);
    const found = await tables();
    assert.ok(found.includes("open") && !found.includes("closed") && !found.includes("hidden"), found.join());
    assert.ok(
      (await issues("&min_severity=ERROR")).every(
        ({ name, level }) => name === "rls_disabled_in_public" && level === "ERROR",
      ),
    );
    assert.deepEqual(await issues("&category=PERFORMANCE"), []);
    await project.sql(project.main, "DROP TABLE open, closed; DROP SCHEMA inner_part CASCADE");
    assertError(await project.call("GET", "/advisors?database_name=none"), 404, /database not found/);
  });

  it("lsn and timestamp read the schema of that moment, of a running branch and of a suspended one", async () => {
    const { lsn, time } = await project.moment(project.main);
    const then = await sqlOf(project.main, "neondb");
    await project.sql(project.main, "CREATE TABLE too_late ()");
    assert.match(await sqlOf(project.main, "neondb"), /too_late/);
    assert.equal(await sqlOf(project.main, "neondb", `&timestamp=${encodeURIComponent(time)}`), then);
    await project.act("suspend");
    assert.equal(await sqlOf(project.main, "neondb", `&lsn=${lsn}`), then);
    await project.act("start");
    assertError(await schema(project.main, "neondb", "&lsn=FF/0"), 422, /after the end of the history/);
    assertError(await schema(project.main, "no such"), 404, /database not found/);
  });

  it("compare_schema returns the unified diff from the parent to the branch", async () => {
    const child = await project.branch();
    const compare = async () =>
      (await project.call("GET", `/branches/${child}/compare_schema?db_name=neondb`)).body.diff;
    assert.equal(await compare(), "");
    await project.sql(child, "ALTER TABLE asleep ADD note text");
    assert.equal(
      await compare(),
      `--- a/neondb
+++ b/neondb
@@ -18,7 +18,8 @@
 --
 
 CREATE TABLE public.asleep (
-    id integer NOT NULL
+    id integer NOT NULL,
+    note text
 );
 
 
`,
    );
  });
});
