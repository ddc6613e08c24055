// Applies what is in drizzle/ and was not applied yet. `neon.Migration` runs it with the URL of a direct connection.
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
try {
  await migrate(drizzle(client), { migrationsFolder: "drizzle" });
} finally {
  await client.end();
}
