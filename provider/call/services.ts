import type { NeonClient } from "../../api/client";
import type { ResourceRegistry } from "../ownership/registry";
import type { Settings } from "../settings/client-settings";
import type { KeySource } from "../settings/key-source";
import type { ApiKeyCheck } from "./api-key-check";
import type { Lists } from "./lists";
import type { ProjectLocks } from "./project-locks";
import type { ProjectVisibility } from "./visibility";

/** What all resources of a process share. */
export interface Services {
  /** The account, or what is wrong with the settings. Resolved for each call. */
  readonly account: () => Account | { readonly problems: readonly Problem[] };
  readonly locks: ProjectLocks;
  readonly registry: ResourceRegistry;
  /** A hash of the stack of a resource, where its backend has only one stack of that name. */
  readonly stack: (urn: string) => string | undefined;
  /** Shows live text in a resource's own row while a call for it runs. Best effort: without an engine it does nothing. */
  readonly progress: (urn: string, text: string) => void;
  /** Shows a warning at a resource, which stays in the output. Best effort. */
  readonly warn: (urn: string, text: string) => void;
  /** What this process has said of objects that are there already: URNs, each with the id of an object. */
  readonly told: Set<string>;
  /** Ids of the operations that this process has seen fail: none of them is what a lost response was to name. */
  readonly failures: Set<string>;
}

export interface Account {
  readonly client: NeonClient;
  readonly settings: Settings;
  readonly visibility: ProjectVisibility;
  readonly lists: Lists;
  readonly apiKeyCheck: ApiKeyCheck;
  /** Where its key comes from, as far as the process knows. */
  readonly keySource: KeySource;
}

/** Something wrong with a setting or an input, by its path. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}
