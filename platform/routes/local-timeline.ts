import { z } from "zod";

import { notFound } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { recordedRuns } from "../http/recorded-runs";
import { validate } from "../model/routing/validation";
import { findRun, listRuns } from "../pulumi-run/build";

const runQuery = z.strictObject({
  /** Default: the latest run that created or changed something. */
  run: z.string().optional(),
});

/** The runs of Pulumi, and the timeline of one of them. */
export const timelinePaths: LocalPaths = {
  "/local/runs": {
    GET: {
      handle: ({ controlPlane, journal }) => ({ runs: listRuns(recordedRuns(controlPlane, journal.list())) }),
    },
  },
  "/local/timeline": {
    GET: {
      handle: ({ controlPlane, journal, query }) => {
        const run = findRun(
          recordedRuns(controlPlane, journal.list()),
          validate(runQuery, query, "query parameter").run,
        );
        if (!run) throw notFound("run of Pulumi");
        return run;
      },
    },
  },
};
