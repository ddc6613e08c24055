// `npm run test:contract`: the contract suite alone, against the local platform. `-- --real` runs it against the
// account that the environment names. The environment alone, without the argument, never selects a real account.
import { main } from "./base/main.mjs";
import { say } from "./base/progress.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";
import { mocha, testFiles } from "./steps/mocha.mjs";

const args = process.argv.slice(2);
const real = args.includes("--real");

await main(async () => {
  await install();
  await build();
  const toMocha = args.filter((arg) => arg !== "--real");
  const env = { ...process.env, NEON_CONTRACT: real ? "real" : "local" };
  const { passed, failed, skipped } = await mocha(testFiles("tests/contract"), toMocha, env);
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
});
