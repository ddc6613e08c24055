import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";

import { filesIn } from "../../support/files";

const name = "state";
/** The state of a stack. Its backup is a copy that the store makes itself. */
const stateKey = /^\.pulumi\/stacks\/.+\.json$/;

/** How long it takes to save a state, in milliseconds. */
const saveTime = 300;

/**
 * A bucket of an S3-compatible store, for Pulumi's `s3://` backend. Its objects are the files of a folder, as a `file://` backend
 * has them. Saving a state takes a while, as over a slow connection: a state whose sender is killed meanwhile is not stored.
 */
export class Bucket {
  /** The folder of the objects. */
  readonly folder: string;
  readonly #parts: string;
  readonly #server: Server;
  #uploads = 0;

  private constructor() {
    const root = mkdtempSync(join(tmpdir(), "neon-pulumi-bucket-"));
    this.folder = join(root, "objects");
    this.#parts = join(root, "parts");
    for (const folder of [this.folder, this.#parts]) mkdirSync(folder);
    this.#server = createServer((incoming, outgoing) => {
      // The client may have disconnected.
      this.#answer(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async open(): Promise<Bucket> {
    const bucket = new Bucket();
    await new Promise<void>((resolve) => bucket.#server.listen(0, "127.0.0.1", resolve));
    return bucket;
  }

  /** The URL of the backend. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    const query = new URLSearchParams({
      endpoint: `http://127.0.0.1:${port}`,
      region: "us-east-1",
      s3ForcePathStyle: "true",
      anonymous: "true",
    });
    return `s3://${name}?${query.toString()}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(dirname(this.folder), { recursive: true, force: true });
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const { pathname, searchParams } = new URL(url, "http://bucket");
    const body = await buffer(incoming);
    const [, bucket, ...segments] = decodeURIComponent(pathname).split("/");
    const key = segments.join("/");
    const isEncoded = headers["content-encoding"] !== undefined;
    if (bucket !== name || segments.includes("..") || isEncoded) {
      notImplemented(outgoing);
    } else if (method === "GET" && key === "") {
      this.#list(searchParams, outgoing);
    } else if (method === "GET" || method === "HEAD") {
      this.#read(key, outgoing);
    } else if (method === "PUT" && headers["x-amz-copy-source"] !== undefined) {
      this.#copy(String(headers["x-amz-copy-source"]), key, outgoing);
    } else if (method === "PUT") {
      await this.#write(key, body, outgoing);
    } else if (method === "DELETE") {
      rmSync(this.#file(key), { force: true });
      outgoing.writeHead(204).end();
    } else {
      notImplemented(outgoing);
    }
  }

  #list(query: URLSearchParams, outgoing: ServerResponse): void {
    const [prefix, delimiter] = [query.get("prefix") ?? "", query.get("delimiter") ?? ""];
    const keys = filesIn(this.folder)
      .map((file) => relative(this.folder, file).split(sep).join("/"))
      .filter((key) => key.startsWith(prefix));
    const end = (key: string): number => (delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length));
    const prefixes = new Set(keys.filter((key) => end(key) >= 0).map((key) => key.slice(0, end(key) + 1)));
    const contents = keys
      .filter((key) => end(key) < 0)
      .map((key) => {
        const { size, mtime } = statSync(this.#file(key));
        return `<Contents><Key>${escaped(key)}</Key><LastModified>${mtime.toISOString()}</LastModified><Size>${size}</Size></Contents>`;
      });
    const common = [...prefixes].map((one) => `<CommonPrefixes><Prefix>${escaped(one)}</Prefix></CommonPrefixes>`);
    const all = ["<IsTruncated>false</IsTruncated>", ...contents, ...common].join("");
    sendXml(outgoing, 200, `<ListBucketResult>${all}</ListBucketResult>`);
  }

  #read(key: string, outgoing: ServerResponse): void {
    const content = this.#content(key);
    if (content === undefined) {
      noSuchKey(outgoing);
      return;
    }
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(content));
    outgoing
      .writeHead(200, {
        "content-length": content.length,
        "last-modified": statSync(this.#file(key)).mtime.toUTCString(),
        "x-amz-checksum-crc32": checksum.toString("base64"),
      })
      .end(content);
  }

  #copy(source: string, key: string, outgoing: ServerResponse): void {
    const [, ...segments] = decodeURIComponent(source).replace(/^\//, "").split("/");
    const content = this.#content(segments.join("/"));
    if (content === undefined) {
      noSuchKey(outgoing);
    } else {
      this.#store(key, content);
      sendXml(outgoing, 200, "<CopyObjectResult></CopyObjectResult>");
    }
  }

  async #write(key: string, body: Buffer, outgoing: ServerResponse): Promise<void> {
    if (stateKey.test(key)) await new Promise((resolve) => setTimeout(resolve, saveTime));
    if (outgoing.destroyed) return;
    this.#store(key, body);
    outgoing.writeHead(200, { "content-length": 0 }).end();
  }

  /** Stores an object in one step, because the tests read the same files. */
  #store(key: string, content: Buffer): void {
    const file = this.#file(key);
    const part = join(this.#parts, String((this.#uploads += 1)));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(part, content);
    renameSync(part, file);
  }

  #content(key: string): Buffer | undefined {
    const isThere = statSync(this.#file(key), { throwIfNoEntry: false })?.isFile() === true;
    return isThere ? readFileSync(this.#file(key)) : undefined;
  }

  #file(key: string): string {
    return join(this.folder, ...key.split("/"));
  }
}

function sendXml(outgoing: ServerResponse, status: number, xml: string): void {
  const content = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
  outgoing.writeHead(status, { "content-type": "application/xml", "content-length": content.length }).end(content);
}

function noSuchKey(outgoing: ServerResponse): void {
  sendXml(outgoing, 404, "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>");
}

/** The response to requests that Pulumi does not need. */
function notImplemented(outgoing: ServerResponse): void {
  sendXml(outgoing, 501, "<Error><Code>NotImplemented</Code><Message>This bucket cannot do that.</Message></Error>");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escaped = (text: string): string => text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
