import assert from "node:assert/strict";

import type { CurrentUserInfoResponse } from "@neondatabase/api-client";
import { describe, it } from "mocha";

import * as neon from "../../sdk";
import { assertFails, configure, configureKeyOf, suiteAccount, valueOf } from "./program";

describe("getCurrentUser", () => {
  const platform = suiteAccount();

  it("returns the documented members of the user, without linked accounts", async () => {
    const me = (await platform().call("GET", "/users/me")).body as unknown as CurrentUserInfoResponse;
    const found = await neon.getCurrentUser();
    assert.deepEqual(found, {
      id: me.id,
      email: me.email,
      name: me.name,
      lastName: me.last_name,
      image: me.image,
      plan: me.plan,
      projectsLimit: me.projects_limit,
      branchesLimit: me.branches_limit,
      maxAutoscalingLimit: me.max_autoscaling_limit,
      activeSecondsLimit: me.active_seconds_limit,
      computeSecondsLimit: me.compute_seconds_limit,
    });
  });

  it("reads from the account of the option `provider`", async () => {
    const { apiKey, apiUrl } = platform();
    configure({ apiKey: "napi_wrong", apiUrl });
    await assertFails(neon.getCurrentUser(), /HTTP 401/);
    const provider = new neon.Provider("own", { apiKey, apiUrl });
    assert.match((await neon.getCurrentUser({ provider })).email, /@/);
    assert.match((await valueOf(neon.getCurrentUserOutput({ provider }))).email, /@/);
  });

  it("fails with 403 and an explanation for the API key of an organization", async () => {
    await configureKeyOf(await platform().firstOrganization(), platform());
    await assertFails(neon.getCurrentUser(), /HTTP 403.* belongs to no user\. Use a personal API key\.$/);
  });
});
