import { Client } from "pg";

const writers = 2;

/** What a writer has sent, and what it was told: the numbers from 1 on. */
export interface Written {
  sent: number;
  acknowledged: number;
}

export const nothingWritten = (): Written[] => Array.from({ length: writers }, () => ({ sent: 0, acknowledged: 0 }));

export const copyOf = (all: readonly Written[]): Written[] => all.map((one) => ({ ...one }));

/** A session that survives what happens to its server. */
export async function connect(uri: string): Promise<Client> {
  const client = new Client({ connectionString: uri });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

export async function createTables(uri: string): Promise<void> {
  const client = await connect(uri);
  for (const number of Array.from({ length: writers }).keys()) {
    await client.query(
      `CREATE TABLE written_${number} (number int PRIMARY KEY, text text DEFAULT md5(random()::text))`,
    );
  }
  await client.end();
}

/** Writes one number after the other to a branch, each in a commit of its own, until it is stopped or fails. */
export class Writer {
  readonly #done: Promise<void>;
  #isStopped = false;
  /** The id of the server process. */
  pid = 0;

  constructor(uri: string, number: number, written: Written) {
    this.#done = this.#write(uri, number, written).catch(() => undefined);
  }

  /** Ends after the commit under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #write(uri: string, number: number, written: Written): Promise<void> {
    const client = await connect(uri);
    try {
      const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      this.pid = rows[0]?.pid ?? 0;
      while (!this.#isStopped) {
        written.sent += 1;
        await client.query(`INSERT INTO written_${number} VALUES ($1)`, [written.sent]);
        written.acknowledged = written.sent;
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** The numbers that a branch holds, as one text of what is wrong for each writer whose numbers do not fit. */
export async function compare(
  uri: string,
  least: readonly Written[],
  most: readonly Written[],
): Promise<{ readonly counts: readonly number[]; readonly problems: readonly string[] }> {
  const client = await connect(uri);
  const counts: number[] = [];
  const problems: string[] = [];
  try {
    for (const [number, { acknowledged }] of least.entries()) {
      const { rows } = await client.query<{ count: number; last: number }>(
        `SELECT count(*)::int AS count, coalesce(max(number), 0) AS last FROM written_${number}`,
      );
      const { count, last } = rows[0] ?? { count: -1, last: -1 };
      const sent = most[number]?.sent ?? 0;
      counts.push(count);
      if (count !== last) problems.push(`writer ${number}: ${count} rows, the last one is ${last}`);
      if (count < acknowledged) problems.push(`writer ${number}: ${acknowledged} acknowledged, ${count} there`);
      if (count > sent) problems.push(`writer ${number}: ${sent} sent before the point, ${count} there`);
    }
  } finally {
    await client.end();
  }
  return { counts, problems };
}
