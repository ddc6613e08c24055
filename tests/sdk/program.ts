import assert from "node:assert/strict";

import type { ApiKeyCreateResponse } from "@neondatabase/api-client";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach } from "mocha";

import { suitePlatform, type TestPlatform } from "../support/platform";
import { Registrations } from "./registrations";

/** Environment variables that configure an account. */
const variables = ["NEON_API_KEY", "NEON_API_HOST", "NEON_ORG_ID", "NEON_OPERATION_TIMEOUT", "NEON_LOG", "NEON_ADOPT"];

/** Starts a local platform for the suite. Before each test, configures the stack for it and clears the environment. */
export function suiteAccount(): () => TestPlatform {
  const platform = suitePlatform({ operationTime: "0ms" });
  const environment = new Map<string, string | undefined>();
  beforeEach(() => {
    for (const name of variables) {
      environment.set(name, process.env[name]);
      Reflect.deleteProperty(process.env, name);
    }
    new Registrations().listen();
    configure({ apiKey: platform().apiKey, apiUrl: platform().apiUrl });
  });
  afterEach(() => {
    for (const [name, value] of environment) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  });
  return platform;
}

/** Replaces the stack's configuration. */
export function configure(settings: Readonly<Record<string, string>>): void {
  const named = Object.entries(settings).map(([name, value]) => [`neon:${name}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(named) as Record<string, string>);
}

/** Configures the stack with a new key of an organization, which may do less than a personal key. */
export async function configureKeyOf(orgId: string, platform: TestPlatform): Promise<void> {
  const { body } = await platform.call("POST", `/organizations/${orgId}/api_keys`, { key_name: "asks" });
  configure({ apiUrl: platform.apiUrl, apiKey: (body as unknown as ApiKeyCreateResponse).key });
}

/** Has the next requests for a list answered with these pages. */
export async function pagesOf(platform: TestPlatform, path: string, pages: readonly object[]): Promise<void> {
  for (const body of pages) await platform.fault({ method: "GET", path, status: 200, body });
}

/** The value of an output. Rejects if the output does. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    // `apply` does not report a rejection.
    (output as unknown as { promise: () => Promise<Value> }).promise().then(resolve, reject);
  });
}

/** The outputs that a resource marks as secret, sorted. */
export function secretOutputsOf(create: (options: pulumi.CustomResourceOptions) => unknown): readonly string[] {
  let secrets: readonly string[] = [];
  create({
    transformations: [
      ({ opts }) => void (secrets = (opts as pulumi.CustomResourceOptions).additionalSecretOutputs ?? []),
    ],
  });
  return secrets.toSorted();
}

/** Asserts that a data source fails with a message for the user, which is a text or matches a pattern, and without a stack. */
export async function assertFails(result: Promise<unknown>, message: string | RegExp): Promise<void> {
  await assert.rejects(result, (error) => {
    assert.ok(pulumi.RunError.isInstance(error), String(error));
    if (message instanceof RegExp) assert.match(error.message, message);
    else assert.equal(error.message, message);
    assert.doesNotMatch(error.message, /\n\s+at /);
    assert.equal(error.stack, "", "Pulumi's runtime would format everything reachable from it");
    return true;
  });
}
