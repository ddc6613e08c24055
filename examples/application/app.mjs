// The application: reads the URL from its environment, and queries. `npm start` runs it.
import pg from "pg";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("Set DATABASE_URL to the URL of the database.");

const client = new pg.Client({ connectionString });
await client.connect();
try {
  const { rows } = await client.query("SELECT current_database() AS name, current_user AS role");
  console.log(`Connected to the database ${rows[0].name} as ${rows[0].role}.`);
} finally {
  await client.end();
}
