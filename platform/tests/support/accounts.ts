import assert from "node:assert/strict";

import type { ApiKeyCreateResponse, OrgApiKeyCreateResponse } from "@neondatabase/api-client";

import { type Answer, suitePlatform, type TestPlatform } from "../../../tests/support/platform";
import type { PlatformOptions } from "../../index";
import { bodyOf, idsOf } from "./responses";

let users = 0;

/** A platform and the accounts on it. */
export interface AccountSuite {
  readonly platform: () => TestPlatform;
  /** Sends a request, with the key of the first user unless another one is given. */
  readonly call: (method: string, path: string, body?: unknown, key?: string) => Promise<Answer>;
  /** The response to a GET, by its published type. */
  readonly read: <Shape>(path: string, key?: string) => Promise<Shape>;
  /** Creates a user whom no other test of the process has. */
  readonly user: () => Promise<{ readonly email: string; readonly key: string }>;
  /** Creates a project; returns its id. */
  readonly project: (input?: object, key?: string) => Promise<string>;
  /** The status of reading a project. */
  readonly access: (projectId: string, key?: string) => Promise<number>;
  /** The ids of the projects in a list. */
  readonly listed: (query?: string, key?: string) => Promise<string[]>;
  readonly personalKey: (name?: string, key?: string) => Promise<ApiKeyCreateResponse>;
  readonly organizationKey: (orgId: string, body?: object, key?: string) => Promise<OrgApiKeyCreateResponse>;
}

/** For a suite: a platform, and shorthands for requests with several keys. */
export function suiteAccounts(options: PlatformOptions = {}): AccountSuite {
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
    read: async <Shape>(path: string, key?: string) => bodyOf(await call("GET", path, undefined, key)) as Shape,
    user: async () => {
      const email = `user-${(users += 1)}@example.com`;
      return { email, key: await platform().signIn(email) };
    },
    project: async (input = {}, key) => (await created("/projects", { project: input }, key)).body.project.id,
    access: async (projectId, key) => (await call("GET", `/projects/${projectId}`, undefined, key)).status,
    listed: async (query = "", key) =>
      idsOf((await call("GET", `/projects?limit=400&${query}`, undefined, key)).body.projects),
    personalKey: async (name = "mine", key) =>
      bodyOf(await created("/api_keys", { key_name: name }, key)) as ApiKeyCreateResponse,
    organizationKey: async (orgId, body = {}, key) =>
      bodyOf(
        await created(`/organizations/${orgId}/api_keys`, { key_name: "ci", ...body }, key),
      ) as OrgApiKeyCreateResponse,
  };
}
