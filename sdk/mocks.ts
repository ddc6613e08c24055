import * as pulumi from "@pulumi/pulumi";

/**
 * The mocks of a unit test that `pulumi.runtime.setMocks` has set, also in another copy of Pulumi's SDK. `undefined`
 * outside of unit tests.
 */
export function unitTestMocks(): pulumi.runtime.Mocks | undefined {
  // Outside of unit tests, the monitor is a client of the engine and has no mocks.
  return (pulumi.runtime.getMonitor() as { readonly mocks?: pulumi.runtime.Mocks } | undefined)?.mocks;
}
