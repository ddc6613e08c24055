import * as pulumi from "@pulumi/pulumi";

import { unitTestMocks } from "./mocks";

/**
 * The process that runs this code.
 *
 * - `program`: Pulumi's language host, in a process of its own;
 * - `inline`: an inline program in the process of the Automation API, which the workspace's `envVars` do not reach;
 * - `component`: a component provider, for a program that can be in another language;
 * - `nothing`: a unit test, or a script without Pulumi.
 */
export type Host = "program" | "inline" | "component" | "nothing";

/** Determines which process runs this code. */
export function currentHost(): Host {
  if (unitTestMocks() !== undefined || pulumi.runtime.getMonitor() === undefined) return "nothing";
  if (process.env["PULUMI_NODEJS_ENGINE"] !== undefined) return "program";
  return pulumi.runtime.getStackResource() === undefined ? "component" : "inline";
}
