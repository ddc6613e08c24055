import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFastFolder, testPostgres } from "../../../support/postgres-files";
import { suite } from "../../../support/suite";
import { until } from "../../../support/until";
import { type Clock, systemClock } from "../../../../platform/clock";
import { Engine } from "../../../../platform/postgres/engine";
import { findInstallations } from "../../../../platform/postgres/installation";
import { adminRole, type Postmaster } from "../../../../platform/postgres/postmaster";
import { CertificateAuthority } from "../../../../platform/proxy/certificate-authority";
import type { ComputeDirectory, ProxiedCompute } from "../../../../platform/proxy/compute-directory";
import { ComputeUnavailable } from "../../../../platform/proxy/compute-directory";
import { PostgresProxy } from "../../../../platform/proxy/proxy";
import { scramVerifier } from "../../../../platform/storage/scram-verifier";
import { query } from "../../support/sql";

export const endpointId = "ep-cool-rain-12345678";
export const role = "alice";
export const password = "pässword;1$x";
export const database = "appdb";

/** One compute with one role and one database, and a record of what the proxy has asked for. */
export class FakeDirectory implements ComputeDirectory {
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
  readonly #folder = makeFastFolder("neon-proxy-");
  readonly #installations = findInstallations(testPostgres());
  readonly #engine = new Engine(join(this.#folder, "engine"), this.#installations);
  readonly #data = join(this.#engine.root, "data");
  #postmaster: Promise<Postmaster> | undefined;

  static async create(): Promise<FakeDirectory> {
    const directory = new FakeDirectory();
    await directory.admin(`CREATE ROLE ${role} LOGIN PASSWORD '${directory.#verifiers.get(role) ?? ""}'`);
    await directory.admin(`CREATE DATABASE ${database} OWNER ${role}`);
    return directory;
  }

  /** Runs statements as the superuser, past the proxy; returns the rows of the last one. */
  async admin(text: string): Promise<Record<string, unknown>[]> {
    return await query({ host: (await this.start()).socketFolder, user: adminRole, database: "postgres" }, text);
  }

  /** Starts Postgres, unless it runs. */
  async start(): Promise<Postmaster> {
    return await (this.#postmaster ??= this.#started());
  }

  /** Stops Postgres; its sessions end with 57P01. */
  async stop(): Promise<void> {
    const postmaster = await this.#postmaster;
    this.#postmaster = undefined;
    await postmaster?.stop();
  }

  /** Ends Postgres as a crash does. */
  async kill(): Promise<void> {
    const postmaster = await this.#postmaster;
    this.#postmaster = undefined;
    await postmaster?.kill();
  }

  /** Ends Postgres and removes its files. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
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
    return await this.start();
  }

  recordActivity(): void {
    this.activity += 1;
  }

  onEndpointsChange(): void {
    // The one endpoint stays.
  }

  async #started(): Promise<Postmaster> {
    if (!existsSync(this.#data)) await this.#engine.create(this.#installations[0]?.major ?? 0, this.#data);
    return await this.#engine.start(this.#data, {});
  }
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The server of all suites that are loaded, which the last one removes. */
let directoryOfSuites: FakeDirectory | undefined;
let suites = 0;

/** For a suite: a proxy with two addresses. At the end, every connection must be closed. */
export function proxySuite(clock: Clock = systemClock) {
  suites += 1;
  const start = async () => {
    directoryOfSuites ??= await FakeDirectory.create();
    const directory = directoryOfSuites;
    await directory.start();
    const authority = CertificateAuthority.open();
    const proxy = new PostgresProxy({ directory, authority, clock });
    const [own, shared] = await proxy.listen([
      { address: "127.0.0.1", port: 0, endpointId },
      { address: "127.0.0.1", port: 0 },
    ]);
    assert.ok(own && shared);
    return {
      directory,
      proxy,
      authority,
      /** The endpoint's own address. */
      own: { host: own.address, port: own.port },
      /** An address that belongs to no endpoint. */
      shared: { host: shared.address, port: shared.port },
      /** A connection string for an address. */
      uri: ({ host, port }: Address, parameters = "") =>
        `postgresql://${role}:${encodeURIComponent(password)}@${host}:${port}/${database}${parameters}`,
    };
  };
  return suite(start, async ({ proxy }) => {
    try {
      await until(() => proxy.connections === 0);
      assert.equal(proxy.sessions, 0);
      await proxy.close();
    } finally {
      suites -= 1;
      if (suites === 0) {
        await directoryOfSuites?.remove();
        // A worker of Mocha runs several files, one after the other.
        directoryOfSuites = undefined;
      }
    }
  });
}
