import { z } from "zod";

import { path, request } from "../core/request";
import { emptyResponse } from "./wire";

const anyOrigin = "*";

/** An origin of a browser: `http` or `https`, a host and an optional port. */
function isOrigin(text: string): boolean {
  if (text === anyOrigin) return true;
  if (!/^https?:\/\/[^\s/?#@\\]+$/i.test(text) || !URL.canParse(text)) return false;
  // URL parsers accept a colon without a port, and drop it.
  return new URL(text).hostname !== "" && !text.endsWith(":");
}

const isAlone = (origins: readonly string[]): boolean => origins.length === 1 || !origins.includes(anyOrigin);

const allowedOrigins = z
  .array(
    z
      .string()
      .refine(
        isOrigin,
        'must be an origin such as "https://shop.example.com": http or https, a host and an optional port, and no path',
      ),
  )
  .refine(isAlone, "must not have other origins besides `*`, which allows any");

const notReady = "while Realtime is not enabled or not ready";

/** The state of Realtime on a branch, which every branch has. Neon documents each member as optional. */
export const realtime = z
  .looseObject({
    enabled: z.boolean().optional().describe("Whether the branch has Realtime."),
    /** While a change is being applied. No operation reports that. */
    pending: z.boolean().optional(),
    invocation_url: z.string().optional().meta({
      description: "URL that clients connect to: the `NEON_REALTIME_URL` of an application.",
      absent: notReady,
    }),
    allowed_origins: z
      .array(z.string())
      .optional()
      .meta({ description: "Origins of browsers that can connect. Empty if all can.", absent: notReady }),
  })
  .refine(
    (state) => Object.keys(state).length === 0 || "enabled" in state || "pending" in state,
    "must be the state of Realtime",
  );
export type Realtime = z.infer<typeof realtime>;

/** The secret, as long as Realtime is enabled and ready. */
export const realtimeSecret = z.looseObject({
  secret: z.string().optional().meta({
    description:
      "Key that the server of an application seals queries with: its `NEON_REALTIME_SECRET`. Anyone who has it can run any query.",
    absent: notReady,
    secret: true,
  }),
});
export type RealtimeSecret = z.infer<typeof realtimeSecret>;

export const realtimeOptions = z.object({
  allowed_origins: allowedOrigins.optional().meta({
    description: "Origins of browsers that can connect.",
    note: "Each is `http` or `https` with a host and an optional port, such as `https://shop.example.com`. An empty list, or `*` alone, allows any.",
    omitted: "those of the parent branch if it has Realtime, or else any",
  }),
});
type RealtimeOptions = z.infer<typeof realtimeOptions>;

const pathOf = (projectId: string, branchId: string, rest = ""): string =>
  `${path`/projects/${projectId}/branches/${branchId}/realtime`}${rest}`;

/** Requests for the Realtime service of a branch. Responses to changes are empty: its state tells when they are applied. */
export const realtimes = {
  get: (projectId: string, branchId: string) => request("GET", pathOf(projectId, branchId), realtime),
  /** Also sets the options of a service that is enabled. */
  enable: (projectId: string, branchId: string, body: RealtimeOptions) =>
    request("POST", pathOf(projectId, branchId), emptyResponse, { body }),
  disable: (projectId: string, branchId: string) => request("DELETE", pathOf(projectId, branchId), emptyResponse),
  /** Returns 404 while there is no secret, and the old secret while a rotation is being applied. */
  secret: (projectId: string, branchId: string) =>
    request("GET", pathOf(projectId, branchId, "/secret"), realtimeSecret),
  rotateSecret: (projectId: string, branchId: string) =>
    request("POST", pathOf(projectId, branchId, "/rotate_secret"), emptyResponse),
};
