import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type AnswerBody, suitePlatform } from "../../tests/support/platform";

describe("local platform: connection URIs", () => {
  const platform = suitePlatform({ operationTime: "0" });
  const roleName = "o/n e%";
  let created: AnswerBody;
  let path: string;
  before(async () => {
    created = await platform().project({ branch: { role_name: roleName, database_name: "db?#" } });
    path = `/projects/${created.project.id}`;
  });

  it("roles and databases are listed and read, roles without passwords", async () => {
    const branch = `${path}/branches/${created.branch.id}`;
    const { body: roles } = await platform().call("GET", `${branch}/roles`);
    assert.deepEqual(
      roles.roles.map(({ name, password }) => [name, password]),
      [[roleName, undefined]],
    );
    const { body: role } = await platform().call("GET", `${branch}/roles/${encodeURIComponent(roleName)}`);
    assert.equal(role.role.name, roleName);
    assert.equal(role.role.password, undefined);
    const { body: databases } = await platform().call("GET", `${branch}/databases`);
    assert.equal(databases.databases[0]?.owner_name, roleName);
    const { body: database } = await platform().call("GET", `${branch}/databases/db%3F%23`);
    assert.equal(database.database.id, created.databases[0]?.id);
    assert.equal((await platform().call("GET", `${branch}/roles/nobody`)).status, 404);
    assert.equal((await platform().call("GET", `${branch}/databases/none`)).status, 404);
  });

  const uri = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ role_name: roleName, database_name: "db?#", ...query });
    return await platform().call("GET", `${path}/connection_uri?${search.toString()}`);
  };

  it("the default is the read-write compute of the default branch", async () => {
    const { body } = await uri({});
    assert.equal(body.uri, created.connection_uris[0]?.connection_uri);
    const parsed = new URL(body.uri);
    assert.equal(decodeURIComponent(parsed.username), roleName);
    assert.equal(decodeURIComponent(parsed.pathname), "/db?#");
    assert.equal(parsed.hostname, created.endpoints[0]?.host);
  });

  it("a pooled URI has the host of the pooler", async () => {
    const { body } = await uri({ pooled: "true" });
    assert.equal(new URL(body.uri).hostname, created.connection_uris[0]?.connection_parameters.pooler_host);
  });

  it("reports 404 for a compute, role or database that is not on the branch", async () => {
    const { body: child } = await platform().call("POST", `${path}/branches`, {});
    for (const [query, message] of [
      [{ branch_id: child.branch.id }, /read-write endpoint of the branch not found/],
      [{ endpoint_id: "ep-no-such-one" }, /endpoint on the branch not found/],
      [{ branch_id: "br-no-such-one" }, /branch not found/],
      [{ role_name: "nobody" }, /role not found/],
      [{ database_name: "none" }, /database not found/],
    ] as const) {
      const { status, body } = await uri(query);
      assert.equal(status, 404);
      assert.match(body.message, message);
    }
  });

  it("requires a role and a database", async () => {
    assert.equal((await platform().call("GET", `${path}/connection_uri?role_name=x`)).status, 400);
    assert.equal((await uri({ pooled: "maybe" })).status, 400);
  });
});
