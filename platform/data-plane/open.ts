import { rmSync } from "node:fs";
import { join } from "node:path";

import { type Databases, postgresPort } from "../model/databases";
import { Engine } from "../postgres/engine";
import { findInstallations, installCommand, type Installation } from "../postgres/installation";
import { isAlive } from "../postgres/is-alive";
import { hasOwnAddresses } from "../postgres/loopback";
import { BranchUse } from "./branch-use";
import { problemOf } from "../storage/storage-error";
import { temporaryFolder } from "../storage/temporary-folder";
import { Computes } from "./computes";
import { DatabaseSchemas } from "./schema/reader";

/** A Postgres for the databases of a platform. */
export interface DatabaseHost {
  readonly engine: Engine;
  readonly computes: Computes;
  readonly use: BranchUse;
  /** Writable, because the addressing is known only once the addresses of computes are open. */
  readonly databases: { -readonly [Name in keyof Databases]: Databases[Name] };
  readonly hasOwnAddresses: boolean;
  /** The folder of the data and of the certificate authority. */
  readonly folder: string;
  readonly activity: Map<string, number>;
  readonly versions: readonly string[];
  /** Removes the data if it is temporary. */
  readonly discard: () => void;
}

/**
 * Finds a Postgres for the databases of a platform.
 *
 * @param option whether to use one, or the folder of one
 * @param data the folder of the platform's data; without one, the databases are removed with the platform
 * @returns undefined if there is no Postgres
 * @throws RangeError if the named folder holds no Postgres
 */
export async function openDatabaseHost(
  option: boolean | string,
  data: string | undefined,
): Promise<DatabaseHost | undefined> {
  if (option === false) return undefined;
  const installations = findInstallations(option === true ? undefined : option);
  if (installations.length === 0) return undefined;
  const folder = data ?? temporaryFolder("neon-platform-data-", isAlive);
  const engine = engineIn(join(folder, "postgres"), installations, option);
  if (!engine) return undefined;
  const activity = new Map<string, number>();
  const computes = new Computes({ engine });
  const use = new BranchUse();
  return {
    engine,
    computes,
    use,
    databases: {
      majors: installations.map(({ major }) => major),
      installCommand,
      addressing: { isOwn: true, sharedPort: postgresPort },
      activity,
      schemas: new DatabaseSchemas(engine, use, (dataFolder) => computes.runningOn(dataFolder)),
    },
    hasOwnAddresses: await hasOwnAddresses(postgresPort),
    folder,
    activity,
    versions: installations.map(({ version }: Installation) => version),
    discard: () => {
      if (data === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The engine. A Postgres that nobody asked for is not used if it cannot run here. */
function engineIn(root: string, installations: readonly Installation[], option: boolean | string): Engine | undefined {
  try {
    return new Engine(root, installations);
  } catch (error) {
    const isOfFolder =
      problemOf(error) !== undefined && (error as NodeJS.ErrnoException).path?.startsWith(root) === true;
    if (typeof option === "string" || isOfFolder) throw error;
    console.error(`neon-platform runs no Postgres: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
