// `npm run release`: writes everything that a release consists of into release/. On Linux, with Go, Python and npm.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { binFolder, python } from "./cli/languages.mjs";
import { Failure } from "./failure.mjs";
import { main } from "./main.mjs";
import { compiler, installed, root, state } from "./paths.mjs";
import { say, step } from "./progress.mjs";
import { bundlePlugin } from "./release/bundle.mjs";
import { executablesOf, nodeVersion } from "./release/executable.mjs";
import { run } from "./run.mjs";
import { schemaOf } from "./schema/package.mjs";
import { writeSdk } from "./sdk.mjs";
import { build } from "./steps/build.mjs";
import { installPython } from "./steps/languages.mjs";

const release = join(root, "release");
const work = join(state, "release");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Where the CLI downloads plugins from; without one, users install the archives with `pulumi plugin install --file`. */
const pluginDownloadURL = process.argv
  .find((arg) => arg.startsWith("--download-url="))
  ?.slice("--download-url=".length);

const readme = `# neon-pulumi ${version}

| File                                        | Contents                                                                 |
| ------------------------------------------- | ------------------------------------------------------------------------ |
| \`neon-pulumi-*.tgz\`                       | the npm package: dynamic provider and plugin, for Node                   |
| \`neon-platform-*.tgz\`                     | the local platform                                                       |
| \`pulumi-resource-neon-*-linux-*\`          | the plugin as one executable that contains Node ${nodeVersion}           |
| \`pulumi-resource-neon-*-{darwin,windows}\` | the plugin as one file that needs Node 20.19, or 22.12 or newer          |
| \`neon_pulumi-*.whl\`                       | the SDK for Python                                                       |
| \`neon-pulumi-sdk-go-*\`                    | the SDK for Go                                                           |
| \`neon-pulumi-sdk-*.tgz\`                   | the generated SDK for Node, for those who do not want \`neon-pulumi\`    |
| \`sbom.cdx.json\`, \`SHA256SUMS\`           | bill of materials (CycloneDX), checksums                                 |

    pulumi plugin install resource neon v${version} --file pulumi-resource-neon-v${version}-linux-amd64.tar.gz

Tried: Linux on amd64, with YAML, Python, Go and Node. Not tried: a registry, Linux on arm64, macOS, Windows, C# and Java.
`;

await main(async () => {
  for (const folder of [release, work]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [release, work]) mkdirSync(folder, { recursive: true });
  await build();
  await step("plugin", plugins);
  await step("packages for Node", packages);
  await step("SDKs", sdks);
  await step("bill of materials", billOfMaterials);
  writeFileSync(join(release, "README.md"), readme);
  const files = readdirSync(release).sort();
  writeFileSync(join(release, "SHA256SUMS"), files.map((file) => `${sum(join(release, file))}  ${file}\n`).join(""));
  say(`${files.length + 1} files in ${release}`);
});

/** One archive for each system, as `pulumi plugin install` expects it. */
async function plugins() {
  const bundle = join(work, "plugin.cjs");
  await bundlePlugin(bundle);
  const writeExecutable = await executablesOf(bundle, work);
  for (const os of ["linux", "darwin", "windows"]) {
    for (const [arch, nodeArch] of /** @type {const} */ ([
      ["amd64", "x64"],
      ["arm64", "arm64"],
    ])) {
      const folder = join(work, `${os}-${arch}`);
      mkdirSync(folder);
      copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
      copyFileSync(`${bundle}.LEGAL.txt`, join(folder, "THIRD-PARTY.txt"));
      const program = join(folder, "pulumi-resource-neon");
      if (os === "linux") {
        await writeExecutable(nodeArch, program);
      } else {
        copyFileSync(bundle, join(folder, "plugin.cjs"));
        if (os === "windows") writeFileSync(`${program}.cmd`, '@node "%~dp0plugin.cjs" %*\r\n');
        else writeFileSync(program, '#!/bin/sh\nexec node "$(dirname "$0")/plugin.cjs" "$@"\n');
        if (os !== "windows") chmodSync(program, 0o755);
      }
      await archive(`pulumi-resource-neon-v${version}-${os}-${arch}`, folder);
    }
  }
}

/** The two npm packages. */
async function packages() {
  await expectSuccess("npm", ["pack", "--silent", "--pack-destination", release]);
  await expectSuccess("npm", ["pack", "--silent", "--workspace", "platform", "--pack-destination", release]);
}

/** The generated SDKs, each as its language distributes packages. */
async function sdks() {
  const schema = join(work, "schema.json");
  writeFileSync(schema, JSON.stringify(await schemaOf(pluginDownloadURL === undefined ? {} : { pluginDownloadURL })));

  const go = join(work, "go");
  await writeSdk("go", go, schema);
  await archive(`neon-pulumi-sdk-go-${version}`, go);

  const pythonFolder = join(work, "python");
  await writeSdk("python", pythonFolder, schema);
  const problem = await installPython();
  if (problem !== undefined) throw new Failure(`The Python package cannot be built: ${problem}`);
  const wheel = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--disable-pip-version-check", "--wheel-dir", release];
  await expectSuccess(join(python.folder(), binFolder, "python"), [...wheel, pythonFolder], {
    SOURCE_DATE_EPOCH: "315532800",
  });

  const node = join(work, "nodejs");
  await writeSdk("nodejs", node, schema);
  symlinkSync(installed(), join(node, "node_modules"));
  await expectSuccess(process.execPath, [compiler, "-p", node, "--outDir", join(node, "bin"), "--skipLibCheck"]);
  rmSync(join(node, "node_modules"));
  await expectSuccess("npm", ["pack", "--silent", "--pack-destination", release, node]);
}

/** What the product consists of, without what differs from run to run. */
async function billOfMaterials() {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
  const { code, stdout, output } = await run("npm", args, { cwd: root });
  if (code !== 0) throw new Failure("`npm sbom` failed.", output);
  const { serialNumber: _, metadata, ...bill } = JSON.parse(stdout);
  const { timestamp: __, ...kept } = metadata;
  writeFileSync(join(release, "sbom.cdx.json"), `${JSON.stringify({ ...bill, metadata: kept }, undefined, 2)}\n`);
}

/**
 * An archive of a folder that depends on its files only.
 *
 * @param {string} name
 * @param {string} folder
 */
async function archive(name, folder) {
  const file = join(work, `${name}.tar`);
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=rX,u+rw,a-s"];
  await expectSuccess("tar", [...same, "-cf", file, "-C", folder, "."]);
  await expectSuccess("gzip", ["-9", "--no-name", file]);
  copyFileSync(`${file}.gz`, join(release, `${name}.tar.gz`));
}

/** @param {string} command @param {string[]} args @param {Record<string, string>} [environment] */
async function expectSuccess(command, args, environment = {}) {
  const { code, output } = await run(command, args, { cwd: root, env: { ...process.env, ...environment } });
  if (code !== 0) throw new Failure(`\`${command} ${args.join(" ")}\` failed.`, output);
}

/** @param {string} file */
function sum(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
