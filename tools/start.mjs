// `npm start`: from a fresh clone to a running quickstart.
import { findCli } from "./cli/find.mjs";
import { Failure } from "./failure.mjs";
import { main } from "./main.mjs";
import { oneAtATime } from "./one-at-a-time.mjs";
import { say, step } from "./progress.mjs";
import { build } from "./steps/build.mjs";
import { install } from "./steps/install.mjs";
import { ensurePlatform } from "./steps/platform.mjs";
import { ensureStack, releaseDeadLocks, stackName, up } from "./steps/stack.mjs";

await main(() =>
  oneAtATime(async () => {
    await install();
    await build();
    const cli = await findCli();
    const platform = await step("local platform", (note) => ensurePlatform(note));
    await step(`stack ${stackName}`, () => ensureStack(cli, platform));
    await releaseDeadLocks(cli);
    say();
    if ((await up(cli)) !== 0) {
      throw new Failure(
        "`pulumi up` failed; what it says is above. The local platform's log: .state/platform.log\n" +
          "Run `npm start` again to go on from there, or `npm run destroy` to take all down.",
      );
    }
    say(whatNext(platform.consoleUrl));
  }),
);

/** @param {string} consoleUrl */
function whatNext(consoleUrl) {
  return `
That was the real \`pulumi up\`, on a platform that runs on this machine (${consoleUrl}).

What to try next
  npm start                          again: nothing changes
  change examples/quickstart/index.ts, then npm start
                                     only what changed is done
  npm run pulumi -- preview --diff   look before you leap
  npm run pulumi -- stack output connectionUri --show-secrets
                                     the secret that \`up\` does not print
  npm run pulumi -- stack            what there is; any other command of the CLI works like this too
  npm run destroy                    take it all down
`;
}
