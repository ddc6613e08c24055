import { createAdaptorServer } from "@hono/node-server";
import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import type { Server } from "node:http";

import { createApp } from "./app";
import { type Clock, systemClock } from "./clock";
import { DataPlane, workTables } from "./data-plane/data-plane";
import { Directory, directoryTables } from "./data-plane/directory";
import { Front } from "./data-plane/front";
import { defaultHistoryLimits, type HistoryLimits } from "./data-plane/history-limits";
import { openDatabaseHost } from "./data-plane/open";
import { FunctionHost, hostTables } from "./functions/function-host";
import { deliveryTables, TriggerDeliveries } from "./functions/trigger-deliveries";
import { basePath } from "./http/api";
import { Listener, requestTimeouts } from "./http/listener";
import { RateLimit } from "./http/rate-limit";
import { type LoggedRequest, RequestLog, requestTopic } from "./http/request-log";
import { RunJournal } from "./http/run-journal";
import { createKey, signInKeyName } from "./model/accounts/api-key";
import { KeyUsage } from "./model/accounts/key-usage";
import { getOrCreateFirstOrganization } from "./model/accounts/organization";
import { getOrCreateUser } from "./model/accounts/user";
import type { Plan } from "./model/accounts/limits";
import { BranchLogs, logTopic } from "./model/branches/branch-logs";
import { scheduleFirstChecks } from "./model/computes/availability";
import type { ControlPlane } from "./model/control-plane";
import { type FaultInput, Faults, faultTopic } from "./model/operations/faults";
import { OperationTimes } from "./model/operations/operation-time";
import { type Objects, releasedContentTopic, storagePath } from "./model/objects";
import { latestTimestamp, openTables, type Tables } from "./model/tables";
import { ContentFiles } from "./objects/files";
import { CertificateAuthority } from "./proxy/certificate-authority";
import { addFault, clearFaults } from "./routes/local-faults";
import { createJobs } from "./scheduler/jobs";
import { Scheduler } from "./scheduler/scheduler";
import { Closers } from "./storage/closers";
import { DataFolder } from "./storage/data-folder";
import { removeRunningFile, writeRunningFile } from "./storage/running-file";
import { seededRandom } from "./storage/seeded-random";
import { startError } from "./storage/storage-error";
import { Store } from "./storage/store";
import { Timestamps } from "./storage/timestamps";

export type { Clock } from "./clock";
export type { HistoryLimits } from "./data-plane/history-limits";
export type { LoggedRequest } from "./http/request-log";
export type { Plan } from "./model/accounts/limits";
export type { OperationAction } from "./model/operations/actions";
export type {
  DeploymentFaultEnd,
  DeploymentFaultInput,
  FaultEnd,
  FaultInput,
  OperationFaultInput,
  RequestFaultInput,
} from "./model/operations/faults";
export { configureServerlessDriver, type ProxyAddressOption, type ServerlessDriverConfig } from "./serverless-driver";

/** Options of {@link startPlatform}. */
export interface PlatformOptions {
  /** Port to listen on; default 0, any free port. */
  readonly port?: number;
  /** Loopback address to listen on; default `127.0.0.1`. */
  readonly host?: string;
  /** Folder to store all data in; default: in memory, lost when the platform is closed. */
  readonly data?: string;
  /**
   * How long operations take: a duration (`200ms`), a range (`200ms-5s`, drawn log-uniformly for each operation), or a list with
   * times for single actions (`500ms,start_compute=2s`). Default `1s`.
   */
  readonly operationTime?: string;
  /** Seed of the random operation times: the same seed gives the same times. Default: a random seed. */
  readonly seed?: string;
  /** Milliseconds by which every response of the API is delayed; default 0. */
  readonly latencyMs?: number;
  /** Milliseconds within which a request must arrive completely; default 60,000. */
  readonly requestTimeoutMs?: number;
  /** Whether to enforce the real platform's rate limits; default false. */
  readonly rateLimit?: boolean;
  /** The plan, with its limits, of users and of organizations that are created without one. Default `scale`, the largest one. */
  readonly plan?: Plan;
  /** Whether to enforce the real platform's limit of 20 active computes per project; default false. */
  readonly computeLimit?: boolean;
  /**
   * Whether projects belong to organizations only, as in new accounts. A request with a personal key that names no organization
   * then uses the user's only one, or fails if there are several. The first organization then allows HIPAA projects. Default
   * false: a project without an organization belongs to the user.
   */
  readonly organizationAccounts?: boolean;
  /** Whether to reject a JWKS URL that serves no key set, which needs access to that URL; default false. */
  readonly verifyJwks?: boolean;
  /**
   * The Postgres that runs the databases: `true` for an installed one, or its folder. Without Postgres, computes are rows only,
   * and nothing listens at their hosts. Default `false`.
   */
  readonly postgres?: boolean | string;
  /**
   * The port of 127.0.0.1 that all new computes share; 0 means any free port. Default: each has a
   * loopback address of its own, at port 5432.
   */
  readonly databasePort?: number;
  /** The limits at which history that is older than its project keeps is removed. */
  readonly historyLimits?: Partial<HistoryLimits>;
  /** Whether to run availability checks and to suspend inactive computes; default false. */
  readonly background?: boolean;
  /** Source of time; default: the system clock. */
  readonly clock?: Clock;
}

/** A running local platform. */
export interface Platform {
  /** Base URL of the API; it ends in `/api/v2`. */
  readonly apiUrl: string;
  /** URL of the console page, and base URL of the `/local/…` routes. */
  readonly consoleUrl: string;
  /** A personal API key that was created by this start. */
  readonly apiKey: string;
  /** The versions of Postgres that run its databases, or `null` if there is none. */
  readonly postgres: readonly string[] | null;
  /** The file of the certificate authority with which clients can verify TLS, or `null` if there is no Postgres. */
  readonly caFile: string | null;
  /**
   * Adds a fault: the next matching request or operation fails in this way.
   *
   * @throws Error that names the invalid member, with the known actions if the action is not one of them
   */
  addFault(fault: FaultInput): void;
  /** Deletes all pending faults, and resumes the operations that they hold. */
  clearFaults(): void;
  /**
   * The requests that the API has received since the start or the last `clearRequests`, oldest first, without secrets.
   *
   * @param after leaves out the requests up to this `number`. Default: 0, all
   */
  requests(after?: number): readonly LoggedRequest[];
  clearRequests(): void;
  /** Stops the platform after every received request is answered. The data folder keeps its data. */
  close(): Promise<void>;
}

const loopbackHosts: readonly string[] = ["127.0.0.1", "localhost", "::1"];

/**
 * Starts a local platform: an HTTP server with Neon's API.
 *
 * @example
 * ```ts
 * import { startPlatform } from "neon-platform";
 *
 * const platform = await startPlatform({ operationTime: "200ms" });
 * const response = await fetch(`${platform.apiUrl}/projects`, {
 *   headers: { authorization: `Bearer ${platform.apiKey}` },
 * });
 * console.log(await response.json());
 * await platform.close();
 * ```
 *
 * @throws RangeError if an option is invalid. Error if the port or the data folder is in use, or if Postgres cannot run.
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { port = 0, host = "127.0.0.1", clock = systemClock, latencyMs = 0, requestTimeoutMs = 60_000 } = options;
  if (!loopbackHosts.includes(host)) {
    throw new RangeError(`host "${host}" is not a loopback address; use one of ${loopbackHosts.join(", ")}`);
  }
  if (!(requestTimeoutMs >= 1))
    throw new RangeError(`requestTimeoutMs must be at least 1, but it is ${requestTimeoutMs}`);
  const random = seededRandom(options.seed ?? randomUUID());
  const operationTimes = new OperationTimes(options.operationTime ?? "1s", random);

  const folder = new DataFolder(options.data, clock);
  const closers = new Closers(folder);
  try {
    const store = new Store(options.data, folder, clock);
    closers.add(() => store.close());
    const dataFolder = options.data === undefined ? undefined : realpathSync(options.data);
    const databaseHost = await openDatabaseHost(options.postgres ?? false, options.data);
    if (!databaseHost && options.databasePort !== undefined) {
      throw new RangeError("databasePort (--database-port) needs a Postgres, but none is used");
    }
    if (databaseHost) {
      folder.watchFolder(databaseHost.engine.root);
      closers.add(databaseHost.discard);
    }
    const tables = openTables(store);
    const objects = await openObjects(store, tables, dataFolder);
    closers.add(() => objects.files.close());
    const controlPlane: ControlPlane = {
      clock,
      tables,
      timestamps: new Timestamps(clock, latestTimestamp(tables)),
      operationTimes,
      faults: new Faults(() => store.feed.publish([{ topic: faultTopic }])),
      keyUsage: new KeyUsage(),
      logs: new BranchLogs(() => store.feed.publish([{ topic: logTopic }])),
      databases: databaseHost?.databases,
      objects,
      secretFor: (purpose) => store.secretFor(purpose),
      background: options.background ?? false,
      plan: options.plan ?? "scale",
      computeLimit: options.computeLimit ?? false,
      organizationAccounts: options.organizationAccounts ?? false,
      verifyJwks: options.verifyJwks ?? false,
    };
    closers.add(() => store.transaction(() => controlPlane.keyUsage.flush(tables.apiKeys)));
    if (controlPlane.background) store.transaction(() => scheduleFirstChecks(controlPlane));
    const commit = (change: () => void): void => store.transaction(change);
    const dataPlane =
      databaseHost &&
      new DataPlane({
        controlPlane,
        engine: databaseHost.engine,
        computes: databaseHost.computes,
        use: databaseHost.use,
        folder,
        historyLimits: { ...defaultHistoryLimits, ...options.historyLimits },
        commit,
      });
    const directory =
      databaseHost && dataPlane
        ? new Directory({ controlPlane, dataPlane, folder, commit, activity: databaseHost.activity })
        : undefined;
    const jobs = createJobs(controlPlane);
    const scheduler = new Scheduler(controlPlane, store, jobs);
    closers.add(async () => await dataPlane?.close());
    closers.add(() => scheduler.stop());
    await dataPlane?.open();
    // The subscribers of commits. docs/internals/architecture.md walks through the effects of a commit.
    const jobTables = jobs.map(({ table }) => table);
    store.feed.subscribe(jobTables, () => scheduler.reschedule());
    const onChange = (names: readonly (keyof Tables)[], listener: () => void): void => {
      store.feed.subscribe(
        names.map((name) => tables[name].definition),
        listener,
      );
    };
    if (dataPlane) onChange(workTables, () => dataPlane.run());
    if (directory) onChange(directoryTables, () => directory.noticeChange());
    closers.add(() => store.feed.close());
    const authority = databaseHost && CertificateAuthority.open(databaseHost.folder);
    if (databaseHost && directory && authority) {
      const opened = await Front.open(directory, authority, {
        hasOwnAddresses: databaseHost.hasOwnAddresses,
        sharedPort: options.databasePort,
      });
      databaseHost.databases.addressing = opened.addressing;
      closers.add(() => opened.front.close());
    }
    const functionHost = new FunctionHost({ controlPlane, commit, caFile: authority?.certificateFile });
    closers.add(() => functionHost.close());
    onChange(hostTables, () => functionHost.run());
    const deliveries = new TriggerDeliveries({ controlPlane, commit, secret: functionHost.secret });
    closers.add(() => deliveries.close());
    onChange(deliveryTables, () => deliveries.run());
    const closing = new AbortController();
    const journal = new RunJournal(dataFolder, clock, basePath);
    closers.add(() => journal.flush());
    const log = new RequestLog((entry) => {
      journal.record(entry);
      store.feed.publish([{ topic: requestTopic, row: { entry } }]);
    });
    const app = createApp({
      controlPlane,
      store,
      scheduler,
      dataFolder,
      dataPlane,
      functions: functionHost,
      log,
      journal,
      rateLimit: options.rateLimit === true ? new RateLimit(clock) : undefined,
      latencyMs,
      closing: closing.signal,
      versions: databaseHost?.versions,
    });
    const serverOptions = requestTimeouts(requestTimeoutMs);
    const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server;
    // An upload may be large, so it may take any time to arrive.
    const listener = new Listener(server, { withoutTimeout: `${storagePath}/` });
    const consoleUrl = await listener.open(port, host);
    objects.baseUrl = consoleUrl;
    if (dataFolder !== undefined) closers.add(() => removeRunningFile(dataFolder));
    closers.add(() => listener.close());
    const { key } = store.transaction(() => {
      getOrCreateFirstOrganization(controlPlane);
      return createKey(controlPlane, { user_id: getOrCreateUser(controlPlane).id }, signInKeyName);
    });
    // Continue the work that an earlier process has left undone.
    scheduler.reschedule();
    dataPlane?.run();
    functionHost.run();
    deliveries.run();
    if (dataFolder !== undefined) writeRunningFile(dataFolder, consoleUrl);
    folder.serve();
    let closed: Promise<void> | undefined;
    const close = async (): Promise<void> => {
      closing.abort();
      scheduler.stop();
      await closers.close();
    };
    return {
      apiUrl: `${consoleUrl}${basePath}`,
      consoleUrl,
      apiKey: key,
      postgres: databaseHost?.versions ?? null,
      caFile: authority?.certificateFile ?? null,
      addFault: (fault) => {
        store.transaction(() => {
          addFault(controlPlane, fault);
        });
      },
      clearFaults: () => {
        store.transaction(() => {
          clearFaults(controlPlane);
        });
      },
      requests: (after) => log.list(after).map((entry) => ({ ...entry })),
      clearRequests: () => {
        log.clear();
      },
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await closers.close();
    throw options.data === undefined ? error : startError(error, options.data);
  }
}

/** Opens the storage of objects, and removes files that a killed process has left there. */
async function openObjects(store: Store, tables: Tables, dataFolder: string | undefined): Promise<Objects> {
  const files = new ContentFiles(dataFolder);
  const parts = new Set(tables.multipartUploads.list({}).flatMap((upload) => upload.parts.map((part) => part.content)));
  await files.removeUnwanted((id) => parts.has(id) || tables.bucketObjects.get({ content: id }) !== undefined);
  store.feed.subscribe([releasedContentTopic], (changes) => {
    for (const { row } of changes) {
      files.remove((row as { readonly id: string }).id).catch((error: unknown) => {
        console.error("the file of an object was not removed:", error);
      });
    }
  });
  return {
    files,
    presignKey: { id: "nak_platform", secret: store.secretFor("presigned URLs") },
    release: (id) => store.changed({ topic: releasedContentTopic, row: { id } }),
    baseUrl: "",
  };
}
