import { after, before } from "mocha";
import { Client } from "pg";
import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../../clock";
import { CertificateAuthority } from "../../../proxy/certificate-authority";
import type { ComputeDirectory, ProxiedCompute } from "../../../proxy/compute-directory";
import { ComputeUnavailable } from "../../../proxy/compute-directory";
import { PostgresProxy } from "../../../proxy/proxy";
import { scramVerifier } from "../../../storage/scram-verifier";
import { until } from "../../../../tests/support/until";
import { Postmaster, superuser } from "./postmaster";

export const endpointId = "ep-cool-rain-12345678";
export const role = "alice";
export const password = "pässword;1$x";
export const database = "appdb";

/** One compute with one role and one database, and a record of what the proxy has asked for. */
export class FakeDirectory implements ComputeDirectory {
  readonly postmaster = new Postmaster();
  compute: ProxiedCompute = {
    endpointId,
    branchId: "br-a",
    projectId: "project-a",
    allowedIps: [],
    blocksPublicConnections: false,
    disabled: false,
  };
  wakes = 0;
  activity = 0;
  /** Whether verifiers cannot be read. */
  unreadable = false;
  /** The text of the next wake's failure. */
  unavailable: string | undefined;
  readonly #verifiers = new Map([[role, scramVerifier(password)]]);
  #starting: Promise<void> | undefined;

  static async create(): Promise<FakeDirectory> {
    const directory = new FakeDirectory();
    await directory.postmaster.start();
    await directory.admin(
      `CREATE ROLE ${role} LOGIN PASSWORD '${directory.#verifiers.get(role) ?? ""}'`,
      `CREATE DATABASE ${database} OWNER ${role}`,
    );
    return directory;
  }

  /** Runs statements as the superuser, past the proxy. */
  async admin(...statements: readonly string[]): Promise<void> {
    const client = new Client({ host: this.postmaster.socketFolder, user: superuser, database: "postgres" });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  find(id: string): ProxiedCompute | undefined {
    return id === this.compute.endpointId ? this.compute : undefined;
  }

  verifier(_compute: ProxiedCompute, name: string): Promise<string | undefined> {
    if (this.unreadable) return Promise.reject(new Error("no rows"));
    return Promise.resolve(this.#verifiers.get(name));
  }

  async wake(): Promise<{ readonly socketFolder: string }> {
    this.wakes += 1;
    if (this.unavailable !== undefined) throw new ComputeUnavailable(this.unavailable);
    this.#starting ??= this.postmaster.start().finally(() => (this.#starting = undefined));
    await this.#starting;
    return { socketFolder: this.postmaster.socketFolder };
  }

  recordActivity(): void {
    this.activity += 1;
  }

  onEndpointsChange(): void {
    // The one endpoint stays.
  }
}

/** A proxy in front of one compute. */
export interface ProxySuite {
  readonly directory: FakeDirectory;
  readonly proxy: PostgresProxy;
  readonly authority: CertificateAuthority;
  /** The endpoint's own address. */
  readonly own: { readonly host: string; readonly port: number };
  /** An address that belongs to no endpoint. */
  readonly shared: { readonly host: string; readonly port: number };
  /** A connection string for an address. */
  readonly uri: (address: { readonly host: string; readonly port: number }, query?: string) => string;
}

/** The server of all suites that are loaded, which the last one removes. */
let directoryOfSuites: FakeDirectory | undefined;
let suites = 0;

/** For a suite: a proxy with two addresses. At the end, every connection must be closed. */
export function proxySuite(clock: Clock = systemClock): () => ProxySuite {
  let suite: ProxySuite | undefined;
  suites += 1;
  before(async () => {
    directoryOfSuites ??= await FakeDirectory.create();
    const directory = directoryOfSuites;
    await directory.postmaster.start();
    const authority = CertificateAuthority.open();
    const proxy = new PostgresProxy({ directory, authority, clock });
    const [own, shared] = await proxy.listen([
      { address: "127.0.0.1", port: 0, endpointId },
      { address: "127.0.0.1", port: 0 },
    ]);
    assert.ok(own && shared);
    suite = {
      directory,
      proxy,
      authority,
      own: { host: own.address, port: own.port },
      shared: { host: shared.address, port: shared.port },
      uri: ({ host, port }, query = "") =>
        `postgresql://${role}:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`,
    };
  });
  after(async () => {
    try {
      if (!suite) return;
      const { proxy } = suite;
      await until(() => proxy.connections === 0);
      assert.equal(proxy.sessions, 0);
      await proxy.close();
    } finally {
      suites -= 1;
      if (suites === 0) {
        await directoryOfSuites?.postmaster.remove();
        // A worker of Mocha runs several files, one after the other.
        directoryOfSuites = undefined;
      }
    }
  });
  return () => {
    assert.ok(suite);
    return suite;
  };
}
