import * as pulumi from "@pulumi/pulumi";

/**
 * The mocks of a unit test, as set by `pulumi.runtime.setMocks`, also in another copy of Pulumi's SDK. `undefined` if Pulumi
 * runs the program, or nothing does.
 */
export function unitTestMocks(): pulumi.runtime.Mocks | undefined {
  // The monitor is a client of the engine otherwise.
  return (pulumi.runtime.getMonitor() as { readonly mocks?: pulumi.runtime.Mocks } | undefined)?.mocks;
}
