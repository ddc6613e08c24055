import { z } from "zod";

import type { ApiResponse } from "../http/response";
import type { BucketRow, CorsRule } from "../model/branches/bucket";
import { bucketOf } from "./bucket";
import { invalid, noSuchBucket, S3Error } from "./error";
import { documentOf } from "./payload";
import type { S3Request } from "./request";
import { parsed, xml } from "./xml";

const methods: readonly string[] = ["GET", "PUT", "POST", "DELETE", "HEAD"];
const maxRules = 100;

const corsDocument = z.object({
  CORSConfiguration: z.object({
    CORSRule: z
      .array(
        z.object({
          AllowedOrigin: z.array(z.string()).min(1),
          AllowedMethod: z.array(z.string()).min(1),
          AllowedHeader: z.array(z.string()).default([]),
          ExposeHeader: z.array(z.string()).default([]),
          MaxAgeSeconds: z.coerce.number().int().min(0).optional(),
        }),
      )
      .min(1)
      .max(maxRules),
  }),
});

/** `GetBucketCors`. */
export function readCors(request: S3Request): ApiResponse {
  const { cors } = bucketOf(request);
  if (cors === undefined) {
    throw new S3Error(404, "NoSuchCORSConfiguration", "The CORS configuration does not exist");
  }
  return xml("CORSConfiguration", {
    CORSRule: cors.map((rule) => ({
      AllowedOrigin: rule.allowedOrigins,
      AllowedMethod: rule.allowedMethods,
      AllowedHeader: rule.allowedHeaders,
      ExposeHeader: rule.exposeHeaders,
      MaxAgeSeconds: rule.maxAgeSeconds,
    })),
  });
}

/** `PutBucketCors`. */
export async function putCors(request: S3Request): Promise<ApiResponse> {
  const { CORSRule: sent } = parsed(await documentOf(request.incoming), corsDocument).CORSConfiguration;
  const cors = sent.map((rule): CorsRule => {
    for (const method of rule.AllowedMethod) {
      if (!methods.includes(method)) {
        throw invalid(
          "InvalidRequest",
          `Found unsupported HTTP method in CORS config. Unsupported method is ${method}`,
        );
      }
    }
    for (const [name, texts] of [
      ["AllowedOrigin", rule.AllowedOrigin],
      ["AllowedHeader", rule.AllowedHeader],
    ] as const) {
      for (const text of texts) {
        if (text.split("*").length > 2) {
          throw invalid("InvalidRequest", `${name} "${text}" can not have more than one wildcard.`);
        }
      }
    }
    for (const name of rule.ExposeHeader) {
      if (name.includes("*")) {
        throw invalid(
          "InvalidRequest",
          `ExposeHeader "${name}" contains wildcard. We currently do not support wildcard for ExposeHeader.`,
        );
      }
    }
    return {
      allowedOrigins: rule.AllowedOrigin,
      allowedMethods: rule.AllowedMethod,
      allowedHeaders: rule.AllowedHeader,
      exposeHeaders: rule.ExposeHeader,
      maxAgeSeconds: rule.MaxAgeSeconds,
    };
  });
  change(request, cors);
  return { status: 200, headers: {} };
}

/** `DeleteBucketCors`. */
export function removeCors(request: S3Request): ApiResponse {
  change(request, undefined);
  return { status: 204, headers: {} };
}

/** Settings of a bucket that the branch has from its parent cannot be changed until the branch creates it, too. */
function change(request: S3Request, cors: readonly CorsRule[] | undefined): void {
  request.change(() => {
    const { cors: _, ...row } = bucketOf(request);
    if (row.inherited) throw noSuchBucket();
    request.controlPlane.tables.buckets.put(cors === undefined ? row : { ...row, cors });
  });
}

type Headers = Readonly<Record<string, string | undefined>>;

/** The answer to the preflight request of a browser. @throws S3Error 403 */
export function preflight({ cors = [] }: Partial<Pick<BucketRow, "cors">>, headers: Headers): ApiResponse {
  const { origin, "access-control-request-method": method } = headers;
  if (origin === undefined || method === undefined) {
    throw invalid("BadRequest", "Insufficient information. Origin request header needed.");
  }
  const wanted = namesIn(headers["access-control-request-headers"]);
  const rule = ruleFor(cors, origin, method, wanted);
  if (rule === undefined) {
    const reason = cors.length === 0 ? "CORS is not enabled for this bucket." : "This CORS request is not allowed.";
    throw new S3Error(403, "AccessForbidden", `CORSResponse: ${reason}`);
  }
  return {
    status: 200,
    headers: {
      ...allowing(rule, origin),
      ...(wanted.length > 0 && { "access-control-allow-headers": wanted.join(", ") }),
    },
  };
}

/** The header fields by which a page of another origin may read an answer. */
export function corsHeaders(
  { cors = [] }: Partial<Pick<BucketRow, "cors">>,
  method: string,
  { origin }: Headers,
): Readonly<Record<string, string>> {
  const rule = origin === undefined ? undefined : ruleFor(cors, origin, method, []);
  return rule === undefined || origin === undefined ? {} : allowing(rule, origin);
}

function allowing(
  { allowedOrigins, allowedMethods, exposeHeaders, maxAgeSeconds }: CorsRule,
  origin: string,
): Readonly<Record<string, string>> {
  const isOpen = allowedOrigins.includes("*");
  return {
    "access-control-allow-origin": isOpen ? "*" : origin,
    "access-control-allow-methods": allowedMethods.join(", "),
    ...(exposeHeaders.length > 0 && { "access-control-expose-headers": exposeHeaders.join(", ") }),
    ...(maxAgeSeconds !== undefined && { "access-control-max-age": String(maxAgeSeconds) }),
    ...(!isOpen && { "access-control-allow-credentials": "true" }),
    vary: "Origin, Access-Control-Request-Headers, Access-Control-Request-Method",
  };
}

/** The first rule that fits a request. */
function ruleFor(
  rules: readonly CorsRule[],
  origin: string,
  method: string,
  headers: readonly string[],
): CorsRule | undefined {
  return rules.find(
    ({ allowedOrigins, allowedMethods, allowedHeaders }) =>
      allowedOrigins.some((pattern) => fits(pattern, origin)) &&
      allowedMethods.includes(method) &&
      headers.every((name) => allowedHeaders.some((pattern) => fits(pattern.toLowerCase(), name))),
  );
}

function fits(pattern: string, text: string): boolean {
  const [start = "", end] = pattern.split("*");
  if (end === undefined) return pattern === text;
  return text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);
}

function namesIn(header = ""): readonly string[] {
  return header
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
}
