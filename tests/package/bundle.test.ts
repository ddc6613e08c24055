import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  GetSchemaRequest,
  type GetSchemaResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { after, before, describe, it } from "mocha";

import { suiteFolder } from "../support/folder";
import { tool } from "../support/tool";

interface Bundling {
  readonly bundle: (file: string, schema: string) => Promise<readonly string[]>;
}

interface Licenses {
  readonly writeLicenses: (file: string, folders: readonly string[]) => void;
}

describe("package: the bundle of the plugin", () => {
  const folder = suiteFolder("neon-pulumi-bundle-");
  const file = join(folder, "plugin.cjs");
  const schema = {
    ...(JSON.parse(readFileSync("plugin/schema.json", "utf8")) as object),
    pluginDownloadURL: "https://plugins.example",
  };
  let packages: readonly string[];
  let child: ChildProcessByStdio<null, Readable, null>;
  let client: ResourceProviderClient;
  before(async () => {
    const { bundle } = await tool<Bundling>("release/bundle.mjs");
    packages = await bundle(file, JSON.stringify(schema));
    // Nothing of this repository can be found from there.
    child = spawn(process.execPath, [file], { cwd: folder, env: {}, stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    client = new ResourceProviderClient(`127.0.0.1:${String(port).trim()}`, credentials.createInsecure());
  });
  after(async () => {
    client.close();
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });

  it("has at most 2 MB", () => {
    assert.ok(statSync(file).size <= 2_000_000, `${statSync(file).size} bytes`);
  });

  it("answers with the version of the package", async () => {
    const info = await promisify<Empty, PluginInfo>(client.getPluginInfo.bind(client))(new Empty());
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    assert.equal(info.getVersion(), version);
  });

  it("answers with the schema of the release", async () => {
    const answer = await promisify<GetSchemaRequest, GetSchemaResponse>(client.getSchema.bind(client))(
      new GetSchemaRequest(),
    );
    assert.deepEqual(JSON.parse(answer.getSchema()), schema);
  });

  it("names a misspelled setting", async () => {
    const request = new CheckRequest();
    request.setNews(Struct.fromJavaScript({ apiKey: "key", apiUrlx: "https://api.example" }));
    const answer = await promisify<CheckRequest, CheckResponse>(client.checkConfig.bind(client))(request);
    assert.deepEqual(
      answer.getFailuresList().map((failure) => failure.getReason()),
      ["neon:apiUrlx: is no setting; did you mean apiUrl?"],
    );
  });

  it("comes with the license of every package in it", async () => {
    const { writeLicenses } = await tool<Licenses>("base/licenses.mjs");
    const licenses = join(folder, "licenses");
    writeLicenses(licenses, packages);
    const headings = readFileSync(licenses, "utf8").match(/^\S+ \d+\.\d+\.\d+ \(.+\)$/gm) ?? [];
    const names = headings.map((heading) => heading.replace(/ .*/, ""));
    assert.deepEqual(names.sort(), packages.map((path) => path.replace(/^.*node_modules\//, "")).sort());
    assert.ok(
      ["zod", "@pulumi/pulumi", "node-fetch"].every((name) => names.includes(name)),
      `only ${names.join(", ")}`,
    );
  });
});
