// `node tools/with-cli.mjs tests/bench/bench.js --quick`: runs a built program with the Pulumi CLI on its PATH.
import { findCli, withCli } from "./cli/find.mjs";
import { main } from "./base/main.mjs";
import { built } from "./base/paths.mjs";
import { run } from "./base/run.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";

await main(async () => {
  const [program = "", ...args] = process.argv.slice(2);
  await install();
  await build();
  const env = withCli(await findCli(), process.env);
  const { code } = await run(process.execPath, [built(program), ...args], { env, show: true });
  return code;
});
