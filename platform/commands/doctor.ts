import type { Command } from "commander";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { postgresPort } from "../model/databases";
import { Engine } from "../postgres/engine";
import { findInstallations, installCommand, type Installation, newestMajor } from "../postgres/installation";
import { hasOwnAddresses } from "../postgres/loopback";
import { canEnter, type OsUser, postgresUser } from "../postgres/os-user";

interface DoctorOptions {
  readonly data?: string;
  readonly postgres?: string;
}

/** The result of a check. With a `note`, the platform can still run databases. */
interface Finding {
  readonly result: "ok" | "note" | "problem";
  readonly text: string;
  /** The remediation. */
  readonly fix?: string;
}

const marks = { ok: "✔", note: "!", problem: "✘" } as const;

/** `neon-platform doctor` */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("check whether this machine can run the databases of a platform; exits with 1 if it cannot")
    .option("--data <folder>", "check this data folder, too")
    .option("--postgres <folder>", "check the Postgres in this folder (default: all that are installed)")
    .action(async ({ data, postgres }: DoctorOptions) => {
      const findings = [
        ...checkUser(data),
        ...(await checkInstallations(postgres)),
        ...(await checkAddresses()),
        ...checkPrograms(),
      ];
      for (const { result, text, fix } of findings) {
        process.stdout.write(`${marks[result]} ${text}\n${fix === undefined ? "" : `  ${fix}\n`}`);
      }
      if (findings.some(({ result }) => result === "problem")) process.exitCode = 1;
    });
}

function checkUser(data: string | undefined): Finding[] {
  let user: OsUser | undefined;
  try {
    user = postgresUser();
  } catch (error) {
    return [{ result: "problem", text: messageOf(error), fix: "Start the platform as a user other than root." }];
  }
  const found: Finding = {
    result: "ok",
    text: user ? `Postgres runs as the user "${user.name}" instead of root` : "Postgres runs as this user",
  };
  if (!user || data === undefined) return [found];
  // The platform opens the data folder itself, but not those above it.
  const above = nearestExisting(dirname(resolve(data)));
  if (canEnter(user, above)) return [found];
  return [
    found,
    {
      result: "problem",
      text: `The user "${user.name}" cannot enter ${above}`,
      fix: "Use a data folder whose parent folders every user can enter, such as one below /var/lib.",
    },
  ];
}

async function checkInstallations(folder: string | undefined): Promise<Finding[]> {
  let installations: readonly Installation[];
  try {
    installations = findInstallations(folder);
  } catch (error) {
    return [{ result: "problem", text: messageOf(error), fix: "Name the folder that holds bin/postgres." }];
  }
  if (installations.length === 0) {
    return [
      {
        result: "problem",
        text: "There is no Postgres in node_modules, in the usual folders of this system, or on the PATH",
        fix: `Run \`${installCommand(newestMajor)}\`, or name the folder of one with --postgres.`,
      },
    ];
  }
  const root = mkdtempSync(join(tmpdir(), "neon-platform-doctor-"));
  try {
    const engine = new Engine(root, installations);
    return await Promise.all(installations.map((each) => checkInstallation(engine, each)));
  } catch (error) {
    return [{ result: "problem", text: messageOf(error), fix: "Set TMPDIR to a folder that every user can enter." }];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function checkInstallation(engine: Engine, { major, version, folder }: Installation): Promise<Finding> {
  try {
    await engine.check(major);
    return { result: "ok", text: `Postgres ${version} runs: ${folder}` };
  } catch (error) {
    return {
      result: "problem",
      text: messageOf(error),
      fix: `Run \`${installCommand(major)}\`, or remove this Postgres.`,
    };
  }
}

async function checkAddresses(): Promise<Finding[]> {
  if (await hasOwnAddresses(postgresPort)) {
    return [{ result: "ok", text: `Each compute can have a loopback address of its own, with port ${postgresPort}` }];
  }
  const consequence = `All computes share 127.0.0.1, and connection strings name the compute in \`options\`.`;
  // Port 0 is any free port.
  return (await hasOwnAddresses(0))
    ? [
        {
          result: "note",
          text: `Another program listens on port ${postgresPort} of all addresses`,
          fix: `${consequence} To avoid that, stop that program, or let it listen on 127.0.0.1 only.`,
        },
      ]
    : [{ result: "note", text: "This machine has no loopback address other than 127.0.0.1", fix: consequence }];
}

function checkPrograms(): Finding[] {
  const needed = [
    { name: "psql", command: "psql", fix: "Install PostgreSQL's client (Debian: postgresql-client, Homebrew: libpq)." },
    { name: "tar", command: "export and import", fix: "Install tar." },
  ];
  return needed.map(({ name, command, fix }): Finding => {
    const { stdout, error } = spawnSync(name, ["--version"], { encoding: "utf8" });
    if (error) return { result: "note", text: `There is no ${name}, which neon-platform ${command} needs`, fix };
    return { result: "ok", text: stdout.split("\n")[0] ?? name };
  });
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
