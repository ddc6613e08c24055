import type { PlatformClient } from "../api/client";
import type { Settings } from "../api/settings";
import type { Journal } from "./journal";
import type { Problem } from "./kind";
import type { Seen } from "./seen";

/** What the lifecycle needs from around it. */
export interface Surroundings {
  /** The account, or what is wrong with the settings. Asked anew for each call. */
  readonly account: () => Account | { readonly problems: readonly Problem[] };
  readonly journal: Journal;
  /** Shows live text in a resource's own row; best effort. */
  readonly progress: (urn: string, text: string) => void;
  /** Shows a warning at a resource; best effort. */
  readonly warn: (urn: string, text: string) => void;
  /** What this process has seen as the state of each resource, by URN. */
  readonly seen: Seen;
  /** Ids of the operations that this process has seen end badly. */
  readonly failures: Set<string>;
}

/** Who to talk to, and how. */
export interface Account {
  readonly client: PlatformClient;
  readonly settings: Settings;
}
