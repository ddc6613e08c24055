import type { LocalPaths } from "../http/local-route";

/** The log of the requests to the API. */
export const requestLogPaths: LocalPaths = {
  "/local/requests": {
    GET: { handle: ({ log }) => log.list() },
    DELETE: {
      handle: ({ log }) => {
        log.clear();
        return undefined;
      },
    },
  },
};
