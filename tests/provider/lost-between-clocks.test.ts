import assert from "node:assert/strict";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { BranchFixture } from "../support/branch-fixture";
import type { EngineResource } from "../support/engine";
import { inDays } from "../support/in-days";
import { failsWith } from "../support/expected-errors";
import { AdjustableClock } from "../support/platform-clock";
import type { Values } from "../support/provider-server";
import { suiteRuns } from "../support/runs";
import { suiteStage } from "../support/stage";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const runs = suiteRuns(stage);

/** Has the next request for a creation in a project, or of a key, lose its response: before the platform performs it or after. */
async function loseNext(reset: "before" | "after", { projectId = "^/api_keys$" }: Values = {}): Promise<void> {
  await stage().platform.fault({ method: "POST", path: projectId, reset });
}

/** A run behind a gateway whose clock is ahead by so many seconds. */
async function runBehind(seconds: number) {
  const gate = await runs().gate();
  gate.dateAhead = seconds * 1_000;
  const server = await runs().start();
  const resource = (kind: KindName): EngineResource => {
    const one = stage().resource(kind);
    one.server = server;
    return one;
  };
  return { gate, server, resource };
}

/** How many keys of the resource's name there are, and how many of them warnings leave to the user. */
async function keysOf(key: EngineResource) {
  const { body } = await stage().platform.call("GET", "/api_keys");
  const all = (body as unknown as readonly Values[]).filter(({ name }) => name === key.name);
  const named = key.said("warning").filter((text) => text.includes("Revoke it if no"));
  return [all.length, named.length];
}

describe("a lost response, from a platform whose clocks differ by a minute", () => {
  it("is found once the run has seen an object created", async () => {
    const { base } = await BranchFixture.on(stage());
    const { resource } = await runBehind(60);
    await resource("Role").up(base);
    const lost = resource("Role");
    await loseNext("after", base);
    assert.equal(await lost.up(base), "create");
    assert.match(lost.warning, / appeared when a request was sent whose response is lost, and is as declared/);
  });

  it("is named with its time by the 409 of this run and by the next run, which takes it with consent", async () => {
    const { base } = await BranchFixture.on(stage());
    const { resource } = await runBehind(60);
    const lost = resource("Role");
    const named = failsWith(
      `A role with this name already exists: ${base.projectId}/${base.branchId}/${lost.name}, created at `,
      "To take it over, run `NEON_ADOPT=true pulumi up`. Otherwise declare another name.",
    );
    await loseNext("after", base);
    await assert.rejects(lost.up(base), named);
    const next = stage().resource("Role", lost.name);
    await runs().run([next], async () => {
      await assert.rejects(next.up(base), named);
      assert.equal(await next.up({ ...base, adopt: true }), "create");
    });
  });

  it("is named by the next run if it was that of a key", async () => {
    const key = (await runBehind(60)).resource("ApiKey");
    await loseNext("after");
    await assert.rejects(key.up({}), failsWith("No object was found that it could have created"));
    assert.deepEqual(await keysOf(key), [1, 0]);
    await runs().run([key], async () => assert.equal(await key.up({}), "create"));
    assert.deepEqual(await keysOf(key), [2, 1]);
  });
});

describe("an object of another program that appeared 8 s before a lost request", () => {
  it("is not taken once the run has seen an object created", async () => {
    const fixture = await BranchFixture.on(stage());
    const { resource } = await runBehind(0);
    const [seen, lost] = [resource("Role"), resource("Role")];
    await seen.up(fixture.base);
    await fixture.call("POST", fixture.role(), { role: { name: lost.name } });
    clock.putForward(8_000);
    // The run learns the time from a response.
    await seen.refresh();
    await loseNext("before", fixture.base);
    await assert.rejects(lost.up(fixture.base), failsWith("A role with this name already exists"));
  });
});

describe("a key that is created although a gateway answers with 503", () => {
  it("is named, because another one is created", async () => {
    const key = (await runBehind(0)).resource("ApiKey");
    await stage().platform.fault({ method: "POST", path: "^/api_keys$", status: 503, perform: true });
    assert.equal(await key.up({}), "create");
    assert.deepEqual(await keysOf(key), [2, 1]);
  });
});

describe("a compute whose response is lost", () => {
  async function branch() {
    const { id: projectId } = await stage().project();
    const { id: branchId } = await stage().branch(projectId);
    return { projectId, branchId };
  }

  for (const type of ["read_write", "read_only"] as const) {
    it(`is found on a platform that does not report its name: ${type}`, async () => {
      const args = { ...(await branch()), type, name: "reader" };
      const { gate, resource } = await runBehind(0);
      gate.reword = (_method, _path, _status, body) => withoutNames(body as Values);
      const compute = resource("Endpoint");
      await loseNext("after", args);
      assert.equal(await compute.up(args), "create");
      assert.equal((await stage().computes(args.projectId, args.branchId)).length, 1);
      assert.equal(await compute.up(args), "same");
    });
  }

  it("is not taken for one of another program that lacks a declared setting", async () => {
    const args = {
      ...(await branch()),
      type: "read_write",
      name: "writer",
      settings: { preloadLibraries: { enabledLibraries: ["pg_cron"] } },
    };
    const theirs = stage().resource("Endpoint");
    await theirs.up({ ...args, settings: undefined });
    const ours = (await runBehind(0)).resource("Endpoint");
    await loseNext("before", args);
    await assert.rejects(ours.up(args), failsWith("already exists"));
  });
});

describe("a snapshot whose request is lost", () => {
  it("is not taken for one of another program that never expires", async () => {
    const { id: projectId, branchId } = await stage().project();
    const snapshot = (await runBehind(0)).resource("Snapshot");
    await snapshot.preview({ projectId, branchId });
    const path = `/projects/${projectId}/branches/${branchId}/snapshot?name=${snapshot.name}`;
    await stage().platform.call("POST", path);
    await stage().settled(projectId);
    await loseNext("before", { projectId });
    const created = snapshot.up({ projectId, branchId, expiresAt: inDays(1) });
    await assert.rejects(created, failsWith("A snapshot with this name already exists"));
  });
});

/** A response without the names of computes. */
function withoutNames(body: Values): Values {
  const unnamed = ({ name: _, ...others }: Values): Values => others;
  const { endpoint, endpoints } = body as { readonly endpoint?: Values; readonly endpoints?: readonly Values[] };
  return {
    ...body,
    ...(endpoint && { endpoint: unnamed(endpoint) }),
    ...(endpoints && { endpoints: endpoints.map(unnamed) }),
  };
}
