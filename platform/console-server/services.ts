import type { ApiServices } from "../http/api";

export interface ConsoleServices extends ApiServices {
  /** The versions of Postgres that run the databases. */
  readonly versions: readonly string[] | undefined;
}
