import assert from "node:assert/strict";
import { createServer, Socket } from "node:net";

import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, it } from "mocha";
import sinon from "sinon";

import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import * as neon from "../../sdk";
import { samples } from "../support/samples";
import { valuesOf } from "../platform/support/responses";
import { anotherCopy } from "./another-copy";
import { type Args, dataSources, formsOf } from "./data-sources";
import { assertFails, configure, valueOf } from "./program";

type Call = pulumi.runtime.MockCallArgs;
const branchType = "pulumi-nodejs:dynamic/neon:Branch";

describe("a unit test with Pulumi's mocks", () => {
  let calls: Call[];
  let answer: (call: Call) => unknown;
  /** Outputs of new resources, by type. */
  let outputs: Readonly<Record<string, object>>;
  let connect: sinon.SinonSpy;
  beforeEach(async () => {
    [calls, answer, outputs] = [[], () => ({}), {}];
    configure({});
    Reflect.deleteProperty(process.env, "NEON_API_KEY");
    connect = sinon.spy(Socket.prototype, "connect");
    await pulumi.runtime.setMocks({
      newResource: ({ type, name, inputs }) => ({
        id: `${name}-id`,
        state: { ...(inputs as object), ...outputs[type] },
      }),
      call: (call) => {
        calls.push(call);
        return answer(call) as pulumi.runtime.MockCallResult;
      },
    });
  });
  afterEach(() => {
    connect.restore();
    assert.equal(connect.callCount, 0, "it opened a connection");
  });

  it("would notice a connection", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    configure({ apiKey: "napi_unused", apiUrl: `http://127.0.0.1:${String(port)}/api/v2`, operationTimeout: "1s" });
    // Without mocks.
    pulumi.runtime.setMockOptions({});
    await neon.getProjects().catch(() => undefined);
    server.close();
    assert.ok(connect.callCount > 0);
    connect.resetHistory();
  });

  for (const [name, dataSource] of Object.entries(dataSources)) {
    const { read, output } = formsOf(name);
    const args: Args = Object.fromEntries(dataSource.args.map((arg) => [arg, `some ${arg}`]));
    const token = `neon:index:${name}`;
    // A plural that is no map, or a word that has none.
    const isList = /(?<!Variable)s$|Consumption$/.test(name);

    it(`${name} returns what the mock returns for ${token}, in both forms`, async () => {
      const result = isList ? [{ id: "mocked" }] : { id: "mocked" };
      answer = () => result;
      assert.deepEqual(await read({ ...args, search: undefined }), result);
      const later = Object.entries(args).map(([key, value]) => [key, pulumi.output(Promise.resolve(value))]);
      assert.deepEqual(await valueOf(output(Object.fromEntries(later) as Args)), result);
      assert.deepEqual(calls, [
        { token, inputs: args },
        { token, inputs: args },
      ]);
    });

    if (isList) {
      it(`${name} says that its mock must return an array`, async () => {
        await assertFails(
          read(args),
          new RegExp(`^${name} returns a list\\. The mock .* an array for the token ${token}`),
        );
      });
    }
  }

  it("a data source calls the mocks that another copy of Pulumi's SDK has set", async () => {
    const inputs = { name: "shop" };
    const copy = anotherCopy(require.resolve("@pulumi/pulumi")) as typeof pulumi;
    await copy.runtime.setMocks({
      newResource: ({ name }) => ({ id: name, state: {} }),
      call: ({ token }) => ({ id: token }),
    });
    assert.deepEqual(await neon.getProject(inputs), { id: "neon:index:getProject" });
  });

  it("a data source passes its provider to the mock, and the provider of its parent", async () => {
    const provider = new neon.Provider("other", { apiKey: "napi_unused" });
    const parent = new pulumi.ComponentResource("shop:index:Shop", "shop", {}, { providers: [provider] });
    await neon.getCurrentUser({ provider });
    await neon.getCurrentUser({ parent });
    const reference = `${await valueOf(provider.urn)}::other-id`;
    assert.deepEqual(valuesOf(calls, "provider"), [reference, reference]);
  });

  it("a data source fails as the mock does, and checks its arguments first", async () => {
    answer = ({ token }) => {
      throw new TypeError(`no mock for ${token}`);
    };
    await assert.rejects(neon.getCurrentUser(), new TypeError("no mock for neon:index:getCurrentUser"));
    await assertFails(neon.getProject({}), /^getProject takes either `projectId` or `name`/);
    assert.equal(calls.length, 1);
  });

  it("a secret argument makes the result secret, and the result of getConnectionUriOutput is always secret", async () => {
    const isSecret = (output: pulumi.Output<unknown>): Promise<boolean> => pulumi.isSecret(output);
    assert.equal(await isSecret(neon.getProjectOutput({ name: pulumi.secret("shop") })), true);
    assert.equal(await isSecret(neon.getProjectOutput({ name: "shop" })), false);
    const connection = { projectId: "p", branchId: "b", roleName: "r", databaseName: "d" };
    assert.equal(await isSecret(neon.getConnectionUriOutput(connection)), true);
  });

  for (const kind of Object.keys(samples) as KindName[]) {
    const Class = neon[kind] as unknown as new (name: string, args: object) => pulumi.CustomResource;

    it(`${kind} needs no account`, async () => {
      assert.equal(await valueOf(new Class("one", {}).id), "one-id");
    });

    it(`${kind} has the outputs that the mock returns, also those that its id holds otherwise`, async () => {
      const names = Object.keys(kinds[kind].outputs().shape);
      outputs = {
        [`pulumi-nodejs:dynamic/neon:${kind}`]: Object.fromEntries(names.map((name) => [name, `mocked ${name}`])),
      };
      const one = new Class("one", {}) as unknown as Readonly<Record<string, pulumi.Output<unknown>>>;
      for (const name of names) assert.equal(await valueOf(one[name] ?? assert.fail(name)), `mocked ${name}`);
    });
  }

  it("a resource derives from the mock's id what the mock does not return", async () => {
    assert.equal(await valueOf(new neon.Branch("pr-42", { projectId: "p" }).branchId), "pr-42-id");
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "7", state: {} }), call: () => ({}) }, "p", "s", true);
    assert.equal(await valueOf(new neon.ApiKey("previewed").keyId), 7);
  });

  it("BranchEnvironment has the outputs that the mock returns for its branch, and needs none", async () => {
    const rejections: unknown[] = [];
    const onRejection = (reason: unknown): void => void rejections.push(reason);
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", onRejection);
    try {
      for (const more of [{}, { pooled: true }, { role: { name: "app" } }, { roleName: "app", databaseName: "shop" }]) {
        const bare = new neon.BranchEnvironment("bare", { projectId: "p", ...more });
        assert.equal(await valueOf(bare.host), undefined);
        assert.equal(await valueOf(bare.connectionUri), undefined);
      }
      outputs = {
        [branchType]: { poolerHost: "pooler.example", connectionUri: "postgresql://app@pooler.example/shop" },
      };
      const env = new neon.BranchEnvironment("full", { projectId: "p", pooled: true });
      assert.equal(await valueOf(env.host), "pooler.example");
      assert.equal(await valueOf(env.connectionUri), "postgresql://app@pooler.example/shop");
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off("unhandledRejection", onRejection);
      for (const other of others) process.on("unhandledRejection", other);
    }
    assert.deepEqual(rejections, []);
    assert.deepEqual(calls, []);
  });

  it("requireOutput names the output that the mock must return", async () => {
    const branch = new neon.Branch("pr-42", { projectId: "p" });
    await assertFails(
      valueOf(branch.requireOutput("poolerHost")),
      'Branch "pr-42" has no poolerHost. In a unit test, the mock `newResource` must return it.',
    );
  });
});
