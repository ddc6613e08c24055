import type { LocalRoute } from "../http/local-route";

/** The log of the requests to the API. */
export const requestLogRoutes: readonly LocalRoute[] = [
  { method: "GET", path: "/local/requests", handle: ({ log }) => log.list() },
  {
    method: "DELETE",
    path: "/local/requests",
    handle: ({ log }) => {
      log.clear();
      return undefined;
    },
  },
];
