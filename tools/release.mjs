// `npm run release`: writes everything that a release publishes to `release/`. `-- --download-url <address>` sets the
// address from which the Pulumi CLI downloads the plugin: an https address of a folder, or
// `github://api.github.com/<owner>/<repository>`.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { npm } from "./base/npm.mjs";
import { built, root } from "./base/paths.mjs";
import { say, step } from "./base/progress.mjs";
import { nodePackages } from "./release/node.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";

const { values } = parseArgs({ options: { "download-url": { type: "string" } } });

await main(async () => {
  if (process.platform !== "linux" || !(process.arch in nodePackages)) {
    throw new Failure("A release is made on Linux, on amd64 or arm64: its executables are built with Node for Linux.");
  }
  await install();
  await build();
  // Loaded late, because these modules need packages that exist only after the installation.
  const { schemaText } = createRequire(import.meta.url)(built("tools", "generate", "files.js"));
  const { writePlugins } = await import("./release/plugins.mjs");
  const { writeSdks } = await import("./release/sdks.mjs");

  const url = values["download-url"];
  const schema = schemaText(url === undefined ? {} : { pluginDownloadURL: url });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folder = join(root, "release");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const work = mkdtempSync(join(tmpdir(), "neon-pulumi-release-"));
  try {
    await writePlugins({ folder, work, version, schema });
    await writeSdks({ folder, work, version, schema });
    await step("npm packages", async () => {
      await packNpm(folder, root);
      await packNpm(folder, join(root, "platform"));
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  writeFileSync(join(folder, "schema.json"), `${schema}\n`);
  cpSync(join(root, "tools", "release", "README.md"), join(folder, "README.md"));
  const names = readdirSync(folder);
  const sums = names.map((name) => {
    const content = readFileSync(join(folder, name));
    say(`  ${(content.length / 1e6).toFixed(2).padStart(6)} MB  ${name}`);
    return `${createHash("sha256").update(content).digest("hex")}  ${name}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
});

/**
 * Packs a folder as `npm publish` would.
 *
 * @param {string} folder Where to write the package.
 * @param {string} from
 */
async function packNpm(folder, from) {
  const { code, output } = await npm(["pack", from, "--silent", "--pack-destination", folder]);
  if (code !== 0) throw new Failure(`\`npm pack\` of ${from} failed.`, output);
}
