/** A server that answers each path with the same text: what hono and Node take by themselves. `node bare-server.js <file>` */
import { serve } from "@hono/node-server";
import { readFileSync } from "node:fs";

import { Hono } from "hono";

const texts = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Readonly<Record<string, string>>;
const app = new Hono();
for (const [path, text] of Object.entries(texts)) {
  app.get(path, (context) => context.body(text, 200, { "content-type": "application/json" }));
}
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}`);
});
