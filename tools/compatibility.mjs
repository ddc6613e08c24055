// `npm run test:compatibility`: the package with each package manager, Node, loader and compiler. `-- --write` writes the
// table of docs/compatibility.md, `-- --only pnpm` runs the cases whose titles contain the text.
import { findCli, withCli } from "./cli/find.mjs";
import { main } from "./base/main.mjs";
import { built } from "./base/paths.mjs";
import { run } from "./base/run.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";

await main(async () => {
  await install();
  await build();
  const env = withCli(await findCli(), process.env);
  const program = built("tests", "package", "compatibility", "run.js");
  const { code } = await run(process.execPath, [program, ...process.argv.slice(2)], { env, show: true });
  return code;
});
