import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach } from "mocha";

import { suitePlatform, type TestPlatform } from "../support/platform";
import { Registrations } from "./registrations";

/** Where the settings of an account may come from besides the stack. */
const variables = ["NEON_API_KEY", "NEON_API_HOST", "NEON_ORG_ID", "NEON_OPERATION_TIMEOUT", "NEON_LOG"];

/**
 * A platform for the suite that asks for it, and before each test a stack that is configured for it, with nothing in the
 * environment.
 */
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

/** Configures the stack with these settings and no others. */
export function configure(settings: Readonly<Record<string, string>>): void {
  const named = Object.entries(settings).map(([name, value]) => [`neon:${name}`, value]);
  pulumi.runtime.setAllConfig(Object.fromEntries(named) as Record<string, string>);
}

/** What an output comes to. */
export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    // Rejections of outputs go nowhere but here.
    (output as unknown as { promise: () => Promise<Value> }).promise().then(resolve, reject);
  });
}

/** A lookup fails with one sentence for the user, and no stack. */
export async function assertFails(lookup: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(lookup, (error) => {
    assert.ok(pulumi.RunError.isInstance(error), String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /\n\s+at /);
    assert.equal(error.stack, "", "Pulumi's runtime would print all that hangs on it");
    return true;
  });
}
