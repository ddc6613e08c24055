// The function: everybody can read the notes, and who has the token can add one.
import { timingSafeEqual } from "node:crypto";

import postgres from "postgres";

// It connects with the first query. Neon sets DATABASE_URL to the pooled URL of the branch.
const sql = postgres(process.env.DATABASE_URL ?? "");

/** Creates the table with the first request. An application leaves this to its migrations. */
let table;
async function prepare() {
  table ??= sql`CREATE TABLE IF NOT EXISTS note (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)`;
  try {
    await table;
  } catch (error) {
    table = undefined; // the next request tries again
    throw error;
  }
}

/** Whether the header has the token, compared in a time that says nothing about it. */
function mayWrite(request) {
  const given = Buffer.from(request.headers.get("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${process.env.TOKEN}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export default {
  async fetch(request) {
    if (request.method === "GET") {
      await prepare();
      return Response.json(await sql`SELECT id, text FROM note ORDER BY id DESC LIMIT 20`);
    }
    if (request.method !== "POST") return new Response("Use GET or POST.\n", { status: 405 });
    if (!mayWrite(request)) return new Response("Send the token.\n", { status: 401 });
    await prepare();
    const [note] = await sql`INSERT INTO note (text) VALUES (${await request.text()}) RETURNING id, text`;
    return Response.json(note, { status: 201 });
  },
};
