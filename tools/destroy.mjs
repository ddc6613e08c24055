// `npm run destroy`: destroys everything that `npm start` has created, even if that was interrupted.
import { existsSync } from "node:fs";
import { findCli } from "./cli/find.mjs";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { oneAtATime } from "./base/one-at-a-time.mjs";
import { state } from "./base/paths.mjs";
import { say, step } from "./base/progress.mjs";
import { buildProduct } from "./steps/build.mjs";
import { installProduct } from "./steps/install.mjs";
import { ensurePlatform, removePlatform } from "./steps/platform.mjs";
import { destroy, ensureStack, forgetStack, hasStack, releaseDeadLocks, removeStack } from "./steps/stack.mjs";

const force = process.argv.includes("--force");
/** `--data` also deletes the data of other programs that have used the local platform. */
const data = process.argv.includes("--data");

await main(async () => {
  if (!existsSync(state)) {
    say("Nothing to destroy: `npm start` has not run here.");
    return;
  }
  const left = await oneAtATime(async () => {
    if (hasStack() && !force) await emptyStack();
    forgetStack();
    return await step("local platform", (note) => removePlatform(note, { data }), "5 s");
  });
  say("The quickstart was destroyed. The Pulumi CLI stays in its cache.");
  if (left !== undefined) say(left);
});

async function emptyStack() {
  await installProduct();
  await buildProduct();
  const cli = await findCli();
  const platform = await step("local platform", (note) => ensurePlatform(note));
  await ensureStack(cli, platform);
  await releaseDeadLocks(cli);
  say();
  if ((await destroy(cli)) !== 0) {
    throw new Failure(
      "`pulumi destroy` failed; see its output above. Run `npm run destroy` again to resume.\n" +
        "`npm run destroy -- --force` removes the stack without running Pulumi; with `--data`, the platform's data, too.",
    );
  }
  await step("stack removed", () => removeStack(cli));
}
