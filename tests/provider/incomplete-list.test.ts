import assert from "node:assert/strict";

import { after, before, describe, it } from "mocha";

import { Gate } from "../support/gate";
import type { ProviderServer } from "../support/provider-server";
import { suiteStage } from "../support/stage";

const stage = suiteStage({ isServed: false });

describe("a list of branches that ends with a cursor that repeats", () => {
  let first: unknown;
  let pagination: unknown;
  let gate: Gate;
  let server: ProviderServer;
  let projectId: string;

  before(async () => {
    gate = await Gate.before(stage().platform.apiUrl);
    server = await stage().anotherServer({ config: { apiUrl: gate.apiUrl } });
    ({ id: projectId } = await stage().project());
    for (const name of ["one", "one-2", "one-3"]) await stage().branch(projectId, { branch: { name } });
    // All of them fit on one page, which has no cursor.
    const path = `/projects/${projectId}/branches?sort_by=created_at&sort_order=asc&limit=1`;
    ({ pagination } = (await stage().platform.call("GET", path)).body as { readonly pagination: unknown });
  });
  after(async () => {
    await server.stop();
    await gate.close();
  });

  /** Has the platform return one branch a page, and repeats the first page. */
  function cutShort(): void {
    gate.reword = (method, path, status, body) => {
      if (method !== "GET" || !/\/branches\?/.test(path) || status !== 200) return body;
      const page = body as { readonly branches: readonly unknown[] };
      first = path.includes("cursor=") ? first : { ...page, branches: page.branches.slice(0, 1), pagination };
      return first;
    };
  }

  it("is an error for `adopt: true`, and no branch of that name is created", async () => {
    cutShort();
    const branch = stage().resourceOf(server, "Branch", "one");
    await assert.rejects(branch.up({ projectId, name: "one", adopt: true }), /the list is incomplete\. Try again\./);
    assert.equal((await stage().branches(projectId)).length, 4);
  });

  it("leaves the refresh of several branches to reads of each", async () => {
    gate.reword = undefined;
    const ours = ["four", "five", "six"].map((name) => stage().resourceOf(server, "Branch", name));
    for (const branch of ours) await branch.up({ projectId });
    cutShort();
    assert.deepEqual(await Promise.all(ours.map((branch) => branch.refresh())), ["same", "same", "same"]);
  });
});
