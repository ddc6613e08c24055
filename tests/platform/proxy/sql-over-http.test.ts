import { afterEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { Agent, request as requestOverTls } from "node:https";
import { ManualPlatformClock } from "../../support/platform-clock";
import { until } from "../../support/until";
import { adminRole } from "../../../platform/postgres/postmaster";
import { type Address, database, endpointId, proxySuite, role } from "./support/proxied-compute";
import { RawClient } from "./support/raw-client";
import { assertMembers } from "../support/responses";

interface SqlBody {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
  readonly rows: readonly unknown[];
  readonly command: string;
  readonly rowCount: number | null;
  readonly rowAsArray: boolean;
  readonly results: readonly SqlBody[];
  readonly message: string;
  readonly code: string | null;
}

interface SqlAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: SqlBody;
}

const maxBytes = 10 * 1024 * 1024;

const withWrongPassword = (uri: string) => uri.replace(/:[^:]*@/, ":wrong@");

/** A clock that also knows how long the timers were set for. */
class RecordingClock extends ManualPlatformClock {
  readonly delays: number[] = [];

  override after(milliseconds: number, run: () => void): () => void {
    this.delays.push(milliseconds);
    return super.after(milliseconds, run);
  }
}

describe("proxy: POST /sql", () => {
  const clock = new RecordingClock();
  const suite = proxySuite(clock);
  afterEach(() => {
    const { directory } = suite();
    directory.compute = { ...directory.compute, allowedIps: [], disabled: false };
    directory.unavailable = undefined;
  });

  const send = async (
    body: unknown,
    headers: Readonly<Record<string, string | undefined>> = {},
    { signal, to = suite().own }: { readonly signal?: AbortSignal; readonly to?: Address } = {},
  ): Promise<SqlAnswer> => {
    const { own, uri } = suite();
    const sent: Record<string, string | undefined> = {
      "neon-connection-string": uri(own),
      connection: "close",
      ...headers,
    };
    const response = await fetch(`http://${to.host}:${to.port}/sql`, {
      method: "POST",
      headers: Object.entries(sent).filter((header): header is [string, string] => header[1] !== undefined),
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as SqlBody };
  };
  /** The only row of a query, as an object. */
  const rowOf = async (query: string, params: readonly unknown[] = [], headers = {}): Promise<unknown> => {
    const { status, body } = await send({ query, params }, headers);
    assert.equal(status, 200, body.message);
    return body.rows[0];
  };

  describe("results", () => {
    it("describes the columns and the command", async () => {
      const { status, headers, body } = await send({ query: "select $1::int as a, 'x'::varchar(5) as b", params: [7] });
      assert.equal(status, 200);
      assert.equal(headers.get("content-type"), "application/json");
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.match(headers.get("neon-request-id") ?? "", /^[0-9a-f-]{36}$/);
      const field = { tableID: 0, columnID: 0, format: "text" };
      assert.deepEqual(body, {
        fields: [
          { name: "a", dataTypeID: 23, dataTypeSize: 4, dataTypeModifier: -1, ...field },
          { name: "b", dataTypeID: 1043, dataTypeSize: -1, dataTypeModifier: 9, ...field },
        ],
        rows: [{ a: 7, b: "x" }],
        command: "SELECT",
        rowCount: 1,
        rowAsArray: false,
      });
    });

    it("commands without rows have a count or none", async () => {
      for (const [query, command, rowCount] of [
        ["create table commands (a int)", "CREATE", null],
        ["insert into commands values (1), (2)", "INSERT", 2],
        ["update commands set a = 3 where a = 1", "UPDATE", 1],
        ["drop table commands", "DROP", null],
        ["", "", null],
      ] as const) {
        const { body } = await send({ query });
        assert.deepEqual([body.command, body.rowCount, body.rows, body.fields], [command, rowCount, [], []], query);
      }
    });

    it("values have JSON types where JSON has them", async () => {
      const values: readonly (readonly [string, unknown])[] = [
        ["true", true],
        ["null::int", null],
        ["12::int2", 12],
        ["1.5::float8", 1.5],
        ["1e300::float8", 1e300],
        ["'NaN'::float4", "NaN"],
        ["'-Infinity'::float8", "-Infinity"],
        ["9007199254740993", "9007199254740993"],
        ["1.50", "1.50"],
        ["'2020-02-29'::date", "2020-02-29"],
        ["'\\x00ff'::bytea", "\\x00ff"],
        [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
        ["'[1]'::json", [1]],
        ["'{1,NULL,3}'::int[]", [1, null, 3]],
        ["'[0:1][5:5]={{t},{f}}'::bool[]", [[true], [false]]],
        [`'{a,"b,\\"\\\\c",NULL,"NULL",""}'::text[]`, ["a", 'b,"\\c', null, "NULL", ""]],
        [`array['{"a":"}"}'::jsonb]`, [{ a: "}" }]],
        ["'{}'::int8[]", []],
        ["'{12345678901234567}'::int8[]", ["12345678901234567"]],
        ["'{1.5,NaN}'::float8[]", [1.5, "NaN"]],
      ];
      for (const [sql, expected] of values)
        assert.deepEqual(await rowOf(`select ${sql} as value`), { value: expected }, sql);
    });

    it("raw values are PostgreSQL's text, and rows can be arrays", async () => {
      const headers = { "neon-raw-text-output": "true", "neon-array-mode": "true" };
      const query = "select true, 1, '{1}'::int[], null";
      const { body } = await send({ query }, headers);
      assertMembers(body, { rows: [["t", "1", "{1}", null]], rowAsArray: true });
      const own = await send({ query, arrayMode: false }, headers);
      assert.equal(own.body.rowAsArray, false);
      const other = await send({ query: "select true" }, { "neon-raw-text-output": "yes", "neon-array-mode": "1" });
      assert.deepEqual(other.body.rows, [{ "?column?": true }]);
    });

    it("parameters of every JSON type reach PostgreSQL", async () => {
      const values: readonly (readonly [unknown, string, unknown])[] = [
        [null, "text", null],
        [true, "bool", true],
        [1.5, "float8", 1.5],
        ['quote " and \\', "text", 'quote " and \\'],
        [{ a: [1, '"'] }, "jsonb", { a: [1, '"'] }],
        [[1, null, 3], "int[]", [1, null, 3]],
        [["a", 'b"\\,{}\n\u0001', "NULL", ""], "text[]", ["a", 'b"\\,{}\n\u0001', "NULL", ""]],
        [
          [
            [1, 2],
            [3, 4],
          ],
          "int[]",
          [
            [1, 2],
            [3, 4],
          ],
        ],
        [[{ a: 'x"y' }], "jsonb[]", [{ a: 'x"y' }]],
      ];
      for (const [value, type, expected] of values) {
        assert.deepEqual(
          await rowOf(`select $1::${type} as value`, [value]),
          { value: expected },
          JSON.stringify(value),
        );
      }
    });
  });

  describe("batches", () => {
    it("run in one transaction, with the isolation level and the read-only mode of the headers", async () => {
      const headers = {
        "neon-batch-isolation-level": "Serializable",
        "neon-batch-read-only": "true",
        "neon-batch-deferrable": "true",
      };
      const setting = (name: string) => ({ query: `select current_setting('${name}') as value` });
      const names = ["transaction_isolation", "transaction_read_only", "transaction_deferrable"];
      const answer = await send(
        { queries: [...names.map(setting), { query: "select txid_current_if_assigned()", arrayMode: true }] },
        headers,
      );
      assert.deepEqual(
        answer.body.results.map(({ rows }) => rows),
        [[{ value: "serializable" }], [{ value: "on" }], [{ value: "on" }], [[null]]],
      );
      for (const [name, value] of Object.entries(headers)) assert.equal(answer.headers.get(name), value);
      const single = await send({ query: "select 1" }, headers);
      assert.equal(single.headers.get("neon-batch-read-only"), null);
    });

    it("are rolled back when a query fails", async () => {
      await send({ query: "create table batches (a int primary key)" });
      const insert = (a: number) => ({ query: "insert into batches values ($1)", params: [a] });
      assert.equal((await send({ queries: [insert(1), insert(2)] })).status, 200);
      const failed = await send({ queries: [insert(3), insert(1)] });
      assert.deepEqual([failed.status, failed.body.code], [400, "23505"]);
      assert.deepEqual(await rowOf("select array_agg(a order by a) as a from batches"), { a: [1, 2] });
      assert.deepEqual((await send({ queries: [] })).body, { results: [] });
    });
  });

  describe("errors", () => {
    it("an error of PostgreSQL has all its fields", async () => {
      await send({ query: "create table errors (a int constraint positive check (a > 0))" });
      const { status, body } = await send({ query: "insert into errors values (-1)" });
      assert.equal(status, 400);
      const { line, ...rest } = body as SqlBody & { readonly line: string };
      assert.match(line, /^\d+$/);
      assert.deepEqual(rest, {
        message: 'new row for relation "errors" violates check constraint "positive"',
        code: "23514",
        detail: "Failing row contains (-1).",
        hint: null,
        position: null,
        internalPosition: null,
        internalQuery: null,
        severity: "ERROR",
        where: null,
        table: "errors",
        column: null,
        schema: "public",
        dataType: null,
        constraint: "positive",
        file: "execMain.c",
        routine: "ExecConstraints",
      });
      const { body: syntax } = await send({ query: "selec 1" });
      assert.deepEqual([syntax.code, (syntax as SqlBody & { readonly position: string }).position], ["42601", "1"]);
    });

    const assertFailure = async (
      body: unknown,
      message: RegExp,
      status = 400,
      headers: Readonly<Record<string, string | undefined>> = {},
    ): Promise<void> => {
      const answer = await send(body, headers);
      assert.equal(answer.status, status);
      assert.match(answer.body.message, message);
      assert.equal(Object.keys(answer.body).length, 17);
      assert.deepEqual(await rowOf("select 1 as a"), { a: 1 });
    };

    const tooManyParameters = Array.from({ length: 65_536 }, () => 1);
    const bodies: readonly (readonly [what: string, body: unknown, message: RegExp, status?: number])[] = [
      [
        "several statements",
        { query: "select 1; select 2" },
        /^cannot insert multiple commands into a prepared statement$/,
      ],
      ["a body that is not JSON", "{", /^could not parse the HTTP request body: /],
      ["a body without a query", { params: [] }, /^could not parse the HTTP request body: data did not match/],
      ["65,536 parameters", { query: "select 1", params: tooManyParameters }, /at most 65535 parameters$/],
      ["a query with a zero byte", { query: "select '\0'" }, /zero byte/],
      [
        "a request of more than 10 MiB",
        "x".repeat(maxBytes + 1),
        /^request is too large \(max is 10485760 bytes\)$/,
        413,
      ],
      [
        "a result of more than 10 MiB",
        { query: "select repeat('x', 11000000)" },
        /^response is too large \(max is 10485760 bytes\)$/,
        507,
      ],
      // Node refuses to make a text of the value.
      ["a value of 600 MB", { query: "select repeat('x', 600000000)" }, /^response is too large/, 507],
      ["a result that is too large as JSON", { query: "select repeat('\"', 6000000)" }, /^response is too large/, 507],
    ];
    for (const [what, body, message, status] of bodies) {
      it(`${what}: ${status ?? 400}`, () => assertFailure(body, message, status));
    }

    const wrongTargets: readonly (readonly [what: string, change: (uri: string) => string | undefined, RegExp])[] = [
      ["no connection string", () => undefined, /^invalid header: neon-connection-string$/],
      ["a malformed connection string", () => "nonsense", /^invalid connection string: /],
      ["another scheme", (uri) => uri.replace("postgresql", "mysql"), /^incorrect scheme$/],
      ["no database", (uri) => uri.replace(`/${database}`, ""), /^missing database name$/],
      ["a database that is not UTF-8", (uri) => uri.replace(database, "%ff"), /^invalid database name$/],
      [
        "parameters hidden in the database",
        (uri) => uri.replace(database, `${database}%00user%00${adminRole}`),
        /^invalid database name$/,
      ],
      ["no user", (uri) => uri.replace(/\/\/.*@/, "//"), /^missing username$/],
      ["no password", (uri) => uri.replace(/:[^:]*@/, "@"), /^missing authentication credentials: required password$/],
      ["a wrong password", withWrongPassword, /^password authentication failed for user 'alice'$/],
      ["an unknown role", (uri) => uri.replace(role, "bob"), /^password authentication failed for user 'bob'$/],
      ["an unknown database", (uri) => uri.replace(database, "none"), /^database "none" does not exist$/],
      ["an unknown endpoint", (uri) => uri.replace(/@.*:/, "@ep-none.localhost:"), /endpoint cannot be found$/],
    ];
    for (const [what, change, message] of wrongTargets) {
      it(`${what}: 400`, async () => {
        const { uri, own } = suite();
        await assertFailure({ query: "select 1" }, message, 400, { "neon-connection-string": change(uri(own)) });
      });
    }

    it("an unknown isolation level: 400", () =>
      assertFailure({ query: "select 1" }, /^invalid isolation level$/, 400, { "neon-batch-isolation-level": "none" }));

    it("COPY ends with an error or without data, and not at all with a broken session", async () => {
      await send({ query: "create table if not exists copied (a int)" });
      const { status, body } = await send({ query: "copy copied from stdin" });
      assert.deepEqual([status, body.code], [400, "57014"]);
      assert.deepEqual((await send({ query: "copy (select 1) to stdout" })).body.rows, []);
      assert.deepEqual(await rowOf("select 1 as a"), { a: 1 });
    });

    it("a compute that cannot be started: 500; a disabled endpoint: 400; an address that is not allowed: 400", async () => {
      const { directory } = suite();
      await directory.stop();
      directory.unavailable = "Control plane request failed: no compute";
      const unavailable = await send({ query: "select 1" });
      assert.deepEqual(
        [unavailable.status, unavailable.body.message, unavailable.body.code],
        [500, directory.unavailable, ""],
      );
      directory.unavailable = undefined;
      directory.compute = { ...directory.compute, disabled: true };
      assert.match((await send({ query: "select 1" })).body.message, /endpoint is disabled$/);
      directory.compute = { ...directory.compute, disabled: false, allowedIps: ["::1"] };
      assert.match((await send({ query: "select 1" })).body.message, /^This IP address 127\.0\.0\.1 is not allowed/);
      directory.compute = { ...directory.compute, allowedIps: ["127.0.0.0/8"] };
      assert.deepEqual(await rowOf("select 1 as a"), { a: 1 });
    });
  });

  describe("sessions", () => {
    /** How many sessions of the role there are. */
    const sessions = async (which = "true"): Promise<number> => {
      const sql = `select count(*)::int as count from pg_stat_activity where usename = '${role}' and ${which}`;
      return Number((await suite().directory.admin(sql))[0]?.["count"]);
    };

    it("are used again, and keep nothing of the last request", async () => {
      const pid = async () => await rowOf("select pg_backend_pid() as pid");
      const first = await pid();
      assert.deepEqual(await pid(), first);
      for (const query of [
        "set search_path = elsewhere",
        "begin",
        "create temp table kept (a int)",
        "select pg_advisory_lock(1)",
        "prepare kept as select 1",
        "listen kept",
      ]) {
        assert.equal((await send({ query })).status, 200, query);
      }
      assert.deepEqual(await pid(), first);
      const left = `select current_setting('search_path') as path, (select count(*) from pg_locks where locktype = 'advisory')::int as locks,
        (select count(*) from pg_prepared_statements)::int as statements, to_regclass('pg_temp.kept') as temporary,
        (select count(*) from pg_listening_channels())::int as channels`;
      assert.deepEqual(await rowOf(left), {
        path: '"$user", public',
        locks: 0,
        statements: 0,
        temporary: null,
        channels: 0,
      });
    });

    it("are at most 20 for one role and database, and other requests wait", async () => {
      const pids = await Promise.all(
        Array.from(
          { length: 60 },
          async () => (await send({ query: "select pg_backend_pid(), pg_sleep(0.01)", arrayMode: true })).body.rows,
        ),
      );
      assert.ok(new Set(pids.map((rows) => (rows as readonly (readonly unknown[])[])[0]?.[0])).size <= 20);
      assert.ok((await sessions()) <= 20);
    });

    it("are closed after 5 minutes without a request", async () => {
      await rowOf("select 1");
      await until(() => clock.waiting > 0);
      clock.advance(300_000);
      await until(async () => (await sessions()) === 0);
    });

    it("end with the compute, which the next request wakes", async () => {
      await rowOf("select 1");
      const { directory } = suite();
      await directory.stop();
      const { wakes } = directory;
      assert.deepEqual(await rowOf("select 2 as a"), { a: 2 });
      assert.ok(directory.wakes > wakes);
    });

    it("a client that leaves cancels its query", async () => {
      const leaving = new AbortController();
      const sent = send({ query: "select pg_sleep(600)" }, {}, leaving);
      const running = () => sessions("query like 'select pg_sleep(600)%' and state = 'active'");
      await until(async () => (await running()) === 1);
      leaving.abort();
      await assert.rejects(sent, { name: "AbortError" });
      await until(async () => (await running()) === 0);
    });

    it("a client that leaves rolls its batch back, also between two statements", async () => {
      await send({ query: "create table left_batches (a int)" });
      const transactions = () => sessions("backend_xid is not null");
      for (let time = 1; time <= 3; time += 1) {
        const leaving = new AbortController();
        const queries = Array.from({ length: 20_000 }, () => ({ query: "insert into left_batches values (1)" }));
        const sent = send({ queries }, {}, leaving);
        await until(async () => (await transactions()) === 1);
        leaving.abort();
        await assert.rejects(sent, { name: "AbortError" });
        await until(async () => (await transactions()) === 0);
      }
      assert.deepEqual(await rowOf("select count(*)::int as count from left_batches"), { count: 0 });
    });
  });

  describe("HTTP", () => {
    const request = (method: string, path: string) => {
      const { own } = suite();
      return fetch(`http://${own.host}:${own.port}${path}`, { method, headers: { connection: "close" } });
    };

    it("the request of a browser before the query is answered", async () => {
      const response = await request("OPTIONS", "/sql");
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("allow"), "OPTIONS, POST");
      assert.match(response.headers.get("access-control-allow-headers") ?? "", /Neon-Connection-String/);
    });

    it("other routes and methods are not supported", async () => {
      for (const [method, path] of [
        ["GET", "/sql"],
        ["POST", "/other"],
        ["GET", "/"],
      ] as const) {
        const response = await request(method, path);
        assert.deepEqual([response.status, await response.json()], [400, "query is not supported"]);
      }
    });

    it("HTTPS works on the same port", async () => {
      const { own, uri, authority } = suite();
      const agent = new Agent({ ca: authority.certificate });
      const answer = await new Promise<string>((resolve, reject) => {
        const sent = requestOverTls(
          { ...own, method: "POST", path: "/sql", agent, headers: { "neon-connection-string": uri(own) } },
          (response) => {
            let text = "";
            response.on("data", (chunk: Buffer) => (text += chunk.toString())).on("end", () => resolve(text));
          },
        );
        sent.on("error", reject).end(JSON.stringify({ query: "select 1 as a" }));
      });
      assert.deepEqual((JSON.parse(answer) as SqlBody).rows, [{ a: 1 }]);
      agent.destroy();
    });

    it("on a shared address, the host, the address or the option of the connection string names the endpoint", async () => {
      const { own, shared, uri } = suite();
      const selectOne = (connectionString: string, to: Address) =>
        send({ query: "select 1" }, { "neon-connection-string": connectionString }, { to });
      for (const target of [
        uri({ host: `${endpointId}-pooler.c-2.us-east-2.aws.neon.tech`, port: 5432 }),
        uri(own),
        uri(shared, `?options=endpoint%3D${endpointId}`),
      ]) {
        assert.equal((await selectOne(target, shared)).status, 200, target);
      }
      const { status, body } = await selectOne(uri({ host: "127.9.9.9", port: 1 }), own);
      assert.deepEqual([status, body.rows], [200, [{ "?column?": 1 }]]);
      assert.match((await selectOne(uri(shared), shared)).body.message, /^Endpoint ID is not specified/);
    });

    for (const [what, text, milliseconds] of [
      ["headers do not arrive within 20 s", "POST /sql HTTP/1.1\r\n", 20_000],
      ["body does not arrive within 60 s", null, 60_000],
      ["next request does not arrive within 60 s", "OPTIONS /sql HTTP/1.1\r\nHost: a\r\n\r\n", 60_000],
    ] as const) {
      it(`a connection is closed when its ${what}`, async () => {
        const { own, uri } = suite();
        const headers = `Host: a\r\nContent-Length: 10\r\nNeon-Connection-String: ${uri(own)}\r\n\r\n{`;
        clock.delays.length = 0;
        const client = await RawClient.open(own);
        client.write(Buffer.from(text ?? `POST /sql HTTP/1.1\r\n${headers}`));
        const closed = client.closed();
        await until(() => clock.delays.at(-1) === milliseconds);
        clock.advance(milliseconds);
        await closed;
      });
    }
  });

  it("the password of a pooled session is checked for each request", async () => {
    await rowOf("select 1");
    const { uri, own } = suite();
    const { status } = await send({ query: "select 1" }, { "neon-connection-string": withWrongPassword(uri(own)) });
    assert.equal(status, 400);
  });
});
