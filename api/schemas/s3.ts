import { z } from "zod";

import { type FileBody, path, type Query, type Request, type S3Target } from "../core/request";
import { bucketObjects } from "./bucket-object";

/** The address of a bucket. */
type BucketAddress = Pick<S3Target, "projectId" | "branchId" | "bucketName">;

/** The address of an object. */
type ObjectAddress = BucketAddress & { readonly key: string };

/** The form of a header field. Clients and servers trim spaces, so a value with them would be another one when it is read. */
export const headerForm = {
  pattern: /^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/,
  error: "must be printable ASCII characters, without a space at the beginning or the end",
} as const;
const headerValue = z.string().min(1).regex(headerForm.pattern, headerForm.error);

/** The header fields that an object is stored with, and that every response with it has. */
export const objectHeaders = z.object({
  content_type: headerValue.optional().describe("Media type of the object, such as `image/svg+xml`."),
  cache_control: headerValue
    .optional()
    .meta({ description: "How long browsers and caches keep the object, such as `public, max-age=3600`." }),
  content_disposition: headerValue.optional().meta({
    description:
      'Whether a browser shows the object or saves it, and under which name, such as `attachment; filename="report.pdf"`.',
  }),
  content_encoding: headerValue
    .optional()
    .meta({ description: "Encoding of the content, such as `gzip`: browsers decode the object." }),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe("Metadata of the object: the `x-amz-meta-` header fields, by their names without this prefix."),
});
export type ObjectHeaders = z.infer<typeof objectHeaders>;

const metadataPrefix = "x-amz-meta-";

/** The header fields of an upload. */
export function headerFields({ metadata = {}, ...headers }: ObjectHeaders): Readonly<Record<string, string>> {
  const named = Object.entries(headers).map(([name, value]) => [name.replace("_", "-"), value] as const);
  const own = Object.entries(metadata).map(([name, value]) => [`${metadataPrefix}${name}`, value] as const);
  return Object.fromEntries(
    [...named, ...own].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The header fields that a response has of its object. */
function objectHeadersIn(fields: Readonly<Record<string, string>>): ObjectHeaders {
  const metadata = Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(metadataPrefix) ? [[name.slice(metadataPrefix.length), value] as const] : [],
  );
  return {
    content_type: fields["content-type"],
    cache_control: fields["cache-control"],
    content_disposition: fields["content-disposition"],
    content_encoding: fields["content-encoding"],
    metadata: metadata.length === 0 ? undefined : Object.fromEntries(metadata),
  };
}

const methods = ["GET", "PUT", "POST", "DELETE", "HEAD"] as const;
const onceWildcard = "must not have more than one `*`";
const pattern = z
  .string()
  .min(1)
  .refine((text) => text.split("*").length <= 2, onceWildcard);
/** The characters of a header field's name besides `*`. A name with others, such as a space, never matches a field. */
const fieldName = "[!#$%&'+.^_`|~0-9A-Za-z-]";
const fieldPattern = pattern.regex(
  new RegExp(`^(?:${fieldName}|\\*)*$`),
  "must be the name of a header field, without spaces; `*` stands for any text",
);

/** A rule for requests of pages of other origins (CORS). */
const corsRule = z
  .strictObject({
    allowedOrigins: z
      .array(pattern)
      .min(1)
      .describe(
        "Origins whose pages may send requests, such as `https://shop.example.com`. One `*` stands for any text.",
      ),
    allowedMethods: z.array(z.enum(methods)).min(1).describe("Methods that such pages may use."),
    allowedHeaders: z
      .array(fieldPattern)
      .min(1)
      .optional()
      .describe("Header fields that such pages may send. One `*` stands for any text. Default: none."),
    exposeHeaders: z
      .array(
        z.string().regex(new RegExp(`^${fieldName}+$`), "must be the name of a header field, without `*` and spaces"),
      )
      .min(1)
      .optional()
      .describe("Header fields of the responses that such pages may read. Default: those that a browser always shows."),
    maxAgeSeconds: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe("How long a browser may keep the response to a preflight request, in seconds."),
  })
  .meta({ title: "CorsRuleArgs", description: "A rule for requests of pages of other origins." });
export type CorsRule = z.infer<typeof corsRule>;

/** The rules of a bucket for requests of pages of other origins. */
export const corsRules = z.array(corsRule).min(1).max(100).meta({
  description:
    "Rules for requests of pages of other origins (CORS). The first rule that fits a request applies. Without rules, such pages cannot read the objects.",
});

/** An element of a document: absent, alone or several of one name. */
const elements = <Element extends z.ZodType>(element: Element) =>
  z.union([z.array(element), element.transform((one) => [one])]).optional();

const texts = elements(z.string());

/** An element that holds others, or nothing. */
const orEmpty = <Element extends z.ZodType>(element: Element) =>
  z.preprocess((value) => (value === "" ? {} : value), element);

const corsDocument = z.object({
  CORSConfiguration: orEmpty(
    z.object({
      CORSRule: elements(
        z
          .object({
            AllowedOrigin: texts.transform((all = []) => all),
            // A method that S3 adds is data, too.
            AllowedMethod: texts.transform((all = []) => all as CorsRule["allowedMethods"]),
            AllowedHeader: texts,
            ExposeHeader: texts,
            MaxAgeSeconds: z.coerce.number().optional(),
          })
          .transform((rule) => ({
            allowedOrigins: rule.AllowedOrigin,
            allowedMethods: rule.AllowedMethod,
            ...(rule.AllowedHeader && { allowedHeaders: rule.AllowedHeader }),
            ...(rule.ExposeHeader && { exposeHeaders: rule.ExposeHeader }),
            ...(rule.MaxAgeSeconds !== undefined && { maxAgeSeconds: rule.MaxAgeSeconds }),
          })),
      ),
    }),
  ),
});

const deletionDocument = z.object({
  DeleteResult: orEmpty(z.object({ Error: elements(z.object({ Key: z.string(), Message: z.string().default("") })) })),
});

type Xml = string | number | boolean | undefined | readonly Xml[] | { readonly [name: string]: Xml };

/** A document of elements. A list stands for several elements of one name. */
function xml(root: string, content: Xml): string {
  const isList = (value: Xml): value is readonly Xml[] => Array.isArray(value);
  const element = (name: string, value: Xml): string => {
    if (value === undefined) return "";
    if (isList(value)) return value.map((one) => element(name, one)).join("");
    const inner =
      typeof value === "object"
        ? Object.entries(value)
            .map(([below, one]) => element(below, one))
            .join("")
        : String(value).replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    return `<${name}>${inner}</${name}>`;
  };
  return `<?xml version="1.0" encoding="UTF-8"?>${element(root, content)}`;
}

/** Whether every XML parser reads a text as it was written. */
export function isXmlText(text: string): boolean {
  return !/[\p{Cc}\p{Noncharacter_Code_Point}]/u.test(text);
}

/** Builds a request to the S3 API of a branch. */
function s3Request<Response>(
  method: Request<unknown>["method"],
  { projectId, branchId, bucketName, key }: BucketAddress & { readonly key?: string },
  schema: z.ZodType<Response>,
  {
    query,
    headers,
    document,
    upload,
  }: Pick<S3Target, "headers" | "document"> &
    Pick<Request<unknown>, "upload"> & {
      readonly query?: Query;
    } = {},
): Request<Response> {
  const bucketPath = path`/projects/${projectId}/branches/${branchId}/buckets/${bucketName}`;
  return {
    method,
    path: key === undefined ? bucketPath : bucketPath + path`/objects/${key}`,
    ...(query && { query }),
    ...(upload && { upload }),
    s3: {
      projectId,
      branchId,
      bucketName,
      key,
      ...(headers && { headers }),
      ...(document !== undefined && { document }),
    },
    schema,
  };
}

/** A gateway's page is no answer of S3, whatever its status. */
const stored: z.ZodType<object> = z.object({ headers: z.looseObject({ etag: z.string() }) });
const copied: z.ZodType<object> = z.object({ CopyObjectResult: z.unknown().refine((result) => result !== undefined) });
const answered: z.ZodType<object> = z.looseObject({});

/** The answer to a `HEAD` of an object. */
const objectHead = z
  .object({
    headers: z.looseObject({
      etag: z.string(),
      "last-modified": z.string(),
      "content-length": z.string(),
      date: z.string().default(""),
    }),
  })
  .transform(({ headers }) => ({
    size: Number(headers["content-length"]),
    etag: headers.etag.replaceAll('"', ""),
    last_modified: new Date(headers["last-modified"]).toISOString(),
    /** Whether no later upload can have this time, which has whole seconds. */
    is_past: Date.parse(headers.date) > Date.parse(headers["last-modified"]),
    headers: objectHeadersIn(headers as Readonly<Record<string, string>>),
  }));

export type ObjectHead = z.infer<typeof objectHead>;

/** Requests to the S3 API of a branch, for what Neon's own API does not offer. */
export const s3 = {
  /** Reads size, etag, time and header fields of an object. */
  head: (address: ObjectAddress) => s3Request("HEAD", address, objectHead),
  /**
   * Stores an object with its header fields, or overwrites it. A presigned URL of Neon's API sets no header field but
   * the content type: if there is no other, the object is stored without access to S3, too.
   */
  put: (address: ObjectAddress, headers: ObjectHeaders, upload: () => Promise<FileBody>): Request<object> => {
    const { projectId, branchId, bucketName, key } = address;
    const { content_type, ...others } = headers;
    const request = s3Request("PUT", address, stored, { headers: headerFields(headers), upload });
    if (Object.values(others).some((value) => value !== undefined)) return request;
    return { ...request, withoutS3: bucketObjects.put(projectId, branchId, bucketName, key, { content_type, upload }) };
  },
  /** Replaces the header fields of an object by a copy onto itself, unless its content has changed since. */
  describe: (address: ObjectAddress, etag: string, headers: ObjectHeaders) =>
    s3Request("PUT", address, copied, {
      headers: {
        ...headerFields(headers),
        "x-amz-copy-source": [address.bucketName, ...address.key.split("/")].map(encodeURIComponent).join("/"),
        "x-amz-copy-source-if-match": `"${etag}"`,
        "x-amz-metadata-directive": "REPLACE",
      },
    }),
  /** Hides an object on this branch: parent and children keep theirs. It succeeds also if there is no such object. */
  delete: (address: ObjectAddress): Request<object> => {
    const { projectId, branchId, bucketName, key } = address;
    const withoutS3 = bucketObjects.delete(projectId, branchId, bucketName, key);
    return { ...s3Request("DELETE", address, answered), withoutS3 };
  },
  /** Deletes up to 1000 objects. The response lists those that were not deleted. */
  deleteObjects: (address: BucketAddress, keys: readonly string[]) =>
    s3Request("POST", address, deletionDocument, {
      query: { delete: "" },
      document: xml("Delete", { Quiet: true, Object: keys.map((Key) => ({ Key })) }),
    }),
  /** The rules of a bucket. A 404 `NoSuchCORSConfiguration` means that there are none. */
  cors: (address: BucketAddress) => s3Request("GET", address, corsDocument, { query: { cors: "" } }),
  /** Replaces the rules of a bucket. */
  putCors: (address: BucketAddress, rules: readonly CorsRule[]) =>
    s3Request("PUT", address, answered, {
      query: { cors: "" },
      document: xml("CORSConfiguration", {
        CORSRule: rules.map((rule) => ({
          AllowedOrigin: rule.allowedOrigins,
          AllowedMethod: rule.allowedMethods,
          AllowedHeader: rule.allowedHeaders,
          ExposeHeader: rule.exposeHeaders,
          MaxAgeSeconds: rule.maxAgeSeconds,
        })),
      }),
    }),
  deleteCors: (address: BucketAddress) => s3Request("DELETE", address, answered, { query: { cors: "" } }),
};
