import { Client, type ClientConfig } from "pg";

type Row = Record<string, unknown>;

/** Opens a session, does something with it, and ends it. */
export async function withClient<Result>(
  config: ClientConfig,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  // A session that the server ends reports it here as well.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Runs statements in a session of their own; returns the rows of the last one. */
export const query = (config: ClientConfig, text: string): Promise<Row[]> =>
  withClient(config, async (client) => [await client.query<Row>(text)].flat().at(-1)?.rows ?? []);
