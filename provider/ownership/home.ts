import { homedir } from "node:os";
import { join } from "node:path";

/** Pulumi's home folder, below which this package keeps its own. */
export function pulumiHome(environment: Readonly<Record<string, string | undefined>>): string {
  const { PULUMI_HOME: named = "" } = environment;
  return named || join(homedir(), ".pulumi");
}

/**
 * The folder of the journal. Versions before the second kept theirs in the folder above; those entries stayed after runs
 * that ended well, and are never read.
 */
export function journalFolder(home: string): string {
  return join(home, "neon-pulumi", "journal");
}

/** The folder with the present URNs of renamed resources. */
export function rowNamesFolder(home: string): string {
  return join(home, "neon-pulumi", "renamed");
}

/** The folder in which the provider processes of one run tell each other what their resources hold. */
export function runsFolder(home: string): string {
  return join(home, "neon-pulumi", "runs");
}
