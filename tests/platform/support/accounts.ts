import assert from "node:assert/strict";

import type { ApiKeyCreateResponse, OrgApiKeyCreateResponse } from "@neondatabase/api-client";

import { type Answer, suitePlatform } from "../../support/platform";
import type { PlatformOptions } from "../../../platform/index";
import { bodyOf, idsOf } from "./responses";

let users = 0;

/** For a suite: a platform, and shorthands for requests with several keys; without one, they use that of the first user. */
export function suiteAccounts(options: PlatformOptions = {}) {
  const platform = suitePlatform({ operationTime: "1ms", ...options });
  const call = (method: string, path: string, body?: unknown, key?: string): Promise<Answer> =>
    platform().call(method, path, body, { key });
  const created = async (path: string, body: object, key?: string): Promise<Answer> => {
    const response = await call("POST", path, body, key);
    assert.ok(response.status < 300, response.body.message);
    return response;
  };
  return {
    platform,
    call,
    /** The response to a GET, by its published type. */
    read: async <Shape>(path: string, key?: string) => bodyOf(await call("GET", path, undefined, key)) as Shape,
    /** Creates a user whom no other test of the process has. */
    user: async () => {
      const email = `user-${(users += 1)}@example.com`;
      return { email, key: await platform().signIn(email) };
    },
    /** Creates a project; returns its id. */
    project: async (input = {}, key?: string) => (await created("/projects", { project: input }, key)).body.project.id,
    /** The status of reading a project. */
    access: async (projectId: string, key?: string) =>
      (await call("GET", `/projects/${projectId}`, undefined, key)).status,
    /** The ids of the projects in a list. */
    listed: async (query = "", key?: string) =>
      idsOf((await call("GET", `/projects?limit=400&${query}`, undefined, key)).body.projects),
    personalKey: async (name = "mine", key?: string) =>
      bodyOf(await created("/api_keys", { key_name: name }, key)) as ApiKeyCreateResponse,
    organizationKey: async (orgId: string, body = {}, key?: string) =>
      bodyOf(
        await created(`/organizations/${orgId}/api_keys`, { key_name: "ci", ...body }, key),
      ) as OrgApiKeyCreateResponse,
  };
}
