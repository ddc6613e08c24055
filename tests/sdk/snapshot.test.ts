import assert from "node:assert/strict";

import type { Snapshot } from "@neondatabase/api-client";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { suiteAccount } from "./program";

describe("getSnapshots", () => {
  const platform = suiteAccount();
  let projectId = "";
  let mainId = "";
  let rootId = "";
  let ofMain: Snapshot;
  let ofRoot: Snapshot;
  before(async () => {
    const { project, branch } = await platform().project();
    [projectId, mainId] = [project.id, branch.id];
    const path = `/projects/${projectId}/branches`;
    rootId = (await platform().call("POST", path, { branch: { init_source: "schema-only" } })).body.branch.id;
    await platform().settled(projectId);
    const expiry = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString());
    const take = async (branchId: string, query: string): Promise<Snapshot> => {
      const { body } = await platform().call("POST", `${path}/${branchId}/snapshot?${query}`);
      await platform().settled(projectId);
      return body.snapshot;
    };
    ofMain = await take(mainId, `name=before&expires_at=${expiry}`);
    ofRoot = await take(rootId, "name=before");
  });

  it("lists the snapshots of a project, or of one branch, with their documented members", async () => {
    const main = {
      id: ofMain.id,
      name: "before",
      sourceBranchId: mainId,
      lsn: ofMain.lsn,
      timestamp: ofMain.timestamp,
      createdAt: ofMain.created_at,
      expiresAt: ofMain.expires_at,
      manual: true,
    };
    const all = await neon.getSnapshots({ projectId });
    assert.deepEqual(all.map(({ id }) => id).sort(), [ofMain.id, ofRoot.id].sort());
    assert.deepEqual(
      all.find(({ id }) => id === ofMain.id),
      main,
    );
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId: mainId }), [main]);
    assert.deepEqual(await neon.getSnapshots({ projectId, branchId: "br-no-such-one" }), []);
  });
});
