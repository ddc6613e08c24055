import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { type AnswerBody, suitePlatform } from "../support/platform";
import { assertError } from "./support/responses";

describe("local platform: connection URIs", () => {
  const platform = suitePlatform({ operationTime: "0" });
  const roleName = "o/n e%";
  let created: AnswerBody;
  let path: string;
  before(async () => {
    created = await platform().project({ branch: { role_name: roleName, database_name: "db?#" } });
    path = `/projects/${created.project.id}`;
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

  // Client libraries in Python send `True`. The real service reads booleans as Go does.
  for (const [spellings, name] of [
    ["1 t T TRUE true True", "pooler_host"],
    ["0 f F FALSE false False", "host"],
  ] as const) {
    it(`\`pooled\` can be spelled ${spellings}`, async () => {
      for (const pooled of spellings.split(" ")) {
        const { body } = await uri({ pooled });
        assert.equal(new URL(body.uri).hostname, created.connection_uris[0]?.connection_parameters[name]);
      }
    });
  }

  it("rejects objects that are not on the branch, and invalid parameters", async () => {
    const { body: child } = await platform().call("POST", `${path}/branches`, {});
    for (const [query, status, message] of [
      [{ branch_id: child.branch.id }, 404, /read-write endpoint of the branch not found/],
      [{ endpoint_id: "ep-no-such-one" }, 404, /endpoint on the branch not found/],
      [{ branch_id: "br-no-such-one" }, 404, /branch not found/],
      [{ role_name: "nobody" }, 404, /role not found/],
      [{ database_name: "none" }, 404, /database not found/],
      [{ database_name: "" }, 400, /database_name/],
      [{ pooled: "maybe" }, 400, /pooled/],
    ] as const) {
      assertError(await uri(query), status, message);
    }
    assert.equal((await platform().call("GET", `${path}/connection_uri?role_name=x`)).status, 400);
  });
});
