import type { NeonClient } from "../../api/client";
import type { ResourceRegistry } from "../ownership/registry";
import type { WorkMarks } from "../ownership/work-marks";
import type { Settings } from "../settings/client-settings";
import type { KeySource } from "../settings/key-source";
import type { ApiKeyCheck } from "./api-key-check";
import type { Lists } from "./lists";
import type { ProjectLocks } from "./project-locks";
import type { ProjectVisibility } from "./visibility";

/** Shared by all resources of a process. */
export interface Services {
  /** The account, or the problems of its settings. Resolved for each call. */
  readonly account: () => Account | { readonly problems: readonly Problem[] };
  readonly locks: ProjectLocks;
  readonly registry: ResourceRegistry;
  readonly marks: WorkMarks;
  /** A hash of a resource's stack; undefined if the backend may have several stacks of that name. */
  readonly stack: (urn: string) => string | undefined;
  /** Shows live text in a resource's own row during a call. Best effort: without an engine, it does nothing. */
  readonly progress: (urn: string, text: string) => void;
  /** Shows a line at a resource. It stays in the output. Best effort. */
  readonly say: (urn: string, line: string) => void;
  /** Shows a warning at a resource. It stays in the output. Best effort. */
  readonly warn: (urn: string, text: string) => void;
  /** Warnings that this process has shown: a URN with the id of an existing object, or a text about the account. */
  readonly told: Set<string>;
  /** Ids of the operations that this process has seen fail. None of them belongs to a lost response. */
  readonly failures: Set<string>;
}

export interface Account {
  readonly client: NeonClient;
  readonly settings: Settings;
  readonly visibility: ProjectVisibility;
  readonly lists: Lists;
  readonly apiKeyCheck: ApiKeyCheck;
  /** The source of its key, as far as the process knows. */
  readonly keySource: KeySource;
}

/** A problem with a setting or an input, with its path. */
export interface Problem {
  readonly property: string;
  readonly reason: string;
}
