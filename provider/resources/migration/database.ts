import { backoffDelay } from "../../../api/core/backoff";
import { explained, hasStatus, invalid, messageOf, withoutStop } from "../../../api/core/errors";
import { withoutSecrets } from "../../../api/core/redaction";
import { decoded } from "../../../api/core/request";
import { connectionUris } from "../../../api/schemas/connection-uri";
import { databases } from "../../../api/schemas/database";
import type { Context, LiveRow } from "../../call/context";
import type { BranchAddress } from "../branch/read";

/** The database and the role that a program names. */
interface Named {
  readonly databaseName?: string | undefined;
  readonly roleName?: string | undefined;
}

/** A connection to a database of a branch. */
interface DatabaseConnection {
  readonly uri: string;
  readonly databaseName: string;
  readonly roleName: string;
}

/**
 * Reads the URI of the direct connection to a database of a branch. By default, this is the only database, and the role
 * is its owner.
 */
export async function directConnection(
  context: Context,
  { projectId, branchId }: BranchAddress,
  named: Named,
): Promise<DatabaseConnection> {
  const { databases: all } = await context.read(databases.list(projectId, branchId));
  const [only, another] =
    named.databaseName === undefined ? all : all.filter(({ name }) => name === named.databaseName);
  if (only === undefined || another !== undefined) {
    const names = all.map(({ name }) => name).join(", ");
    throw named.databaseName === undefined
      ? invalid(`The branch ${branchId} has ${all.length === 0 ? "no database" : `several databases: ${names}`}`, {
          fix: "Declare the one to connect to as `databaseName`.",
        })
      : invalid(`The branch ${branchId} has no database "${named.databaseName}"`, {
          fix: "If the program creates it, pass the output `name` of that resource.",
        });
  }
  const { name: databaseName, owner_name: owner } = only;
  const roleName = named.roleName ?? owner;
  const request = connectionUris.get(projectId, { branchId, databaseName, roleName, pooled: false });
  const { uri } = await context.read(request).catch((error: unknown) => {
    if (hasStatus(error, 412)) {
      throw explained(`The password of the role "${roleName}" cannot be read`, error, "Pass a URI in `environment`.");
    }
    if (!hasStatus(error, 404)) throw error;
    const fix = "Declare the `compute` of the branch, and check `roleName`.";
    throw explained(`There is no connection to the branch ${branchId}`, error, fix);
  });
  return { uri, databaseName, roleName };
}

/** The values in a URI that no output may show: the whole, and the password. */
export function secretsIn(uri: string): readonly string[] {
  if (!URL.canParse(uri)) return [uri];
  const { password, href } = new URL(uri);
  return [uri, href, password, decoded(password) ?? password];
}

/** How long to wait for a compute that does not answer, in milliseconds. */
const patience = 120_000;

/**
 * How long to wait if Postgres refuses the password, the role or the database, in milliseconds: if they are new, the
 * compute may not know them yet.
 */
const refusalPatience = 10_000;
const refusals: readonly string[] = ["28P01", "28000", "3D000"];

/**
 * Waits until the compute answers a query over a connection of its own: a suspended compute starts only then, and a new
 * role or database is known there a moment after its operation.
 */
export async function untilAnswers(uri: string, { show, signal, clock }: LiveRow): Promise<void> {
  const { default: postgres } = await import("postgres");
  const since = clock.now();
  for (;;) {
    signal.throwIfAborted();
    show("connecting to the database");
    const sql = postgres({ ...optionsOf(uri), max: 1, fetch_types: false, prepare: false, onnotice: () => undefined });
    try {
      await sql`SELECT 1`;
      return;
    } catch (error) {
      const { code = "" } = error as { readonly code?: string };
      const waited = clock.now() - since;
      if (waited >= (refusals.includes(code) ? refusalPatience : patience)) {
        const reason = withoutSecrets(withoutStop(messageOf(error)), secretsIn(uri));
        throw invalid(`The database does not accept a connection: ${reason}`, { cause: error });
      }
      await clock.sleep(backoffDelay(waited), signal);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }
}

/** The parameters of a URI that the client itself handles. Postgres gets the others. */
const ofClient: readonly string[] = ["sslmode", "channel_binding", "sslrootcert", "sslnegotiation"];

/** The options of a client. Like `libpq`, it checks the certificate only if the URI asks for that. */
function optionsOf(uri: string) {
  if (!URL.canParse(uri)) throw invalid("The connection URI is not a URI");
  const { hostname, port, username, password, pathname, searchParams } = new URL(uri);
  const mode = searchParams.get("sslmode") ?? "prefer";
  const parameters = [...searchParams].filter(([name]) => !ofClient.includes(name));
  const plain = (text: string): string => decoded(text) ?? text;
  return {
    host: hostname,
    port: port === "" ? 5432 : Number(port),
    user: plain(username),
    pass: plain(password),
    database: plain(pathname.slice(1)),
    ssl:
      mode === "disable"
        ? false
        : mode.startsWith("verify-")
          ? "verify-full"
          : mode === "require"
            ? "require"
            : "prefer",
    connect_timeout: 20,
    connection: Object.fromEntries(parameters),
  } as const;
}
