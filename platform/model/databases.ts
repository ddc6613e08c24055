import type { SchemaTable } from "../../api/schemas/branch";
import type { Moment } from "./branches/data-origin";

/** The part of the data plane that the control plane knows. */
export interface Databases {
  /** The major versions that can run, oldest first. */
  readonly majors: readonly number[];
  /** The command that installs a major version. */
  readonly installCommand: (major: number) => string;
  /** How clients find a compute. */
  readonly addressing: Addressing;
  /** When clients of a compute last sent data, in milliseconds since 1970, by the id of the compute. */
  readonly activity: ReadonlyMap<string, number>;
  /** Reads schemas. Reading changes nothing, and starts no compute. */
  readonly schemas: SchemaReader;
}

/** A database of a branch, at the end or at an earlier moment of its history. */
export interface SchemaSource {
  readonly branchId: string;
  readonly major: number;
  readonly database: string;
  /** The `oid` of the database, once Postgres has it. A rename does not change it. */
  readonly oid: number | undefined;
  readonly moment: Moment | undefined;
}

/** @throws HttpError 404 if the database did not exist at the moment, 423 if the branch cannot be read now. */
export interface SchemaReader {
  /** SQL that creates the schema in an empty database. */
  sql(source: SchemaSource): Promise<string>;
  /** The tables of the schema `public` whose rows no policy protects. */
  unprotected(source: SchemaSource): Promise<readonly string[]>;
  /** The tables of the database. */
  json(source: SchemaSource): Promise<{ readonly tables: readonly SchemaTable[] }>;
}

/** How clients find a compute. */
export interface Addressing {
  /** Whether each new compute gets its own loopback address. Otherwise computes share one, and the connection names the compute. */
  readonly isOwn: boolean;
  /** The port at the shared address. */
  readonly sharedPort: number;
}

/** The port of Postgres, which clients use if a URI has none. */
export const postgresPort = 5432;
export const sharedHost = "127.0.0.1";

/** Whether a host is an address on this machine, not a name. */
export const isAddress = (host: string): boolean => /^127(\.\d{1,3}){3}$/.test(host);
