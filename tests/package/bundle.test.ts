import assert from "node:assert/strict";
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  GetMappingRequest,
  type GetMappingResponse,
  GetMappingsRequest,
  type GetMappingsResponse,
  GetSchemaRequest,
  type GetSchemaResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
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

  it("has at most 2.1 MB", () => {
    assert.ok(statSync(file).size <= 2_100_000, `${statSync(file).size} bytes`);
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

  it("answers with the mapping of Terraform's names, and with none for other tools", async () => {
    const mapping = async (key: string, provider: string): Promise<string> => {
      const request = new GetMappingRequest();
      request.setKey(key);
      request.setProvider(provider);
      const call = promisify<GetMappingRequest, GetMappingResponse>(client.getMapping.bind(client));
      return Buffer.from((await call(request)).getData_asU8()).toString();
    };
    const { name, resources } = JSON.parse(await mapping("terraform", "neon")) as {
      readonly name: string;
      readonly resources: Readonly<Record<string, { readonly tok: string }>>;
    };
    assert.deepEqual([name, resources["neon_branch"]?.tok], ["neon", "neon:index:Branch"]);
    assert.deepEqual([await mapping("terraform", "aws"), await mapping("arm", "neon")], ["", ""]);
    const request = new GetMappingsRequest();
    request.setKey("terraform");
    const mappings = promisify<GetMappingsRequest, GetMappingsResponse>(client.getMappings.bind(client));
    assert.deepEqual((await mappings(request)).getProvidersList(), ["neon"]);
  });

  it("has the command `import`", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [file, "import", "--help"], {
      cwd: folder,
      env: {},
    });
    assert.match(stdout, /^Usage: neon-pulumi import \[options\]/);
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
