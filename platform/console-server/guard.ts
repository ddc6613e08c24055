import { createMiddleware } from "hono/factory";
import { randomBytes } from "node:crypto";

import type { Env } from "../http/api";
import { hashOf, isEqualHash } from "../storage/hash";

const loopbackHost = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const tokenBytes = 32;

/** The header in which the page sends its token. */
const tokenHeader = "x-console-token";

/** A secret that only this platform's own page knows: pages of other sites cannot read it. */
export const newToken = (): string => randomBytes(tokenBytes).toString("base64url");

/**
 * Lets in programs on this machine, and this platform's own page. Requests of other web pages in the user's browser are refused:
 *
 * - DNS rebinding shows in the `host`;
 * - a request of another site shows in `sec-fetch-site`, except that a link may lead to the page;
 * - a change by a page has its `origin`, and needs the token as well.
 */
export function localOnly(token: string) {
  return createMiddleware<Env>(async (context, next) => {
    const header = (name: string): string | undefined => context.req.header(name);
    const host = header("host") ?? "";
    const origin = header("origin");
    const isForeign = ["cross-site", "same-site"].includes(header("sec-fetch-site") ?? "");
    const isRead = context.req.method === "GET";
    const isLink = isRead && header("sec-fetch-mode") === "navigate";
    const isOwn =
      origin === `http://${host}` && (isRead || isEqualHash(hashOf(header(tokenHeader) ?? ""), hashOf(token)));
    const isAllowed = loopbackHost.test(host) && (!isForeign || isLink) && (origin === undefined || isOwn);
    if (!isAllowed)
      return context.json(
        { code: "", message: "only programs on this machine can use the console and the routes below /local" },
        403,
      );
    await next();
    return undefined;
  });
}
