import { createHash } from "node:crypto";

import { operationSample, projectSample } from "../api/samples";
import type { Received, Reply } from "./scripted-server";

interface StoredObject {
  readonly text: string;
  readonly contentType: string | undefined;
  readonly storedAt: string;
}

const bucket = "/api/v2/projects/shop-1/branches/br-1/buckets/files";

/** An operation of another program, which does not end. */
const ofAnother = operationSample({ project_id: "shop-1", branch_id: "br-1", created_at: "2100-01-01T00:00:00Z" });

/** The objects of one bucket, on a server that a test scripts. */
export class ScriptedObjects {
  readonly objects = new Map<string, StoredObject>();
  /** Objects of the parent, which the deletion of a prefix leaves. */
  readonly inherited = new Set<string>();
  /** The replies to the next uploads; `lost`: the upload is lost before it is stored. */
  uploads: ("lost" | Reply)[] = [];
  uploaded = 0;
  /** Called for each upload, before it is stored. */
  onUpload: () => void = () => undefined;
  exists = true;
  #origin: () => string;

  constructor(origin: () => string) {
    this.#origin = origin;
  }

  /** Stores an object as another program. */
  store(key: string, text: string, contentType?: string): void {
    this.objects.set(key, { text, contentType, storedAt: new Date().toISOString() });
  }

  readonly script = ({ method, url, body, headers }: Received): Reply => {
    const { pathname: path, searchParams } = new URL(url, "http://localhost");
    if (path === "/api/v2/auth") return { body: { account_id: "user-1", auth_method: "api_key" } };
    if (path === "/api/v2/projects/shop-1") {
      return { body: { project: projectSample({ id: "shop-1", owner_id: "user-1" }) } };
    }
    if (path.endsWith("/operations")) return { body: { operations: [ofAnother], pagination: {} } };
    if (path.endsWith("/branches/br-1/storage")) {
      return { body: { s3_endpoint: this.#origin(), region: "us-east-2", force_path_style: true } };
    }
    // Without a credential, the client uses no S3.
    if (path.endsWith("/credentials")) return { body: { credentials: [] } };
    if (path.startsWith("/storage/"))
      return this.#upload(decodeURIComponent(path.slice("/storage/".length)), body, headers);
    if (path.endsWith("/buckets")) {
      const one = { name: "files", access_level: "private", created_at: "2026-01-01T00:00:00Z" };
      if (method === "POST") this.exists = true;
      return method === "POST"
        ? { status: 201, body: { bucket: one } }
        : { body: { buckets: this.exists ? [one] : [] } };
    }
    if (path === bucket) {
      if (this.objects.size > 0) return { status: 409, body: { code: "", message: "the bucket is not empty" } };
      this.exists = false;
      return { status: 204 };
    }
    const rest = path.slice(bucket.length);
    if (rest === "/objects-by-prefix") {
      const prefix = searchParams.get("prefix") ?? "";
      if (/\p{Cc}/u.test(prefix)) return { status: 400, body: { code: "", message: "control characters" } };
      const own = this.#keys(prefix).filter((key) => !this.inherited.has(key));
      for (const key of own) this.objects.delete(key);
      return { body: { deleted: own.length } };
    }
    if (rest === "/objects") return { body: this.#page(searchParams) };
    const [, , name = "", action] = rest.split("/");
    const key = decodeURIComponent(name);
    if (action === "presign") {
      const { content_type: type } = JSON.parse(body) as { content_type?: string };
      const to = `${this.#origin()}/storage/${encodeURIComponent(key)}?X-Amz-Signature=secret-signature`;
      const signed = type === undefined ? {} : { "content-type": type };
      return { body: { url: to, method: "PUT", headers: signed, expires_at: "2030-01-01T00:00:00Z" } };
    }
    this.objects.delete(key);
    return { status: 204 };
  };

  #upload(key: string, text: string, headers: Received["headers"]): Reply {
    const how = this.uploads.shift();
    this.onUpload();
    if (how === "lost") return { end: "reset-after" };
    if (how !== undefined) return how;
    this.uploaded += 1;
    this.store(key, text, headers["content-type"]);
    return { status: 200 };
  }

  #keys(prefix: string): readonly string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  #page(query: URLSearchParams): unknown {
    const prefix = query.get("prefix") ?? "";
    const isFolder = (key: string): boolean =>
      query.get("delimiter") !== null && key.slice(prefix.length).includes("/");
    const after = query.get("cursor") ?? "";
    const limit = Math.min(Number(query.get("limit") ?? 1000), 3);
    const all = this.#keys(prefix).filter((key) => key > after);
    const shown = all.filter((key) => !isFolder(key)).slice(0, limit);
    const isTruncated = all.filter((key) => !isFolder(key)).length > shown.length;
    const objects = shown.map((key) => {
      const { text, storedAt } = this.objects.get(key) as StoredObject;
      const etag = createHash("md5").update(text).digest("hex");
      return { key, size: Buffer.byteLength(text), last_modified: storedAt, etag };
    });
    const folders = [
      ...new Set(all.filter(isFolder).map((key) => `${key.slice(0, key.indexOf("/", prefix.length))}/`)),
    ];
    return { folders, objects, prefix, is_truncated: isTruncated, ...(isTruncated && { next_cursor: shown.at(-1) }) };
  }
}
