import { suiteFolder } from "./folder";

/** A Pulumi home for the suite that asks for it, deleted after its tests. The journal is kept below it. */
export function suiteHome(): string {
  return suiteFolder("neon-pulumi-home-");
}
