// `npm run bench`: measures the package against floors and peers of the same run. `-- --write` writes docs/internals/benchmarks.md.
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
  const program = built("tests", "bench", "bench.js");
  const { code } = await run(process.execPath, [program, ...process.argv.slice(2)], { env, show: true });
  return code;
});
