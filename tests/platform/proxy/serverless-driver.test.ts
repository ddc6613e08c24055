import { Client, neon, neonConfig, Pool } from "@neondatabase/serverless";
import { before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { once } from "node:events";
import { WebSocket } from "ws";
import { until } from "../../support/until";
import { configureServerlessDriver } from "../../../platform/serverless-driver";
import { endpointId, proxySuite, role } from "./support/proxied-compute";

/** `fetch` without the idle connections that it usually keeps. */
const fetchOnce = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), connection: "close" } });

describe("serverless driver", () => {
  const suite = proxySuite();
  before(() => {
    configureServerlessDriver(neonConfig);
    neonConfig.fetchFunction = fetchOnce;
  });

  describe("over HTTP", () => {
    it("queries the connection string of the endpoint's own address", async () => {
      const { uri, own } = suite();
      const sql = neon(uri(own));
      const day = new Date("2024-02-29T10:00:00Z");
      const [row] =
        await sql`select ${1}::int as a, ${day}::timestamptz as day, ${["x", "y"]}::text[] as list, ${{ k: 1 }}::jsonb as object`;
      assert.deepEqual(row, { a: 1, day, list: ["x", "y"], object: { k: 1 } });
    });

    it("finds the endpoint by the option on a shared address, and by its host name", async () => {
      const { uri, shared } = suite();
      assert.deepEqual(await neon(uri(shared, `?options=endpoint%3D${endpointId}`)).query("select 1 as a"), [{ a: 1 }]);
      configureServerlessDriver(neonConfig, shared);
      try {
        const named = uri({ host: `${endpointId}.c-2.us-east-2.aws.neon.tech`, port: 5432 });
        assert.deepEqual(await neon(named).query("select 1 as a"), [{ a: 1 }]);
        const client = new Client(named);
        await client.connect();
        assert.equal((await client.query("select 1")).rowCount, 1);
        await client.end();
      } finally {
        configureServerlessDriver(neonConfig);
      }
    });
  });

  describe("over a WebSocket", () => {
    for (const pipelineConnect of ["password", false] as const) {
      it(`a pool runs an interactive transaction, with pipelineConnect ${String(pipelineConnect)}`, async () => {
        const { uri, own, directory, proxy } = suite();
        await until(() => proxy.sessions === 0);
        await directory.stop();
        const connectionString = uri(own);
        const pool = new Pool({ connectionString, max: 3 });
        neonConfig.pipelineConnect = pipelineConnect;
        try {
          const client = await pool.connect();
          await client.query("begin");
          await client.query("create temp table t (a int) on commit drop");
          await client.query("insert into t select generate_series(1, 1000)");
          assert.deepEqual((await client.query("select sum(a)::int as sum from t")).rows, [{ sum: 500500 }]);
          await client.query("commit");
          client.release();
          const many = await Promise.all(
            Array.from({ length: 10 }, (_, index) => pool.query("select $1::int as a", [index])),
          );
          assert.deepEqual(
            many.map(({ rows }) => (rows as { a: number }[])[0]?.a),
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
          );
        } finally {
          neonConfig.pipelineConnect = "password";
          await pool.end();
        }
      });
    }

    it("a value of 5 MB arrives completely in both directions", async () => {
      const { uri, own } = suite();
      const client = new Client(uri(own));
      await client.connect();
      const text = "x".repeat(5_000_000);
      const { rows } = await client.query<{ text: string }>("select $1::text as text", [text]);
      assert.equal(rows[0]?.text.length, text.length);
      await client.end();
    });

    it("the host of the request names the endpoint on a shared address", async () => {
      const { shared } = suite();
      for (const [headers, path, expected] of [
        [{ host: `${endpointId}.localhost` }, "/", 3],
        [{}, `/v2?address=${endpointId}-pooler%3A5432`, 3],
        // Without an endpoint the password has to name it, and is asked for in the same way.
        [{}, "/v2", 3],
      ] as const) {
        const socket = new WebSocket(`ws://${shared.host}:${shared.port}${path}`, { headers });
        await once(socket, "open");
        socket.send(Buffer.from(`\0\0\0\x14\0\x03\0\0user\0${role}\0\0`));
        const [answer] = (await once(socket, "message")) as [Buffer];
        assert.deepEqual([answer.toString("latin1", 0, 1), answer.readUInt32BE(5)], ["R", expected]);
        socket.close();
        await once(socket, "close");
      }
    });

    it("TLS and GSSAPI inside a WebSocket are refused, and a text frame ends the connection", async () => {
      const { own, proxy } = suite();
      const socket = new WebSocket(`ws://${own.host}:${own.port}/v2`);
      await once(socket, "open");
      socket.send(Buffer.from("0000000804d2162f", "hex"));
      const [answer] = (await once(socket, "message")) as [Buffer];
      assert.equal(answer.toString(), "N");
      socket.send("text");
      await once(socket, "close");
      await until(() => proxy.connections === 0);
    });
  });
});
