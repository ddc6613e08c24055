import { homedir } from "node:os";
import { join } from "node:path";

export function pulumiHome(environment: Readonly<Record<string, string | undefined>>): string {
  const { PULUMI_HOME: named = "" } = environment;
  return named || join(homedir(), ".pulumi");
}

/** The folders in Pulumi's home folder in which this package keeps its files. */
export function foldersIn(home: string) {
  const inHome = (name: string): string => join(home, "neon-pulumi", name);
  return {
    /** Versions before the second kept entries in the folder above, also after successful runs. They are never read. */
    journal: inHome("journal"),
    /** The present URNs of renamed resources. */
    renamedUrns: inHome("renamed"),
    /** The claims that the provider processes of a run share. */
    runs: inHome("runs"),
  };
}
