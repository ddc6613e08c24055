import type { CurrentUserInfoResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { suitePlatform } from "../../tests/support/platform";
import { bodyOf } from "./support/responses";

describe("local platform: user", () => {
  const platform = suitePlatform();

  it("GET /auth and GET /users/me return the same account", async () => {
    const me = bodyOf(await platform().call("GET", "/users/me")) as CurrentUserInfoResponse;
    const auth = bodyOf(await platform().call("GET", "/auth")) as { account_id: string; auth_method: string };
    assert.equal(auth.account_id, me.id);
    assert.equal(auth.auth_method, "api_key_user");
  });
});
