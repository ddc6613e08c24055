import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suiteBranches } from "./support/branches";
import { assertError } from "./support/responses";
import { second } from "./support/time";

describe("local platform: branch schema", () => {
  const { clock, platform, project, now } = suiteBranches();

  describe("schema and compare_schema", () => {
    it("return an empty schema, as SQL or JSON, at every point of the history", async () => {
      const { call, branch } = await project();
      const { branch: created } = await branch();
      const schema = (query: string) => call("GET", `/${created.id}/schema?${query}`);
      const { body } = await schema("db_name=neondb");
      assert.match(body.sql, /^--\n-- PostgreSQL database dump\n/);
      assert.equal(body.json, undefined);
      assert.deepEqual((await schema("db_name=neondb&format=sql")).body, body);
      assert.deepEqual((await schema(`db_name=neondb&format=json&timestamp=${now()}`)).body, { json: { tables: [] } });
      const { body: compared } = await call("GET", `/${created.id}/compare_schema?db_name=neondb`);
      assert.deepEqual(compared, { diff: "" });
    });

    it("reject a missing or unknown database, branch or point in the history", async () => {
      const { id, main, call, branch } = await project();
      const { branch: created } = await branch();
      for (const route of ["schema", "compare_schema"]) {
        const get = (query: string) => call("GET", `/${created.id}/${route}?${query}`);
        assertError(await get(""), 400, /db_name/);
        assertError(await get("db_name=nosuch"), 404, /database not found/);
        assertError(
          await get(`db_name=neondb&lsn=${created.parent_lsn ?? ""}&timestamp=${now()}`),
          400,
          /exclude each other/,
        );
        assertError(await get("db_name=neondb&lsn=7"), 400, /lsn/);
        assertError(await get("db_name=neondb&timestamp=2001-01-01T00:00:00Z"), 422, /before the start of the history/);
        assertError(await call("GET", `/br-no-such-one/${route}?db_name=neondb`), 404, /branch not found/);
      }
      assertError(await call("GET", `/${created.id}/schema?db_name=neondb&format=xml`), 400, /format/);
      const compare = (query: string) => call("GET", `/${created.id}/compare_schema?db_name=neondb&${query}`);
      assertError(await compare("base_branch_id=br-no-such-one"), 404, /branch not found/);
      assertError(await compare("base_timestamp=2001-01-01T00:00:00Z"), 422, /base_timestamp/);
      assertError(await call("GET", `/${main.id}/compare_schema?db_name=neondb`), 400, /base_branch_id/);
      const database = { name: "extra", owner_name: "neondb_owner" };
      await platform().call("POST", `/projects/${id}/branches/${created.id}/databases`, { database });
      clock.advance(10 * second);
      assertError(await call("GET", `/${created.id}/compare_schema?db_name=extra`), 404, /database not found/);
    });
  });
});
