import type { Operation } from "@neondatabase/api-client";
import { after, before } from "mocha";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client, type ClientConfig } from "pg";

import { type Answer, type AnswerBody, startTestPlatform, type TestPlatform } from "../../support/platform";
import { makeFastFolder, socketFolderOf, testPostgres } from "../../support/postgres-files";
import type { PlatformOptions } from "../../../platform/index";
import { query } from "../support/sql";

/** How a statement is sent to a branch. */
interface SessionOptions {
  readonly user?: string;
  readonly database?: string;
}

/** A project whose databases are real. */
export type RealProject = ReturnType<typeof realProject>;

/** For a suite: a platform with Postgres, whose operations take as long as their work. */
export function suiteDatabases(options: PlatformOptions = {}) {
  let folder = "";
  let running: TestPlatform;
  const start = async (changed: PlatformOptions = {}): Promise<void> => {
    running = await startTestPlatform({
      operationTime: "0",
      postgres: testPostgres(),
      data: join(folder, "data"),
      ...options,
      ...changed,
    });
    assert.notEqual(running.platform.postgres, null, "npm installs a Postgres: run `npm install`");
  };
  before(async () => {
    folder = makeFastFolder("neon-platform-test-");
    await start();
  });
  after(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    platform: () => running,
    /** The folder of the platform's data. */
    folder: () => join(folder, "data"),
    dataFolder: (branchId: string) => join(folder, "data", "postgres", "branches", branchId, "data"),
    /** Ends the platform, and starts another one on the same data. */
    restart: async (changed?: PlatformOptions) => {
      await running.close();
      await start(changed);
    },
    project: async (input = {}) =>
      realProject(() => running, await running.project(input), join(folder, "data", "postgres")),
  };
}

function realProject(platform: () => TestPlatform, created: AnswerBody, folder: string) {
  const { id } = created.project;
  const main = created.branch.id;
  const call = (method: string, path = "", body?: unknown): Promise<Answer> =>
    platform().call(method, `/projects/${id}${path}`, body);
  const done = async (method: string, path?: string, body?: unknown): Promise<AnswerBody> => {
    const response = await call(method, path, body);
    assert.ok(response.status < 300, `${method} ${path ?? ""}: ${JSON.stringify(response.body)}`);
    const started = (response.body.operations as Operation[] | undefined)?.map((operation) => operation.id) ?? [];
    for (const { id: operationId, action, status, error } of await platform().settled(id)) {
      if (started.includes(operationId)) assert.equal(status, "finished", `${action}: ${error ?? ""}`);
    }
    return response.body;
  };
  const addressOf = (
    kind: "branches" | "replicas",
    of: string,
    { user = "cloud_admin", database = "neondb" }: SessionOptions = {},
  ): ClientConfig => ({ host: socketFolderOf(join(folder, kind, of, "data")), user, database });
  const sql = (branchId: string, text: string, options?: SessionOptions) =>
    query(addressOf("branches", branchId, options), text);
  const endpointOf = async (branchId = main) => {
    const { endpoints } = (await call("GET", `/branches/${branchId}/endpoints`)).body;
    return (
      endpoints.find(({ type }: { readonly type: string }) => type === "read_write") ??
      assert.fail("the branch has no compute")
    );
  };
  return {
    id,
    created,
    main,
    endpointId: created.endpoints[0]?.id ?? "",
    /** The connection URI of the default branch. */
    uri: created.connection_uris[0]?.connection_uri ?? "",
    /** Sends a request below `/projects/{id}`. */
    call,
    /** Sends a request that must succeed, waits for its operations, and returns the body. */
    done,
    /** Sends a request whose first operation must fail, and returns why it did. */
    failure: async (method: string, path: string, body?: unknown) => {
      const [started] = (await call(method, path, body)).body.operations;
      const operation = (await platform().settled(id)).find((each) => each.id === started?.id);
      assert.equal(operation?.status, "error");
      return operation.error ?? "";
    },
    /** Creates a branch with a compute. */
    branch: async (input = {}) => {
      const body = { branch: input, endpoints: [{ type: "read_write" }] };
      return (await done("POST", "/branches", body)).branch.id;
    },
    /** Creates a compute on a branch, starts it, and returns its id. */
    compute: async (branchId: string, type: "read_write" | "read_only" = "read_write") => {
      const { id: endpointId } = (await done("POST", "/endpoints", { endpoint: { branch_id: branchId, type } }))
        .endpoint;
      await done("POST", `/endpoints/${endpointId}/start`);
      return endpointId;
    },
    getBranch: async (branchId: string) => (await call("GET", `/branches/${branchId}`)).body.branch,
    /** The read-write compute of a branch, by default of the default one. */
    endpointOf,
    /** Starts, suspends or restarts that compute. */
    act: async (action: "start" | "suspend" | "restart", branchId?: string) =>
      done("POST", `/endpoints/${(await endpointOf(branchId)).id}/${action}`),
    /** Runs statements on a branch whose compute is active; by default as the superuser. */
    sql,
    /** A session that stays open. The caller ends it. */
    session: async (branchId: string, options?: SessionOptions) => {
      const client = new Client(addressOf("branches", branchId, options));
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    /** The values in the table `item`, in their order. */
    values: async (branchId: string) =>
      (await sql(branchId, "SELECT value FROM item ORDER BY value")).map(({ value }) => value),
    /** The present moment of a branch, by its log and by its clock. */
    moment: async (branchId: string) => {
      const text = "SELECT pg_current_wal_insert_lsn() AS lsn, to_json(clock_timestamp()) AS time";
      return (await sql(branchId, text))[0] as { lsn: string; time: string };
    },
    /** The address of a read replica. */
    replica: (endpointId: string) => addressOf("replicas", endpointId),
  };
}
