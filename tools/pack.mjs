// Runs before `npm pack`, also in a fresh clone: installs and builds a package, without the dependencies of tests. The argument
// `platform` builds the package of the local platform.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { compiler, root } from "./base/paths.mjs";
import { keepOutputClean, step } from "./base/progress.mjs";
import { run } from "./base/run.mjs";
import { buildProduct } from "./steps/build.mjs";
import { installProduct } from "./steps/install.mjs";

await main(async () => {
  // npm writes the name of the file to standard output.
  keepOutputClean();
  await installProduct();
  if (process.argv[2] === "platform") await buildPlatform();
  else await buildProduct();
});

/** Compiles the platform to a folder of its own, with its copy of the wire schemas. `npm run build` checks the types. */
async function buildPlatform() {
  const platform = join(root, "platform");
  const output = join(platform, "dist");
  const build = async () => {
    // Remove output of sources that no longer exist.
    rmSync(output, { recursive: true, force: true });
    const page = [join(platform, "console", "build.mjs"), join(output, "platform", "console")];
    for (const args of [[compiler, "-p", platform, "--noCheck"], page]) {
      const { code, output: said } = await run(process.execPath, args, { cwd: root });
      if (code !== 0) throw new Failure("The build of neon-platform failed.", said);
    }
  };
  await step("build of neon-platform", build, "10 s");
}
