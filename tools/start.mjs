// `npm start`: from a fresh clone to a running quickstart.
import { findCli } from "./cli/find.mjs";
import { Failure } from "./base/failure.mjs";
import { main } from "./base/main.mjs";
import { oneAtATime } from "./base/one-at-a-time.mjs";
import { isWatched, say, step } from "./base/progress.mjs";
import { buildProduct } from "./steps/build.mjs";
import { installProduct } from "./steps/install.mjs";
import { ensurePlatform } from "./steps/platform.mjs";
import { queryNewestBranch } from "./steps/query.mjs";
import { ensureStack, releaseDeadLocks, stackName, up } from "./steps/stack.mjs";
import { tree } from "./steps/tree.mjs";

/** Show the engine's own lines only on request, and in logs. */
const isVerbose = process.argv.includes("--verbose") || !isWatched();

await main(() =>
  oneAtATime(async () => {
    await installProduct();
    await buildProduct();
    const cli = await findCli();
    const platform = await step("local platform", (note) => ensurePlatform(note));
    await step(`stack ${stackName}`, () => ensureStack(cli, platform));
    await releaseDeadLocks(cli);
    if (isVerbose) say();
    if ((await up(cli, isVerbose)) !== 0) {
      throw new Failure(
        "`pulumi up` failed; see its output above. The local platform's log is .state/platform/run/platform.log.\n" +
          "Run `npm start` again to resume, or `npm run destroy` to destroy the quickstart.",
      );
    }
    say(`\n${await tree(platform.consoleUrl)}\n`);
    say(await queryNewestBranch(platform.consoleUrl));
    say(whatNext(platform));
  }),
);

/** @param {import("./steps/platform.mjs").Platform} platform */
function whatNext({ consoleUrl, apiUrl, apiKey }) {
  return `
Console: ${consoleUrl}
  what was created, where the time of \`pulumi up\` went, and SQL on each branch

Next:
  npm start                          run it again: nothing changes; --verbose shows the engine's lines
  change examples/quickstart/index.ts, then npm start
                                     apply only what you changed
  npm run pulumi -- preview --diff   show changes before you apply them
  npm run pulumi -- stack output databaseUrl --show-secrets
                                     print the secret output
  node dist/platform/main.js psql staging --data .state/platform
                                     open a session in the branch (needs psql)
  node dist/platform/main.js run --data .state/platform -- <command>
                                     run a program of yours against this platform: sets its address and a key
  export NEON_API_HOST=${apiUrl} NEON_API_KEY=${apiKey}
                                     the same for all commands of a shell; the key is good for this platform only
  npm run pulumi -- stack            list the resources; any other command of the CLI works, too
  npm run destroy                    destroy the quickstart
`;
}
