import XMLBuilder from "fast-xml-builder";
import { XMLParser } from "fast-xml-parser";
import type { z } from "zod";

import type { ApiResponse } from "../http/response";
import { invalid } from "./error";

/** Elements that are read as lists even if they have a single entry. */
const lists: readonly string[] = [
  "Object",
  "Part",
  "CORSRule",
  "AllowedOrigin",
  "AllowedMethod",
  "AllowedHeader",
  "ExposeHeader",
];

const builder = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: "@" });
// A key may begin or end with a space, and contains line breaks as numeric references.
const parser = new XMLParser({
  parseTagValue: false,
  trimValues: false,
  // oxlint-disable-next-line typescript/no-deprecated -- its successor needs another package
  htmlEntities: true,
  isArray: (name) => lists.includes(name),
});

/** Writes a document with a root element. A list becomes one element per entry; undefined members are left out. */
export function document(root: string, content: object): string {
  const named = { "@xmlns": "http://s3.amazonaws.com/doc/2006-03-01/", ...content };
  const present = JSON.parse(JSON.stringify({ [root]: named })) as object;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(present)}`;
}

/** A response with a document. */
export function xml(root: string, content: object): ApiResponse {
  return { status: 200, headers: { "content-type": "application/xml" }, body: document(root, content) };
}

/**
 * Parses a document.
 *
 * @throws S3Error
 */
export function parsed<Content>(text: string, schema: z.ZodType<Content>): Content {
  const malformed = invalid(
    "MalformedXML",
    "The XML you provided was not well-formed or did not validate against our published schema",
  );
  try {
    const read = schema.safeParse(parser.parse(text, true));
    if (read.success) return read.data;
  } catch {
    // The library's message is of no use to clients of S3.
  }
  throw malformed;
}
