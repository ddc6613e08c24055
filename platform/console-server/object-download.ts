import type { Context } from "hono";
import { Readable } from "node:stream";

import type { Env } from "../http/api";
import type { ConsoleServices } from "./services";

/** Sends the content of an object as a file. A browser that displayed it would execute its scripts as a part of the console. */
export function downloadObject({ controlPlane }: ConsoleServices, context: Context<Env>): Response {
  const { tables, objects } = controlPlane;
  const { branch: branch_id = "", bucket: bucket_name = "", key = "" } = context.req.query();
  const found = tables.bucketObjects.getOr404("object", { branch_id, bucket_name, key });
  const name = encodeURIComponent(key.split("/").at(-1) ?? key).replaceAll("'", "%27");
  return new Response(Readable.toWeb(objects.files.read(found.content)) as ReadableStream, {
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(found.size),
      "content-disposition": `attachment; filename*=UTF-8''${name}`,
      "content-security-policy": "sandbox",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}
