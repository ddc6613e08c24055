import type { Command } from "commander";
import { z } from "zod";

import { postgresPort } from "../model/databases";
import { runProgram } from "./program";
import { ask, findBranch, findPlatform, type Target, withTarget } from "./running-platform";

interface PsqlOptions extends Target {
  readonly project?: string;
  readonly database?: string;
  readonly role?: string;
}

const missing =
  "there is no psql on the PATH; install PostgreSQL's client (Debian: postgresql-client, Homebrew: libpq)";
const answer = z.object({ uri: z.string() });

/** `neon-platform psql` */
export function addPsqlCommand(program: Command): void {
  withTarget(program.command("psql"))
    .description("start psql in a branch of a running platform; `-- <arguments>` are passed on to it")
    .argument("<branch>", "name or id")
    .argument("[arguments...]", "arguments of psql")
    .option("--project <project>", "name or id, if several projects have a branch of this name")
    .option("--database <name>", "database (default: the oldest)")
    .option("--role <name>", "role (default: the owner of the database)")
    .action(async (name: string, args: readonly string[], options: PsqlOptions) => {
      const { consoleUrl, status } = await findPlatform(options);
      const { branch } = findBranch(status, name, options.project);
      const query = new URLSearchParams({ branch_id: branch.id });
      if (options.database !== undefined) query.set("database_name", options.database);
      if (options.role !== undefined) query.set("role_name", options.role);
      const { uri } = answer.parse(await ask(consoleUrl, `/local/connection_uri?${query.toString()}`));
      process.exitCode = await runProgram("psql", args, { env: environmentOf(new URL(uri)) }, missing);
    });
}

/**
 * The environment with the connection for libpq. Other users can read the arguments of a process, but not its environment.
 * Variables for the user's own connections are left out.
 */
function environmentOf(uri: URL): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^PG[A-Z]/.test(name));
  const options = uri.searchParams.get("options");
  return {
    ...Object.fromEntries(others),
    PGHOST: uri.hostname,
    PGPORT: uri.port === "" ? String(postgresPort) : uri.port,
    PGUSER: decodeURIComponent(uri.username),
    PGPASSWORD: decodeURIComponent(uri.password),
    PGDATABASE: decodeURIComponent(uri.pathname.slice(1)),
    ...(options !== null && { PGOPTIONS: options }),
  };
}
