import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";

import { describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { createdBranch } from "../support/created-branch";
import { urnOf } from "../support/door";
import { EngineResource } from "../support/engine";
import { EngineLog } from "../support/engine-log";
import { failsWith } from "../support/expected-errors";
import { CallError, type ProviderServer, unknownText, type Values } from "../support/provider-server";
import { titleOf } from "../support/sample";
import { everySample } from "../support/samples";
import { suiteServer, suiteStage } from "../support/stage";
import { until } from "../support/until";

const stage = suiteStage({ door: "plugin" });
const later = suiteServer(stage, { door: "plugin" });
const dynamic = suiteServer(stage, { door: "dynamic" });

/** A resource with its state in a run of another process, through its door: as an alias moves it. */
function through(server: ProviderServer, { kind, name, state }: EngineResource): EngineResource {
  const moved = new EngineResource(server, kind, name);
  moved.state = state;
  return moved;
}

/** The declared inputs without which the kind has none. */
function required(kind: KindName, inputs: Values): Values {
  const isRequired = (name: string): boolean => {
    const { [name]: _, ...others } = inputs;
    return !kinds[kind].inputs().safeParse(others).success;
  };
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => isRequired(name)));
}

describe("the plugin of an engine that ends before it configures the provider", () => {
  /** What ends the engine of a plugin that is starting. */
  const ends: Readonly<Record<string, (engine: Server, plugin: ChildProcess) => Promise<unknown>>> = {
    "before the plugin has connected": () => Promise.resolve(),
    "when the plugin connects": (engine) => once(engine, "connection"),
    "when the plugin has named its port": (_, plugin) => once(plugin.stdout ?? assert.fail(), "data"),
  };
  for (const [when, ended] of Object.entries(ends)) {
    it(`ends by itself: ${when}`, async () => {
      const sockets: Socket[] = [];
      const engine = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
      await once(engine, "listening");
      const address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
      const plugin = spawn(process.execPath, ["plugin/pulumi-resource-neon", address], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exit = once(plugin, "exit");
      await ended(engine, plugin);
      engine.close();
      for (const socket of sockets) socket.destroy();
      assert.deepEqual(await exit, [1, null]);
    });
  }
});

describe("the plugin at Ctrl-C", () => {
  it("ends a waiting create at once, and the next run finishes it with one creation", async () => {
    const { id: projectId } = await stage().project();
    const server = await stage().anotherServer();
    const branch = new EngineResource(server, "Branch", stage().name("pr"));
    await stage().platform.fault({ action: "create_branch", end: "stuck" });
    const creating = branch.up({ projectId });
    creating.catch(() => undefined);
    await until(() => branch.said("progress").some((text) => text.startsWith("create_branch")));
    await server.cancel();
    await assert.rejects(creating, failsWith("The run was cancelled", "The next `pulumi up` resumes from here"));
    await stage().platform.clearFaults();
    assert.equal((branch.outputs["__neon"] as { pending: { stage: string } }).pending.stage, "waiting");
    await server.stop("SIGINT");
    const sent = await stage().sentBy(projectId, async () => {
      branch.server = later();
      assert.equal(await branch.up({ projectId }), "update");
    });
    assert.deepEqual(sent, []);
    assert.equal((await stage().branches(projectId)).length, 2);
  });

  it("can end any number of waiting calls, without a warning of Node", async () => {
    const { id: projectId } = await stage().project();
    const warnings: string[] = [];
    const listen = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", listen);
    try {
      await Promise.all(Array.from({ length: 12 }, () => stage().resource("Branch").up({ projectId })));
    } finally {
      process.off("warning", listen);
    }
    assert.deepEqual(warnings, []);
  });

  it("ends a function that is being tried again", async () => {
    const { id: projectId } = await stage().project();
    const server = await stage().anotherServer();
    await stage().platform.fault({ method: "GET", path: `/projects/${projectId}`, status: 503, times: 1000 });
    try {
      const reading = server.invoke("getProject", { projectId });
      reading.catch(() => undefined);
      await until(async () => (await stage().platform.requests()).some(({ path }) => path.endsWith(projectId)));
      await server.cancel();
      await assert.rejects(reading, /The run was cancelled/);
    } finally {
      await stage().platform.clearFaults();
      await server.stop();
    }
  });

  it("serves the next run when it is configured again, at the engine that has attached to it", async () => {
    const { id: projectId } = await stage().project();
    const { apiKey, apiUrl } = stage().platform;
    const server = await stage().anotherServer({ isProcess: true });
    const engine = await EngineLog.start();
    try {
      await server.cancel();
      await assert.rejects(new EngineResource(server, "Branch", "lost").up({ projectId }), /The run was cancelled/);
      await server.attach(engine.address);
      await server.configure({ apiKey, apiUrl });
      const branch = new EngineResource(server, "Branch", stage().name("pr"));
      assert.equal(await branch.up({ projectId }), "create");
      assert.ok(engine.lines.some(({ urn }) => urn === branch.urn));
      assert.deepEqual(branch.said("progress"), []);
    } finally {
      await server.stop();
      engine.stop();
    }
  });
});

describe("the plugin", () => {
  it("names an unknown setting with the nearest one, and accepts what the engine adds", async () => {
    const known = { apiKey: "napi_some_key", version: "1.0.0", pluginDownloadURL: "" };
    assert.deepEqual(await stage().server.checkConfig(known), []);
    assert.deepEqual(await stage().server.checkConfig({ ...known, apiUrll: "x" }), [
      { property: "", reason: "neon:apiUrll: is no setting; did you mean apiUrl?" },
    ]);
    // The CLI would show the value of a property that is named.
    const [invalid, ...others] = await stage().server.checkConfig({ ...known, apiUrl: "ftp://user:secret@host" });
    assert.deepEqual([invalid?.property, others], ["", []]);
    assert.match(invalid?.reason ?? "", /^neon:apiUrl: (?!.*secret)/);
    const [missing] = await stage().server.checkConfig({});
    assert.match(missing?.reason ?? "", /^neon:apiKey: /);
  });

  it("marks what is secret in inputs and outputs, at any depth", async () => {
    const { id: projectId } = await stage().project();
    const branch = stage().resource("Branch");
    const annotations = { note: "secret note", open: "yes" };
    const options = { secrets: [["annotations", "note"]] };
    const { secrets } = await branch.preview({ projectId, annotations }, options);
    assert.deepEqual(secrets, options.secrets);
    await branch.up({ projectId, annotations, compute: {} }, options);
    const marked = (): string[] => (branch.present.secrets ?? []).map((path) => path.join(".")).sort();
    const all = ["annotations.note", "connectionUri"];
    assert.deepEqual(marked(), all);
    assert.equal(await branch.refresh(), "same");
    assert.deepEqual(marked(), all);
    assert.equal(await branch.up({ projectId, annotations, compute: {} }, options), "same");
    assert.deepEqual(branch.outputs["annotations"], annotations);
  });

  it("marks an output that holds the value of a secret input under another name", async () => {
    const marked = async (secrets: readonly (readonly string[])[]): Promise<readonly string[]> => {
      const project = stage().resource("Project");
      const args = { branch: { roleName: "reader", databaseName: "shop" } };
      await project.up(args, { secrets });
      assert.equal(await project.refresh(), "same");
      const paths = (project.present.secrets ?? []).map((path) => path.join("."));
      return paths.filter((path) => !path.startsWith("branch")).sort();
    };
    assert.deepEqual(await marked([]), ["connectionUri"]);
    assert.deepEqual(await marked([["branch", "roleName"]]), ["connectionUri", "roleName"]);
    assert.deepEqual(await marked([["branch"]]), ["connectionUri", "databaseName", "roleName"]);
  });

  it("returns a text of the platform that the engine would take for an unknown value as a text", async () => {
    const { id: projectId } = await stage().project();
    const { id } = await stage().branch(projectId, {
      annotation_value: { note: unknownText },
      branch: { name: "odd" },
    });
    const about = { urn: urnOf("Branch", "odd", "plugin") };
    const read = await stage().server.lookUp("Branch", `${projectId}/${id}`, about);
    assert.deepEqual(read.outputs["annotations"], { note: `text ${unknownText}` });
    const branch = stage().resource("Branch", "odd");
    branch.state = { ...read, failed: [] };
    assert.equal(await branch.refresh(), "same");
    assert.equal(await branch.up({ projectId, name: "odd" }), "same");
  });

  it("previews an update with the old outputs, and as unknown only what the change can move", async () => {
    const { branch, program, projectId } = await createdBranch(stage(), { compute: {} });
    const preview = async (args: Values): Promise<Values> => {
      const { inputs } = await branch.preview(args);
      const about = { urn: branch.urn, oldInputs: branch.present.inputs, preview: true };
      const { outputs } = await stage().server.update("Branch", branch.id, branch.outputs, inputs, about);
      return outputs;
    };
    const { __neon: _, ...outputs } = branch.outputs;
    const unknown = (values: Values): string[] => Object.keys(values).filter((name) => values[name] === unknownText);
    const moved = ["connectionUri", "databaseName", "endpointId", "host", "poolerHost", "roleName"];
    const sent = await stage().sentBy(projectId, async () => {
      assert.deepEqual(await preview({ ...program, name: "renamed" }), { ...outputs, name: "renamed" });
      assert.deepEqual(unknown(await preview({ projectId })).sort(), moved);
    });
    assert.deepEqual(sent, []);
  });

  it("leaves no orphan when a resource is renamed with an alias and replaced in one run", async () => {
    const { branch, projectId, program } = await createdBranch(stage());
    const old = branch.outputs["branchId"];
    const other = await stage().branch(projectId);
    const renamed = new EngineResource(later(), "Branch", stage().name("renamed"));
    renamed.state = branch.state;
    assert.equal(await renamed.up({ ...program, name: "other", parentId: other.id }), "replace");
    assert.deepEqual(
      renamed.said("warning").filter((text) => text.includes("not deleted")),
      [],
    );
    const ids = (await stage().branches(projectId)).map(({ id }) => id);
    assert.deepEqual([ids.length, ids.includes(String(old))], [3, false]);
  });
});

describe("an import through the plugin", () => {
  for (const sample of everySample) {
    const { kind } = sample;
    it(`of ${titleOf(sample)} is followed by no change, also if the program declares no more than it has to`, async () => {
      const declared = await sample.declare(stage());
      const resource = stage().resource(kind);
      await resource.up(declared);
      const imported = new EngineResource(later(), kind, stage().name("imported"));
      for (const all of [false, true]) {
        const read = await imported.server.lookUp(kind, resource.id, { urn: imported.urn });
        imported.state = { ...read, failed: [] };
        const program = all ? read.inputs : required(kind, read.inputs);
        assert.deepEqual(await stage().sentBy("", () => imported.up(program)), []);
        assert.equal(imported.did, "same");
        assert.equal(imported.id, resource.id);
        assert.equal(await imported.refresh(), "same");
      }
    });
  }

  it("of what another resource of the stack has is reported", async () => {
    const { branch, program } = await createdBranch(stage());
    assert.equal(await branch.up(program), "same");
    const urn = urnOf("Branch", "imported", "plugin");
    const read = await stage().server.lookUp("Branch", branch.id, { urn });
    const refused = await stage()
      .server.check("Branch", read.inputs, read.inputs, { urn })
      .then(({ failures }) => failures.map(({ reason }) => reason).join())
      .catch((error: unknown) => (error instanceof CallError ? error.message : ""));
    assert.match(refused, new RegExp(`is already managed by Branch "${branch.name}"`));
  });
});

describe("a stack that moves from dynamic providers to the plugin and back", () => {
  const options = { timeouts: { delete: "10m" } };
  for (const sample of everySample) {
    const { kind } = sample;
    it(`keeps ${titleOf(sample)} unchanged`, async () => {
      const declared = await sample.declare(stage());
      const first = new EngineResource(dynamic(), kind, stage().name("moving"));
      await first.up(declared, options);
      const moves = async (): Promise<void> => {
        const second = through(stage().server, first);
        assert.equal(await second.up(declared, options), "same");
        assert.equal(await second.refresh(), "same");
        assert.equal(await second.up(declared, options), "same");
        const third = through(dynamic(), second);
        assert.equal(await third.up(declared, options), "same");
        assert.equal(await third.refresh(), "same");
      };
      assert.deepEqual(await stage().sentBy("", moves), []);
    });
  }

  it("keeps through an update what the dynamic provider has added to the outputs", async () => {
    const { id: projectId } = await stage().project();
    const first = new EngineResource(dynamic(), "Branch", stage().name("added"));
    const added = { urn: first.urn, provider: "other", timeouts: { delete: "10m" } };
    await first.up({ projectId, __neon: added });
    const second = through(stage().server, first);
    assert.equal(await second.up({ projectId, name: "renamed" }), "update");
    const { urn, provider, timeouts } = second.outputs["__neon"] as Values;
    assert.deepEqual({ urn, provider, timeouts }, added);
  });

  for (const [from, to] of [
    ["dynamic", "plugin"],
    ["plugin", "dynamic"],
  ] as const) {
    it(`finishes through ${to} a creation that has failed half-way through ${from}`, async () => {
      const servers = { dynamic: dynamic(), plugin: stage().server };
      const { id: projectId } = await stage().project();
      const first = new EngineResource(servers[from], "Branch", stage().name("pr"));
      await stage().platform.fault({ action: "start_compute", end: "error" });
      await assert.rejects(first.up({ projectId, compute: {} }, options));
      await stage().platform.clearFaults();
      assert.ok(first.state);
      const second = through(servers[to], first);
      assert.equal(await second.up({ projectId, compute: {} }, options), "update");
      const third = through(servers[from], second);
      assert.equal(await third.up({ projectId, compute: {} }, options), "same");
      assert.equal((await stage().branches(projectId)).length, 2);
    });
  }
});
