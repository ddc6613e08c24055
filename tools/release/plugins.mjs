// The archives for `pulumi plugin install`, one for each system.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../base/paths.mjs";
import { step } from "../base/progress.mjs";
import { writeLicenses } from "../base/licenses.mjs";
import { pack } from "./archive.mjs";
import { bundle } from "./bundle.mjs";
import { assertStarts, prepareBlob, writeExecutable } from "./executable.mjs";
import { nodeFor } from "./node.mjs";

/** @typedef {import("./node.mjs").Processor} Processor */

const name = "pulumi-resource-neon";

/** Go's names for processors, by Node's. */
const processors = /** @type {const} */ ({ x64: "amd64", arm64: "arm64" });

const launchers = {
  darwin: { file: name, text: `#!/bin/sh\nexec node "$(dirname "$0")/${name}.cjs" "$@"\n` },
  windows: { file: `${name}.cmd`, text: `@node "%~dp0${name}.cjs" %*\r\n` },
};

/**
 * Writes the archives of the plugin.
 *
 * @param {object} release
 * @param {string} release.folder
 * @param {string} release.work A folder for temporary files.
 * @param {string} release.version
 * @param {string} release.schema
 */
export async function writePlugins({ folder, work, version, schema }) {
  /** @param {string} system @param {string} processor */
  const archive = (system, processor) => join(folder, `${name}-v${version}-${system}-${processor}.tar.gz`);
  const script = join(work, `${name}.cjs`);
  const licenses = join(work, "THIRD-PARTY-LICENSES");
  await step("bundle", async () => writeLicenses(licenses, await bundle(script, schema)));

  /** @param {string} files A folder for the content of an archive. */
  const prepare = (files) => {
    mkdirSync(files);
    cpSync(join(root, "LICENSE"), join(files, "LICENSE"));
    cpSync(licenses, join(files, "THIRD-PARTY-LICENSES"));
    return files;
  };
  for (const [system, launcher] of Object.entries(launchers)) {
    await step(`plugin for ${system}, with the user's Node`, async () => {
      const files = prepare(join(work, system));
      cpSync(script, join(files, `${name}.cjs`));
      writeFileSync(join(files, launcher.file), launcher.text, { mode: 0o755 });
      for (const processor of Object.values(processors)) await pack(archive(system, processor), files);
    });
  }

  const own = await nodeFor(/** @type {Processor} */ (process.arch));
  const blob = await prepareBlob(own.program, work, `${name}.cjs`);
  for (const [processor, goName] of Object.entries(processors)) {
    const node = await nodeFor(/** @type {Processor} */ (processor));
    await step(`plugin for linux, ${goName}`, async () => {
      const files = prepare(join(work, `linux-${goName}`));
      cpSync(node.license, join(files, "NODE-LICENSE"));
      await writeExecutable(join(files, name), node.program, blob);
      if (processor === process.arch) await assertStarts(join(files, name));
      await pack(archive("linux", goName), files);
    });
  }
}
