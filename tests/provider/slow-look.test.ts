import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { check } from "../../provider/lifecycle/check";
import { create } from "../../provider/lifecycle/create";
import { scriptedClient, type Sent, type ScriptedResponse } from "../api/scripted-client";
import { endless } from "../support/clock";
import { urnOf } from "../support/door";
import { callFor, servicesWith } from "../support/services";

const [projectId, branchId, name] = ["late-frost-302709", "br-wispy-meadow-118737", "app"];
const role = { branch_id: branchId, name, created_at: "2030-01-01T00:00:00Z", updated_at: "2030-01-01T00:00:00Z" };
const inputs = { projectId, branchId, name };
const call = callFor(urnOf("Role", name));

/** A process that serves roles, on a platform whose answers to reads take so many milliseconds, and that can be down. */
function served(milliseconds: (sent: Sent) => number, isDown: (sent: Sent) => boolean = () => false) {
  const abandoned: string[] = [];
  const platform = scriptedClient(
    (sent): ScriptedResponse => {
      const takes = milliseconds(sent);
      const { path, signal } = sent;
      signal.addEventListener("abort", () => abandoned.push(`${path} after ${platform.clock.now() - sent.at}`));
      if (sent.method !== "GET") return { status: 409, body: { code: "", message: "exists" } };
      if (isDown(sent)) return { status: 503 };
      if (path === "/auth") return { body: { account_id: "a", auth_method: "api_key_user" } };
      if (path.endsWith("/roles")) return { takes, body: { roles: [role] } };
      if (path.includes("/operations")) return { body: { operations: [] } };
      if (path.endsWith("/reveal_password")) return { body: { password: "secret" } };
      if (path.endsWith(`/roles/${name}`)) return { takes, body: { role } };
      return { takes, status: 404, body: { code: "", message: "not found" } };
    },
    { attemptTimeout: 30_000 },
  );
  const { client, clock } = platform;
  const said: string[] = [];
  const services = servicesWith({ client, warn: (text) => said.push(text) });
  return { kind: kinds.Role, services, clock, said, abandoned };
}

describe("a look for what is there already", () => {
  it("waits for slow answers, and abandons no request", async () => {
    const process = served(() => 9_000);
    const { problems } = await process.clock.run(check(process, call, undefined, inputs));
    assert.deepEqual(problems, []);
    assert.match(process.said.join("\n"), /already exists: late-frost/);
    assert.deepEqual(process.abandoned, []);
  });

  it("ends with one attempt where the platform answers the key, and nothing else: the preview goes on", async () => {
    const process = served(({ path }) => (path === "/auth" ? 0 : endless));
    const { problems } = await process.clock.run(check(process, call, undefined, inputs));
    assert.deepEqual(problems, []);
    assert.deepEqual(process.said, []);
    assert.equal(process.clock.now(), 30_000);
  });

  it("has the time of the create if its object is to be adopted", async () => {
    const process = served(
      () => 0,
      ({ at }) => at < 60_000,
    );
    const { id } = await process.clock.run(create(process, call, { ...inputs, adopt: true }));
    assert.equal(id, `${projectId}/${branchId}/${name}`);
  });

  it("ends with one attempt before a create, which goes on, and says what it does not know", async () => {
    const process = served(({ at }) => (at < 30_000 ? endless : 0));
    await assert.rejects(process.clock.run(create(process, call, inputs)), /already exists/);
    assert.match(process.said.join("\n"), /It is not known what else there is of this role: .*no response within 30 s/);
  });
});
