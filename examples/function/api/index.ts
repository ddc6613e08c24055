// The function: everybody can read the notes, and who has the token can add one.
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import postgres from "postgres";

// It connects with the first query. Neon sets DATABASE_URL to the pooled URL of the branch. Postgres sends a notice when the table
// exists already, which the driver would log.
const sql = postgres(process.env["DATABASE_URL"] ?? "", { onnotice: () => undefined });

/** Creates the table with the first request. An application leaves this to its migrations. */
let table: Promise<unknown> | undefined;
async function prepare(): Promise<void> {
  table ??= sql`CREATE TABLE IF NOT EXISTS note (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)`;
  try {
    await table;
  } catch (error) {
    table = undefined; // the next request tries again
    throw error;
  }
}

const app = new Hono();

app.get("/", async (context) => {
  await prepare();
  return context.json(await sql`SELECT id, text FROM note ORDER BY id DESC LIMIT 20`);
});

app.post("/", bearerAuth({ token: process.env["TOKEN"] ?? "" }), async (context) => {
  await prepare();
  const [note] = await sql`INSERT INTO note (text) VALUES (${await context.req.text()}) RETURNING id, text`;
  return context.json(note, 201);
});

export default app;
