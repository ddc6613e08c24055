import assert from "node:assert/strict";

import { beforeEach, describe, it } from "mocha";

import { codeOf } from "../support/contents";
import { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { ProviderServer, type Values } from "../support/provider-server";
import { ScriptedFunctions } from "../support/scripted-functions";
import { type Received, ScriptedServer } from "../support/scripted-server";
import { suite } from "../support/suite";

const code = codeOf("export default { fetch: () => new Response('Hello') };");
const changedCode = codeOf("export default { fetch: () => new Response('Bye') };");
const declared = { projectId: "shop-1", branchId: "br-1", code, environment: { A: "1" } };

/** Where a request is when the process that has sent it is killed. */
interface Moment {
  readonly title: string;
  readonly isAt: (received: Received, hasUploaded: boolean) => boolean;
  /** Whether the request is performed. */
  readonly performs: boolean;
  /** How often the deployment is read before it ends. */
  readonly polls: number;
}

const uploads = ({ method }: Received): boolean => method === "POST";
const deletes = ({ method }: Received): boolean => method === "DELETE";
/** The read of the function after its upload. */
const polled = ({ method, url }: Received, hasUploaded: boolean): boolean =>
  hasUploaded && method === "GET" && /\/functions\/\w+$/.test(url);
const deployments: readonly Moment[] = [
  { title: "before its upload arrives", isAt: uploads, performs: false, polls: 1 },
  { title: "before its upload is answered", isAt: uploads, performs: true, polls: 1 },
  { title: "while its deployment is building", isAt: polled, performs: true, polls: 2 },
  { title: "when its deployment has ended", isAt: polled, performs: true, polls: 1 },
];
const deletions: readonly Moment[] = [
  { title: "before its deletion arrives", isAt: deletes, performs: false, polls: 1 },
  { title: "before its deletion is answered", isAt: deletes, performs: true, polls: 1 },
];

describe("Function › killed", () => {
  const platform = suite(
    () => ScriptedServer.start(),
    (server) => server.close(),
  );
  const start = (): Promise<ProviderServer> =>
    ProviderServer.start({
      config: { apiKey: "key-1234567890123456", apiUrl: platform().apiUrl },
      isProcess: true,
    });
  /** The runs before and after the killed one. */
  const others = suite(start, (server) => server.stop());
  let functions: ScriptedFunctions;
  let resource: EngineResource;
  let count = 0;
  beforeEach(() => {
    functions = new ScriptedFunctions();
    platform().answer(functions.script);
    resource = new EngineResource(others(), "Function", `api${(count += 1)}`);
  });

  /** Does something in a process of its own, which is killed at the moment. */
  async function killedAt({ isAt, performs, polls }: Moment, work: () => Promise<unknown>): Promise<void> {
    const server = await start();
    functions.polls = polls;
    const reached = new Promise<void>((resolve) => {
      const before = functions.deployments.length;
      platform().answer((received) => {
        const isReached = isAt(received, functions.deployments.length > before);
        const reply = isReached && !performs ? {} : functions.script(received);
        if (isReached) resolve();
        return isReached ? { end: "silence" } : reply;
      });
    });
    resource.server = server;
    const ended = assert.rejects(work());
    await reached;
    await server.stop("SIGKILL");
    await ended;
    resource.server = others();
    platform().answer(functions.script);
  }

  /** The function is as declared, by so many deployments, and nothing is left to do. */
  async function assertDeployed(args: Values, times: number): Promise<void> {
    assert.equal(functions.deployments.length, times);
    assert.equal(resource.outputs["deploymentId"], times);
    assert.deepEqual(resource.outputs["environmentNames"], Object.keys(args["environment"] as Values));
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(args), "same");
    await resource.destroy();
    assert.equal(functions.functions.size, 0);
  }

  for (const moment of deployments) {
    // Neon returns neither code nor values: what the killed run has deployed cannot be compared.
    const times = moment.performs ? 1 : 0;

    it(`at its creation ${moment.title}, is created by the next up, with consent if it is there`, async () => {
      await killedAt(moment, () => resource.up(declared));
      assert.equal(resource.state, undefined);
      if (moment.performs) {
        await assert.rejects(resource.up(declared), failsWith("already exists", "NEON_ADOPT=true"));
        assert.equal(functions.deployments.length, times);
      }
      const args = moment.performs ? { ...declared, adopt: true } : declared;
      assert.equal(await resource.up(args), "create");
      await assertDeployed(args, times + 1);
    });

    for (const [what, change] of [
      ["code", { code: changedCode }],
      ["environment", { environment: { B: "2" } }],
    ] as const) {
      it(`at a change of its ${what} ${moment.title}, is changed by the next up`, async () => {
        await resource.up(declared);
        const changed = { ...declared, ...change };
        await killedAt(moment, () => resource.up(changed));
        assert.equal(await resource.up(changed), "update");
        await assertDeployed(changed, 1 + times + 1);
      });
    }

    it(`at a change of its code ${moment.title}, has the declared code also if the next up changes something else`, async () => {
      await resource.up(declared);
      await killedAt(moment, () => resource.up({ ...declared, code: changedCode }));
      const changed = { ...declared, environment: { A: "2" } };
      assert.equal(await resource.up(changed), "update");
      assert.equal(functions.deployments.at(-1)?.hasZip, moment.performs);
      await assertDeployed(changed, 1 + times + 1);
    });
  }

  for (const moment of deletions) {
    it(`at its deletion ${moment.title}, is deleted by the next destroy`, async () => {
      await resource.up(declared);
      await killedAt(moment, () => resource.destroy());
      assert.equal(functions.functions.size, moment.performs ? 0 : 1);
      await resource.destroy();
      assert.equal(functions.functions.size, 0);
    });
  }
});
