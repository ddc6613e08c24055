import { afterEach, describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { Client, type ClientConfig, type DatabaseError } from "pg";
import postgres from "postgres";
import { PostgresProxy } from "../../../platform/proxy/proxy";
import { matchesVerifier, parseVerifier, scramVerifier } from "../../../platform/storage/scram-verifier";
import { messageTypes, startCodes } from "../../../platform/proxy/wire-protocol";
import { ManualPlatformClock } from "../../support/platform-clock";
import { until } from "../../support/until";
import { query, withClient } from "../support/sql";
import { database, endpointId, password, proxySuite, role } from "./support/proxied-compute";
import { RawClient, startPacket } from "./support/raw-client";

const valueOf = async (config: ClientConfig, sql = "select 1 as value") => (await query(config, sql))[0]?.["value"];

const login = { user: role, password, database };

describe("proxy: connections", () => {
  const suite = proxySuite();
  afterEach(async () => {
    const { directory } = suite();
    directory.compute = { ...directory.compute, allowedIps: [], disabled: false };
    directory.unavailable = undefined;
    await directory.start();
  });

  describe("clients", () => {
    it("node-postgres verifies the certificate of the address, and binds the login to it", async () => {
      const { own, authority } = suite();
      const config = { ...own, ...login, enableChannelBinding: true };
      assert.equal(await valueOf({ ...config, ssl: { ca: authority.certificate } }), 1);
      await assert.rejects(valueOf({ ...config, ssl: true }), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    });

    it("node-postgres negotiates TLS directly", async () => {
      const { own, authority } = suite();
      const ssl = { ca: authority.certificate };
      assert.equal(await valueOf({ ...own, ...login, ssl, sslnegotiation: "direct" }), 1);
    });

    it("postgres.js runs queries in parallel, with and without TLS", async () => {
      const { uri, own } = suite();
      for (const ssl of [false, "require"] as const) {
        const sql = postgres(uri(own), { ssl, max: 3 });
        const values = await Promise.all([1, 2, 3].map(async (value) => sql`select ${value}::int as value`));
        assert.deepEqual(
          values.map(([row]) => row?.["value"] as unknown),
          [1, 2, 3],
        );
        await sql.end();
      }
    });

    it("a large result arrives completely", async () => {
      const { uri, own } = suite();
      const sql = "select string_agg(repeat('x', 1000), '') as value from generate_series(1, 5000)";
      assert.equal(String(await valueOf({ connectionString: uri(own) }, sql)).length, 5_000_000);
    });
  });

  describe("which endpoint", () => {
    for (const [what, config] of [
      ["the option endpoint", { options: `endpoint=${endpointId}` }],
      ["the deprecated option project", { options: `project=${endpointId}` }],
      ["the option with -pooler", { options: `endpoint=${endpointId}-pooler` }],
      ["a password with ;", { password: `endpoint=${endpointId};${password}` }],
    ] as const) {
      it(`${what} names the endpoint on a shared address`, async () => {
        assert.equal(await valueOf({ ...suite().shared, ...login, ...config }), 1);
      });
    }

    it("the server name of TLS names the endpoint, and has a certificate", async () => {
      const { shared, authority } = suite();
      const ssl = { ca: authority.certificate, servername: `${endpointId}.localhost` };
      assert.equal(await valueOf({ ...shared, ...login, ssl }), 1);
    });

    it("the rest of the option reaches the compute", async () => {
      const options = `-c my.text=a\\ b endpoint=${endpointId} neon_endpoint_type:read_write -c work_mem=2MB`;
      const sql = "select current_setting('my.text') || '/' || current_setting('work_mem') as value";
      assert.equal(await valueOf({ ...suite().shared, ...login, options }, sql), "a b/2MB");
    });

    const servername = `${endpointId}.localhost`;
    for (const [what, options, message, ssl = false] of [
      ["no endpoint", "", /^Endpoint ID is not specified\. Either please upgrade/],
      ["two endpoints", `endpoint=${endpointId} project=${endpointId}`, /^Endpoint ID is not specified/],
      ["an unknown endpoint", "endpoint=ep-none", /^Control plane request failed: endpoint cannot be found$/],
      ["a point in time", `endpoint=${endpointId} neon_lsn:0/1`, /^The local platform has no computes at a/],
      [
        "a malformed endpoint",
        "endpoint=ep_none",
        /^Project name \('ep_none'\) must contain only alphanumeric characters and hyphen\.$/,
      ],
      [
        "another endpoint than the server name",
        "endpoint=ep-none",
        `Inconsistent project name inferred from SNI ('${servername}') and project option ('ep-none').`,
        { rejectUnauthorized: false, servername },
      ],
    ] as const) {
      it(`reports ${what}`, async () => {
        const client = valueOf({ ...suite().shared, ...login, options, ssl });
        await assert.rejects(client, { message, code: "XX000" });
      });
    }

    it("a name that is no endpoint's does not hide the endpoint of the address", async () => {
      const { own, authority } = suite();
      const ssl = { ca: authority.certificate, servername: "localhost" };
      assert.equal(await valueOf({ ...own, ...login, ssl }), 1);
    });
  });

  describe("authentication", () => {
    for (const [what, config, address = "own"] of [
      ["a wrong password", { password: "wrong" }],
      ["an unknown role", { user: "bob" }],
      ["a wrong password over TLS", { password: "wrong", ssl: { rejectUnauthorized: false } }],
      ["a wrong password with the endpoint", { password: `endpoint=${endpointId};wrong` }, "shared"],
    ] as const) {
      it(`${what} is refused and does not wake the compute`, async () => {
        const { directory, [address]: target } = suite();
        await directory.stop();
        const { wakes } = directory;
        const settings: ClientConfig = { ...target, ...login, ...config };
        await assert.rejects(valueOf(settings), {
          message: `password authentication failed for user '${settings.user ?? ""}'`,
          code: "XX000",
        });
        assert.equal(directory.wakes, wakes);
      });
    }

    for (const [what, refusing, message, accepting] of [
      [
        "an address that is not allowed",
        { allowedIps: ["10.0.0.0/8"] },
        /^This IP address 127\.0\.0\.1 is not allowed to connect to this endpoint\./,
        { allowedIps: ["10.0.0.0/8", "127.0.0.1-127.0.0.9"] },
      ],
      [
        "an address of a blocked network",
        { blocksPublicConnections: true },
        "This connection is trying to access this endpoint from a blocked network.",
        { blocksPublicConnections: false },
      ],
    ] as const) {
      it(`${what} is refused before its password`, async () => {
        const { own, directory } = suite();
        directory.compute = { ...directory.compute, ...refusing };
        await assert.rejects(valueOf({ ...own, ...login, password: "wrong" }), { message });
        directory.compute = { ...directory.compute, ...accepting };
        assert.equal(await valueOf({ ...own, ...login }), 1);
      });
    }

    it("a client is told when its password cannot be checked", async () => {
      const { uri, own, directory } = suite();
      directory.unreadable = true;
      await assert.rejects(valueOf({ connectionString: uri(own) }), { message: "Couldn't connect to compute node" });
      directory.unreadable = false;
      assert.equal(await valueOf({ connectionString: uri(own) }), 1);
    });

    it("a client without a user is refused", async () => {
      const client = await RawClient.open(suite().own);
      client.start({ database });
      assert.equal(await client.error(), "Parameter 'user' is missing in startup packet.");
    });

    it("PostgreSQL and the proxy make the same of a password that Unicode can write in several ways", async () => {
      const { directory } = suite();
      // The first one has a no-break space, a soft hyphen and a ligature; PostgreSQL hashes it itself.
      await directory.admin("CREATE ROLE carl LOGIN PASSWORD E'a\\u00a0\\u00adb\\ufb01'");
      const [row] = await directory.admin("select rolpassword from pg_authid where rolname = 'carl'");
      const verifier = parseVerifier(String(row?.["rolpassword"]));
      assert.ok(verifier);
      for (const [text, matches] of [
        ["a\u00a0\u00adb\ufb01", true],
        ["a bfi", true],
        ["ab fi", false],
      ] as const) {
        assert.equal(await matchesVerifier(text, verifier), matches);
        const computed = parseVerifier(scramVerifier(text));
        assert.ok(computed);
        assert.equal(await matchesVerifier("a bfi", computed), matches);
      }
    });
  });

  describe("the compute", () => {
    it("a compute that stops while a client connects is woken again", async () => {
      const { uri, own, directory } = suite();
      const wake = directory.wake.bind(directory);
      let stopped = false;
      directory.wake = async () => {
        const woken = await wake();
        if (!stopped) {
          stopped = true;
          await directory.stop();
        }
        return woken;
      };
      try {
        assert.equal(await valueOf({ connectionString: uri(own) }), 1);
        assert.ok(stopped);
      } finally {
        directory.wake = wake;
      }
    });

    it("the client is told why a compute cannot be started", async () => {
      const { uri, own, directory } = suite();
      directory.unavailable = "Control plane request failed: endpoint is temporarily unavailable.";
      await assert.rejects(valueOf({ connectionString: uri(own) }), { message: directory.unavailable });
    });

    it("a disabled endpoint is refused after the password", async () => {
      const { uri, own, directory } = suite();
      directory.compute = { ...directory.compute, disabled: true };
      await assert.rejects(valueOf({ connectionString: uri(own) }), {
        message: "Control plane request failed: endpoint is disabled",
      });
      await assert.rejects(valueOf({ ...own, ...login, password: "wrong" }), {
        message: /^password authentication failed/,
      });
    });

    it("an error of PostgreSQL passes through unchanged", async () => {
      await assert.rejects(valueOf({ ...suite().own, ...login, database: "none" }), {
        message: 'database "none" does not exist',
        code: "3D000",
      });
    });

    it("a session ends with 57P01 when the compute is suspended", async () => {
      const { uri, own, directory, proxy } = suite();
      const client = new Client({ connectionString: uri(own) });
      await client.connect();
      const failed = once(client, "error") as Promise<[DatabaseError]>;
      // A second one says that the connection was closed.
      client.on("error", () => undefined);
      await directory.stop();
      const [error] = await failed;
      assert.equal(error.code, "57P01");
      assert.equal(error.message, "terminating connection due to administrator command");
      await until(() => proxy.sessions === 0);
    });

    it("a session ends when the compute is killed", async () => {
      const { uri, own, directory, proxy } = suite();
      const client = new Client({ connectionString: uri(own) });
      client.on("error", () => undefined);
      await client.connect();
      const ended = new Promise((resolve) => client.once("end", resolve));
      await directory.kill();
      await ended;
      await until(() => proxy.sessions === 0);
    });

    it("the session of a client that disappears ends in the compute", async () => {
      const { own, directory, proxy, uri } = suite();
      const client = new Client({ connectionString: uri(own) });
      client.on("error", () => undefined);
      await client.connect();
      await until(() => proxy.sessions === 1);
      const { connection } = client as unknown as { connection: { stream: { resetAndDestroy(): void } } };
      connection.stream.resetAndDestroy();
      await until(() => proxy.sessions === 0);
      const sql = `select from pg_stat_activity where usename = '${role}'`;
      await until(async () => (await directory.admin(sql)).length === 0);
    });

    it("data from a client counts as activity", async () => {
      const { uri, own, directory } = suite();
      await withClient({ connectionString: uri(own) }, async (client) => {
        const { activity } = directory;
        await client.query("select 1");
        assert.ok(directory.activity > activity);
        const before = directory.activity;
        await directory.admin("select 1");
        assert.equal(directory.activity, before);
      });
    });
  });

  describe("cancellation", () => {
    for (const ssl of [undefined, { rejectUnauthorized: false }]) {
      it(`cancels the query of a session ${ssl ? "over TLS" : "in plain text"}`, async () => {
        const { uri, own, directory } = suite();
        await withClient({ connectionString: uri(own), ssl }, async (client) => {
          const { processID, secretKey } = client as unknown as { processID: number; secretKey: number };
          const { rows } = await client.query<{ value: number }>("select pg_backend_pid() as value");
          assert.notEqual(processID, rows[0]?.value);
          const sleeping = assert.rejects(client.query("select pg_sleep(600)"), { code: "57014" });
          const active = "select from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'";
          await until(async () => (await directory.admin(active)).length === 1);
          const key = Buffer.alloc(8);
          key.writeInt32BE(processID);
          key.writeInt32BE(secretKey, 4);
          const canceller = await RawClient.open(own);
          if (!ssl) {
            canceller.write(startPacket(startCodes.cancelRequest, key));
            assert.equal((await canceller.closed()).length, 0);
          } else {
            canceller.write(startPacket(startCodes.sslRequest));
            assert.equal((await canceller.read(1)).toString(), "S");
            const { client: encrypted } = await canceller.encrypted(ssl);
            encrypted.write(startPacket(startCodes.cancelRequest, key));
            assert.equal((await encrypted.closed()).length, 0);
          }
          await sleeping;
        });
      });
    }

    it("an unknown key has no effect and gets no answer", async () => {
      const client = await RawClient.open(suite().own);
      client.write(startPacket(startCodes.cancelRequest, Buffer.alloc(8, 7)));
      assert.equal((await client.closed()).length, 0);
    });
  });

  describe("start packets", () => {
    const answerTo = async (...parts: readonly Uint8Array[]): Promise<string> => {
      const client = await RawClient.open(suite().own);
      client.write(...parts);
      return (await client.closed()).toString("latin1");
    };
    const parameters = Buffer.from(`user\0${role}\0\0`);

    it("encryption by GSSAPI is refused, and TLS accepted afterwards", async () => {
      const client = await RawClient.open(suite().own);
      client.write(startPacket(startCodes.gssEncryptionRequest));
      assert.equal((await client.read(1)).toString(), "N");
      client.write(startPacket(startCodes.sslRequest));
      assert.equal((await client.read(1)).toString(), "S");
      const { client: encrypted } = await client.encrypted({ rejectUnauthorized: false });
      encrypted.start({ user: role });
      assert.match((await encrypted.next()).body.toString("latin1"), /SCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0$/);
      encrypted.close();
    });

    it("a newer protocol is negotiated down, and unknown protocol options are named", async () => {
      const client = await RawClient.open(suite().own);
      client.write(startPacket(196610, Buffer.from(`user\0${role}\0_pq_.fancy\0on\0\0`)));
      const { type, body } = await client.next();
      assert.equal(type, messageTypes.negotiateProtocolVersion);
      assert.deepEqual(
        [body.readUInt32BE(0), body.readUInt32BE(4), body.toString("utf8", 8)],
        [196608, 1, "_pq_.fancy\0"],
      );
      assert.match((await client.next()).body.toString("latin1"), /SCRAM-SHA-256\0\0$/);
      client.close();
    });

    for (const [what, parts] of [
      ["a TLS request inside TLS's first bytes", [startPacket(startCodes.sslRequest, Buffer.from("x"))]],
      [
        "a second request for GSSAPI",
        [startPacket(startCodes.gssEncryptionRequest), startPacket(startCodes.gssEncryptionRequest)],
      ],
      ["protocol 2.0", [startPacket(131072, parameters)]],
      ["a length of 7", [Buffer.from([0, 0, 0, 7, 0, 3, 0, 0])]],
      ["a length of 10001", [Buffer.from([0, 0, 0x27, 0x11, 0, 3, 0, 0])]],
      ["parameters without an end", [startPacket(196608, Buffer.from("user\0a"))]],
      ["a parameter without a value", [startPacket(196608, Buffer.from("user\0"))]],
      ["a CancelRequest of another length", [startPacket(startCodes.cancelRequest, Buffer.alloc(9))]],
    ] as const) {
      it(`the connection is closed after ${what}`, async () => {
        assert.match(await answerTo(...parts), /^N?$/);
      });
    }

    it("the connection is closed if data follows the request for TLS at once", async () => {
      assert.equal(await answerTo(startPacket(startCodes.sslRequest), startPacket(196608, parameters)), "");
    });
  });
});

describe("proxy: addresses", () => {
  const suite = proxySuite();

  it("addresses are opened and closed while sessions go on", async () => {
    const { proxy, own, shared, uri } = suite();
    const addresses = [
      { address: own.host, port: own.port, endpointId },
      { address: shared.host, port: shared.port },
    ];
    const [, , added] = await proxy.listen([...addresses, { address: "127.0.0.1", port: 0, endpointId }]);
    assert.ok(added);
    const extra = { host: added.address, port: added.port };
    await withClient({ connectionString: uri(extra) }, async (client) => {
      await proxy.listen(addresses);
      await assert.rejects(valueOf({ connectionString: uri(extra) }), { code: "ECONNREFUSED" });
      assert.equal((await client.query("select 1")).rowCount, 1);
    });
    assert.equal(await valueOf({ connectionString: uri(own) }), 1);
  });

  it("an address gets another endpoint without being closed", async () => {
    const { proxy, own, shared, uri } = suite();
    await proxy.listen([
      { address: own.host, port: own.port, endpointId: "ep-none" },
      { address: shared.host, port: shared.port, endpointId },
    ]);
    assert.equal(await valueOf({ connectionString: uri(shared) }), 1);
    await assert.rejects(valueOf({ connectionString: uri(own) }), { message: /endpoint cannot be found/ });
  });

  it("only loopback addresses are opened, and a port in use is reported", async () => {
    const { proxy, own, directory, authority } = suite();
    assert.throws(() => proxy.listen([{ address: "0.0.0.0", port: 0 }]), RangeError);
    assert.throws(() => proxy.listen([{ address: "localhost", port: 0 }]), RangeError);
    const other = new PostgresProxy({ directory, authority });
    await assert.rejects(other.listen([{ address: own.host, port: own.port }]), {
      message: `port ${own.port} on ${own.host} is in use by another program`,
    });
    await other.close();
  });
});

describe("proxy: time limits", () => {
  const clock = new ManualPlatformClock();
  const suite = proxySuite(clock);

  it("a client that does not finish the handshake within 15 s loses its connection without an answer", async () => {
    const client = await RawClient.open(suite().own);
    client.write(Buffer.from([0, 0, 0, 20]));
    await until(() => clock.waiting === 1);
    clock.advance(15_000);
    assert.equal((await client.closed()).length, 0);
    assert.equal(clock.waiting, 0);
  });

  it("a client that does not authenticate within 15 s is told so", async () => {
    const client = await RawClient.open(suite().own);
    client.start({ user: role });
    await client.until(messageTypes.authentication);
    clock.advance(14_999);
    clock.advance(1);
    assert.equal(await client.error(), "Authentication timed out");
    await until(() => clock.waiting === 0);
  });

  it("a client that does not close its side loses the connection 5 s after an error", async () => {
    const { own, proxy } = suite();
    const socket = connect({ ...own, allowHalfOpen: true });
    socket.on("error", () => undefined);
    await once(socket, "connect");
    const client = new RawClient(socket);
    client.start({ database });
    await client.until(messageTypes.errorResponse);
    socket.resume();
    await once(socket, "end");
    await until(() => clock.waiting === 1);
    assert.equal(proxy.connections, 1);
    clock.advance(5_000);
    await until(() => proxy.connections === 0);
    socket.destroy();
  });
});
