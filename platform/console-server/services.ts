import type { ApiServices } from "../http/api";

/** What the console page shows, and what it runs SQL with. */
export interface ConsoleServices extends ApiServices {
  /** The versions of Postgres that run the databases. */
  readonly versions: readonly string[] | undefined;
}
