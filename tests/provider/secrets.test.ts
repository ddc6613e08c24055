import assert from "node:assert/strict";
import { inspect } from "node:util";

import { before, describe, it } from "mocha";

import { kinds } from "../../provider/kinds";
import { PartialFailure } from "../../provider/lifecycle/partial-failure";
import type { Values } from "../support/provider-server";
import type { EngineResource } from "../support/engine";
import { suiteStage } from "../support/stage";

/** What a program declares as a secret of its own. */
const own = "hunter2-of-the-program";

describe("§6.23 secrets", () => {
  const stage = suiteStage({ config: { logLevel: "debug" } });
  /** Everything that was told on the way. */
  const told: string[] = [];
  const states: { readonly title: string; readonly inputs: Values; readonly outputs: Values }[] = [];
  const secrets = new Set<string>([own]);

  function note(title: string, { state }: EngineResource): void {
    assert.ok(state, title);
    states.push({ title, inputs: state.inputs, outputs: state.outputs });
    told.push(state.id, ...state.failed);
    const uri = state.outputs["connectionUri"];
    if (typeof uri !== "string") return;
    secrets.add(uri);
    secrets.add(decodeURIComponent(new URL(uri).password));
  }

  async function fails(step: Promise<unknown>): Promise<void> {
    await assert.rejects(step, (error: Error) => {
      told.push(error.message, String(error.stack));
      return true;
    });
  }

  before(async () => {
    const { platform, server } = stage();
    secrets.add(platform.apiKey);

    const project = stage().resource("Project");
    const projectArgs = { branch: { annotations: { token: own } } };
    await project.up(projectArgs);
    note("a new project", project);
    await project.refresh();
    note("a refreshed project", project);
    assert.equal((await project.preview({ branch: { annotations: { token: `${own}-2` } } })).step, "replace");
    told.push(project.warning);
    assert.equal(await project.up(projectArgs), "same");

    const branch = stage().resource("Branch");
    const args = { projectId: project.id, compute: {}, annotations: { token: own } };
    await platform.fault({ action: "start_compute", end: "error" });
    await fails(branch.up(args));
    note("a half-made branch", branch);
    await branch.up(args);
    note("a branch", branch);
    await branch.refresh();
    note("a refreshed branch", branch);

    // Answers with secrets that cannot be read, and refusals of requests with them.
    const path = `^/projects/${project.id}`;
    const unreadable = {
      branch: 5,
      connection_uris: [{ connection_uri: own, connection_parameters: { password: own } }],
    };
    for (const body of [unreadable, JSON.stringify(unreadable).slice(1)]) {
      await platform.fault({ method: "GET", path: `${path}/branches/`, status: 200, body });
      await fails(branch.refresh());
    }
    const changed = { ...args, compute: { settings: { pgSettings: { token: own } } } };
    await platform.fault({ method: "PATCH", path: `${path}/endpoints/`, status: 400, body: { message: "no" } });
    await fails(branch.up(changed));
    await fails(branch.up({ ...args, annotations: { token: own, more: 5 } }));
    await fails(branch.up({ ...args, compute: { provisioner: [own] } }));
    assert.equal((await branch.preview({ ...args, annotations: { token: `${own}-2` } })).step, "replace");
    told.push(branch.warning);

    await branch.destroy();
    await project.destroy();
    told.push(...server.lines.map(({ text }) => text), server.output);
  });

  it("are not in messages, rows, logs or ids", () => {
    assert.ok(secrets.size >= 5);
    assert.match(stage().server.output, /neon: POST \/projects 201 \d+ ms/);
    for (const text of told) {
      for (const secret of secrets) assert.ok(!text.includes(secret), text.replaceAll(secret, "<secret>"));
    }
  });

  it("are in the state only where they are declared or marked as secret", () => {
    for (const { title, inputs, outputs } of states) {
      const { connectionUri, ...rest } = outputs;
      assert.match(String(connectionUri), /^postgresql:/, title);
      // What the program declares is as secret as the program says.
      const { annotations: _, branch: __, ...derived } = rest;
      const { annotations: ___, branch: ____, ...others } = inputs;
      for (const secret of secrets) {
        assert.ok(!JSON.stringify(derived).includes(secret), title);
        assert.ok(!JSON.stringify(others).includes(secret), title);
      }
    }
  });

  it("that the platform returns never become inputs by a refresh", () => {
    for (const { title, inputs } of states) assert.ok(!/postgresql:|connectionUri/.test(JSON.stringify(inputs)), title);
  });
});

describe("a partial failure", () => {
  it("keeps the outputs for the state, and does not print them", () => {
    const stored = { outputs: { password: own }, hidden: { version: 1, declared: [] } };
    const failure = new PartialFailure(kinds.Role, "shop-1", stored, new Error("no"));
    assert.equal(failure.stored, stored);
    for (const printed of [failure, new Error("around", { cause: failure })]) {
      assert.ok(!inspect(printed, { depth: Infinity, showHidden: true }).includes(own));
    }
    assert.ok(!JSON.stringify(failure).includes(own));
  });
});
