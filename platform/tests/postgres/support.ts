import type { Operation } from "@neondatabase/api-client";
import { after, before } from "mocha";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";

import { type Answer, type AnswerBody, startTestPlatform, type TestPlatform } from "../../../tests/support/platform";
import { makeFastFolder, socketFolderOf, testPostgres } from "../../../tests/support/postgres-files";
import type { PlatformOptions } from "../../index";

/** How a statement is sent to a branch. */
interface SessionOptions {
  readonly user?: string;
  readonly database?: string;
}

type Rows = Record<string, unknown>[];

/** A project whose databases are real. */
export interface RealProject {
  readonly id: string;
  readonly created: AnswerBody;
  readonly main: string;
  readonly endpointId: string;
  /** Sends a request below `/projects/{id}`. */
  readonly call: (method: string, path?: string, body?: unknown) => Promise<Answer>;
  /** Sends a request that must succeed, waits for its operations, and returns the body. */
  readonly done: (method: string, path?: string, body?: unknown) => Promise<AnswerBody>;
  /** Creates a branch with a compute. */
  readonly branch: (input?: object) => Promise<string>;
  /** Runs statements on a branch whose compute is active; by default as the superuser. */
  readonly sql: (branchId: string, text: string, options?: SessionOptions) => Promise<Rows>;
  /** A session that stays open. The caller ends it. */
  readonly session: (branchId: string, options?: SessionOptions) => Promise<Client>;
}

export interface RealSuite {
  readonly platform: () => TestPlatform;
  /** The folder of the platform's data. */
  readonly folder: () => string;
  readonly dataFolder: (branchId: string) => string;
  readonly project: (input?: object) => Promise<RealProject>;
  /** Ends the platform, and starts another one on the same data. */
  readonly restart: (changed?: PlatformOptions) => Promise<void>;
}

/** For a suite: a platform with Postgres, whose operations take as long as their work. */
export function suiteDatabases(options: PlatformOptions = {}): RealSuite {
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
  const dataFolder = (branchId: string): string => join(folder, "data", "postgres", "branches", branchId, "data");
  return {
    platform: () => running,
    folder: () => join(folder, "data"),
    dataFolder,
    restart: async (changed) => {
      await running.close();
      await start(changed);
    },
    project: async (input = {}) => {
      const created = await running.project(input);
      return realProject(() => running, created, dataFolder);
    },
  };
}

function realProject(
  platform: () => TestPlatform,
  created: AnswerBody,
  dataFolder: (branchId: string) => string,
): RealProject {
  const { id } = created.project;
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
  const session = async (branchId: string, options: SessionOptions = {}): Promise<Client> => {
    const { user = "cloud_admin", database = "neondb" } = options;
    const client = new Client({ host: socketFolderOf(dataFolder(branchId)), user, database });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  };
  return {
    id,
    created,
    main: created.branch.id,
    endpointId: created.endpoints[0]?.id ?? "",
    call,
    done,
    branch: async (input = {}) => {
      const body = { branch: input, endpoints: [{ type: "read_write" }] };
      return (await done("POST", "/branches", body)).branch.id;
    },
    sql: async (branchId, text, options) => {
      const client = await session(branchId, options);
      try {
        const result = await client.query(text);
        return ([result].flat().at(-1)?.rows ?? []) as Rows;
      } finally {
        await client.end();
      }
    },
    session,
  };
}
