import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";

import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { describe, it } from "mocha";

import { suiteFolder } from "../support/folder";
import { tool } from "../support/tool";

interface Bundle {
  readonly bundlePlugin: (file: string) => Promise<void>;
}

describe("package: the plugin of a release", () => {
  const folder = suiteFolder("neon-pulumi-bundle-");

  it("is one file of less than 2 MB that answers with its version and its schema", async () => {
    const file = join(folder, "plugin.cjs");
    const { bundlePlugin } = await tool<Bundle>("release/bundle.mjs");
    await bundlePlugin(file);
    assert.ok(statSync(file).size <= 2_000_000, `it has ${statSync(file).size} bytes`);
    // In a folder of its own, from which no package is found.
    const child = spawn(process.execPath, [file], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [port] = (await once(child.stdout, "data")) as [Buffer];
      const client = new ResourceProviderClient(`127.0.0.1:${String(port).trim()}`, credentials.createInsecure());
      const version = await new Promise<string>((resolve, reject) => {
        client.getPluginInfo(new Empty(), (error, info) => (error ? reject(error) : resolve(info.getVersion())));
      });
      const schema = await new Promise<string>((resolve, reject) => {
        client.getSchema(new GetSchemaRequest(), (error, answer) =>
          error ? reject(error) : resolve(answer.getSchema()),
        );
      });
      client.close();
      assert.equal((JSON.parse(schema) as { version: string }).version, version);
    } finally {
      child.kill();
    }
  });
});
