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
    /** The creations and changes in progress. */
    journal: inHome("journal"),
    /** The claims that the provider processes of a run share. */
    runs: inHome("runs"),
  };
}
