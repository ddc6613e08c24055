import assert from "node:assert/strict";
import type {
  ApiKeyCreateResponse,
  ApiKeyRevokeResponse,
  ApiKeysListResponseItem,
  CurrentUserInfoResponse,
} from "@neondatabase/api-client";
import { describe, it } from "mocha";
import { suitePlatform, type Answer } from "../support/platform";

/** Answers of these routes are bare: no member says what they are. */
const bare = ({ body }: Answer): unknown => body;

describe("platform: personal access keys", () => {
  const platform = suitePlatform();
  const create = async (name: string) =>
    bare(await platform().call("POST", "/api_keys", { key_name: name })) as ApiKeyCreateResponse;

  it("show their secret once, when they are created", async () => {
    const answer = await platform().call("POST", "/api_keys", { key_name: "ci" });
    assert.equal(answer.status, 200);
    const { key, id } = bare(answer) as ApiKeyCreateResponse;
    assert.match(key, /^napi_[a-z0-9]{64}$/);
    const list = await platform().call("GET", "/api_keys");
    assert.ok(!JSON.stringify(list.body).includes(key));
    const listed = (bare(list) as ApiKeysListResponseItem[]).find((entry) => entry.id === id);
    assert.equal(listed?.name, "ci");
    assert.equal(listed.last_used_at, null);
  });

  it("open everything that their maker may see, and tell when they were used last", async () => {
    const { key, id } = await create("second");
    const { body } = await platform().call("POST", "/projects", { project: {} }, { key });
    assert.equal((await platform().call("GET", `/projects/${body.project.id}`)).status, 200);
    const listed = bare(await platform().call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    const used = listed.find((entry) => entry.id === id);
    assert.ok(used?.last_used_at);
    assert.equal(used.last_used_from_addr, "127.0.0.1");
  });

  it("are invalid from the moment they are revoked", async () => {
    const { key, id } = await create("short-lived");
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 200);
    const revoked = bare(await platform().call("DELETE", `/api_keys/${id}`)) as ApiKeyRevokeResponse;
    assert.equal(revoked.revoked, true);
    assert.ok(revoked.last_used_at);
    assert.equal((await platform().call("GET", "/projects", undefined, { key })).status, 401);
    assert.equal((await platform().call("DELETE", `/api_keys/${id}`)).status, 404);
    const listed = bare(await platform().call("GET", "/api_keys")) as ApiKeysListResponseItem[];
    assert.ok(!listed.some((entry) => entry.id === id));
  });

  it("need a name of at most 64 characters", async () => {
    for (const body of [{}, { key_name: "" }, { key_name: "x".repeat(65) }, { key_name: 5 }, "x"]) {
      assert.equal((await platform().call("POST", "/api_keys", JSON.stringify(body))).status, 400);
    }
    assert.equal((await platform().call("DELETE", "/api_keys/first")).status, 400);
    assert.equal((await platform().call("DELETE", "/api_keys/1")).status, 404);
  });

  for (const authorization of ["", "Bearer", "Bearer ", "Bearer napi_wrong", "Basic eDp5", "napi_no_scheme"]) {
    it(`are asked for before anything else: ${JSON.stringify(authorization)}`, async () => {
      for (const [method, path] of [
        ["GET", "/projects"],
        ["GET", "/no/such/route"],
        ["POST", "/projects"],
        ["DELETE", "/projects/x"],
      ] as const) {
        const headers = { authorization };
        const { status, body } = await platform().call(method, path, method === "POST" ? "{" : undefined, { headers });
        assert.equal(status, 401);
        assert.match(body.message, /API key/);
      }
    });
  }
});

describe("platform: the user and the regions", () => {
  const platform = suitePlatform();

  it("tell who the key belongs to", async () => {
    const me = bare(await platform().call("GET", "/users/me")) as CurrentUserInfoResponse;
    const auth = bare(await platform().call("GET", "/auth")) as { account_id: string; auth_method: string };
    assert.equal(auth.account_id, me.id);
    assert.equal(auth.auth_method, "api_key_user");
    const { status } = await platform().call("GET", "/users/me/organizations");
    assert.equal(status, 200);
  });

  it("tell where projects can be, and which place is meant by saying nothing", async () => {
    const { body } = await platform().call("GET", "/regions");
    assert.equal(body.regions.length, 11);
    const [standard, other] = body.regions.filter((region) => region.default);
    assert.equal(other, undefined);
    const { body: made } = await platform().call("POST", "/projects", { project: {} });
    assert.equal(made.project.region_id, standard?.region_id);
  });
});
