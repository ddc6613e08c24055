import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { invalid } from "./error";

const maxObjectBytes = 5 * 2 ** 30;
const maxDocumentBytes = 2 ** 21;
const maxLineBytes = 1024;
const lineEnd = "\r\n";

/**
 * The content of a request. Some clients send it in chunks of their own (`aws-chunked`). Fails if the content does not
 * match `content-md5`, `x-amz-content-sha256` or the announced length. Signatures of single chunks and the
 * `x-amz-checksum-…` headers are not checked.
 *
 * @throws S3Error
 */
export async function* payloadOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const { "content-md5": md5, "x-amz-content-sha256": announced = "", ...headers } = request.headers;
  const isChunked = String(announced).startsWith("STREAMING-");
  const length = headers[isChunked ? "x-amz-decoded-content-length" : "content-length"];
  const sha256 = /^[0-9a-f]{64}$/.test(String(announced)) ? createHash("sha256") : undefined;
  const hash = md5 === undefined ? undefined : createHash("md5");
  const sent = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  let size = 0;
  for await (const chunk of isChunked ? unchunked(sent) : sent) {
    size += chunk.length;
    if (size > maxObjectBytes) {
      throw invalid("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
    }
    sha256?.update(chunk);
    hash?.update(chunk);
    yield chunk;
  }
  if (length !== undefined && size !== Number(length)) {
    throw invalid("IncompleteBody", "You did not provide the number of bytes that the headers announce");
  }
  if (sha256 && sha256.digest("hex") !== announced) {
    const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
    throw invalid("XAmzContentSHA256Mismatch", message);
  }
  if (hash && hash.digest("base64") !== md5) {
    throw invalid("BadDigest", "The Content-MD5 you specified did not match what we received.");
  }
}

/**
 * Reads the document in a request.
 *
 * @throws S3Error
 */
export async function documentOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of payloadOf(request)) {
    size += chunk.length;
    if (size > maxDocumentBytes) throw invalid("MalformedXML", "The document is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Decodes `aws-chunked`: each chunk follows a line with its length, and the last one is empty. Trailers are ignored. */
async function* unchunked(sent: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  /** The bytes that are missing from the current chunk; 0 before the line of the next one. */
  let missing = 0;
  let isEnded = false;
  for await (const received of sent) {
    if (isEnded) continue;
    let data: Buffer = rest.length === 0 ? received : Buffer.concat([rest, received]);
    while (!isEnded && data.length > 0) {
      if (missing > 0) {
        const part = data.subarray(0, missing);
        missing -= part.length;
        data = data.subarray(part.length);
        yield part;
        continue;
      }
      const end = data.indexOf(lineEnd);
      if (end < 0) break;
      const line = data.toString("latin1", 0, end);
      data = data.subarray(end + lineEnd.length);
      // The end of the previous chunk.
      if (line === "") continue;
      const [, length] = /^([0-9a-f]{1,10})(;|$)/i.exec(line) ?? [];
      if (length === undefined) throw invalid("InvalidRequest", "The chunks of the body are malformed");
      missing = Number.parseInt(length, 16);
      isEnded = missing === 0;
    }
    if (data.length > maxLineBytes) throw invalid("InvalidRequest", "The chunks of the body are malformed");
    rest = Buffer.from(data);
  }
  if (!isEnded) throw invalid("IncompleteBody", "The last chunk of the body is missing");
}
