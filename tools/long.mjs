// `npm run test:long -- --minutes 60`: runs the reliability campaigns for that long, and prints one line of counts.
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
  const long = built("tests", "reliability", "long.js");
  const { code } = await run(process.execPath, [long, ...process.argv.slice(2)], { env, show: true });
  return code;
});
