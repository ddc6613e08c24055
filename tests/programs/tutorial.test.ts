import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { after, before, describe, it } from "mocha";

import { installation, lockedVersion } from "../package/installation";
import { cliEnvironment, cliFolder } from "../support/cli";
import { runPlatform } from "../support/platform-process";
import { makeFastFolder } from "../support/postgres-files";
import { assertNoSecret } from "../support/stack";
import { Shell, stepsOf, untrueLine, writeStep } from "../support/walkthrough";

const page = "docs/tutorial.md";
/** The command that builds the packages. The tests have built them already. */
const building = "npm pack . ./platform";

/** The folder in which a reader has the clone, with the files that the page's first command makes. */
async function makeHome(): Promise<string> {
  const home = makeFastFolder("neon-pulumi-tutorial-");
  const { folder } = await installation();
  mkdirSync(join(home, "neon-pulumi"));
  for (const [name, manifest] of [
    ["neon-pulumi", "package.json"],
    ["neon-platform", "platform/package.json"],
  ] as const) {
    const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string };
    cpSync(join(folder, `${name}.tgz`), join(home, "neon-pulumi", `${name}-${version}.tgz`));
  }
  // A terminal shows no progress of curl.
  writeFileSync(join(home, ".curlrc"), "no-progress-meter\n");
  return home;
}

/** A command as this repository tests it: with its own versions of packages, and for the processor of this machine. */
function pinned(command: string): string {
  if (!command.startsWith("npm install ")) return command;
  return command
    .replace("linux-x64", `linux-${process.arch}`)
    .replace(/(?<= )(@[\w-]+\/)?[\w-]+(?= |$)/g, (name) =>
      name === "install" ? name : `${name}@${lockedVersion(name)}`,
    );
}

describe("programs: the tutorial", function () {
  this.timeout(1_800_000);
  let home = "";
  let shell: Shell;
  before(async () => {
    home = await makeHome();
    shell = new Shell(home, {
      ...cliEnvironment(cliFolder()),
      PULUMI_HOME: join(home, "pulumi"),
      CURL_HOME: home,
      npm_config_prefer_offline: "true",
    });
  });
  after(async () => {
    shell.end();
    await runPlatform(["stop", "--data", join(home, "shop", ".neon-platform")]);
    rmSync(home, { recursive: true, force: true });
  });

  it("does in a shell what it says, command by command, and prints what it shows", async () => {
    for (const step of stepsOf(page)) {
      if ("file" in step) {
        writeStep(join(home, "shop"), step);
        continue;
      }
      const where = `${page}:${step.line}`;
      let output = "";
      let isFailed = false;
      for (const command of step.commands.filter((each) => each !== building)) {
        assert.ok(!isFailed, `${where}: a command failed before \`${command}\`:\n${output}`);
        const ended = await shell.run(pinned(command));
        output += ended.output;
        isFailed = ended.code !== 0;
      }
      assert.equal(isFailed, /^ *error: /m.test(step.shown), `${where}: failed, or did not fail:\n${output}`);
      assertNoSecret(output, where);
      assert.equal(untrueLine(step.shown, output), undefined, `${where}: the output is another one:\n${output}`);
      assertComparesEachLine(step.shown, output);
    }
  });
});

/** Asserts that no line which a page shows could be another one. */
function assertComparesEachLine(shown: string, output: string): void {
  const lines = shown.split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "" || line === "…") continue;
    const changed = lines.with(index, `${line} or not`).join("\n");
    assert.notEqual(untrueLine(changed, output), undefined, `"${line}" is not compared`);
  }
}
