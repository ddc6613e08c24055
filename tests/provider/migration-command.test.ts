import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { type Clock, systemClock } from "../../api/core/clock";
import { NeonError } from "../../api/core/errors";
import { runCommand } from "../../provider/resources/migration/command";
import { CommandOutput } from "../../provider/resources/migration/output";
import { isAlive } from "../../platform/postgres/is-alive";
import { suiteFolder } from "../support/folder";
import { until } from "../support/until";

/** A clock whose pauses are short, so that a command soon counts as one that does not end. */
const hurried: Clock = {
  now: () => systemClock.now(),
  date: () => systemClock.date(),
  sleep: (milliseconds, signal) => systemClock.sleep(milliseconds / 100, signal),
};

/** The lines that a text comes to, in pieces of this length. */
function linesOf(text: string, size: number, secrets: readonly string[]): string[] {
  const lines: string[] = [];
  const output = new CommandOutput(secrets, (line) => lines.push(line));
  for (let start = 0; start < text.length; start += size) output.write(text.slice(start, start + size));
  output.end();
  return lines;
}

describe("the output of a migration's command", () => {
  const password = "npg_a/b+c=ü";
  const uri = `postgresql://ann:${encodeURIComponent(password)}@ep-1.example/db`;

  for (const size of [1, 2, 3, 7, 1000]) {
    it(`shows no secret in any form if it arrives in pieces of ${size}`, () => {
      const text = `a ${password} b\nto ${uri}\nand ${encodeURIComponent(password).toLowerCase()}!\nthe end ${password}`;
      assert.deepEqual(linesOf(text, size, [uri, password]), [
        "a [secret] b",
        "to [secret]",
        "and [secret]!",
        "the end [secret]",
      ]);
    });
  }

  it("shows no secret of several lines", () => {
    const key = "-----BEGIN-----\nfirst-half\nsecond-half\n-----END-----";
    assert.deepEqual(linesOf(`key:\n${key}\ndone`, 5, [key]), [
      "key:",
      "[secret]",
      "[secret]",
      "[secret]",
      "[secret]",
      "done",
    ]);
  });

  it("shows no secret in a line that never ends, and shows what there is of it", () => {
    const lines = linesOf(`${"x".repeat(12_345)}${password}${"y".repeat(12_345)}`, 1_000, [password]);
    assert.equal(lines.join("").replace("[secret]", ""), "x".repeat(12_345) + "y".repeat(12_345));
    assert.ok(lines.length > 1);
  });

  it("has no terminal codes and no empty lines, and only the end of a progress bar", () => {
    const text = "\u001b[32mok\u001b[0m\r\n\r\n10 %\r20 %\r\n[-] go\u001b[2K\u001b[1G[x] gone\nend";
    assert.deepEqual(linesOf(text, 4, []), ["ok", "20 %", "[x] gone", "end"]);
  });
});

describe("a migration's command", () => {
  const folder = suiteFolder("neon-pulumi-command-");
  const run = async (
    command: string,
    signal = new AbortController().signal,
    clock: Clock = systemClock,
  ): Promise<string[]> => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const environment = { GREETING: "hello", TOKEN: "a-secret-token" };
    const secrets = [environment.TOKEN];
    await runCommand(
      { run: command, workingDirectory: folder, environment, secrets },
      { say, show: () => undefined, signal, clock },
    );
    return lines;
  };
  /** The id of a process that the command has written to a file. */
  const pidIn = async (name: string): Promise<number> => {
    const file = join(folder, name);
    await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
    return Number(readFileSync(file, "utf8"));
  };

  it("runs in a shell, in its folder, with its variables, and shows both outputs without secrets", async () => {
    const lines = await run('echo "$GREETING from $(pwd)" && echo "$TOKEN!" >&2');
    assert.deepEqual([...lines].sort(), [`[secret]!`, `hello from ${folder}`].sort());
  });

  it("shows no secret of the provider's own environment", async () => {
    const names = ["NEON_API_KEY", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE"];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `value-of-${name}`;
    try {
      assert.deepEqual(await run(names.map((name) => `echo "$${name}"`).join("; ")), [
        "[secret]",
        "[secret]",
        "[secret]",
      ]);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });

  it("fails with its exit code and its last lines, without secrets", async () => {
    await assert.rejects(run('for i in $(seq 40); do echo "line $i"; done; echo "$TOKEN"; exit 3'), (error: Error) => {
      assert.match(error.message, /^The command ended with the exit code 3\. Its last lines:\n {2}line 12\n/);
      assert.ok(error.message.endsWith("  line 40\n  [secret]"), error.message);
      return true;
    });
  });

  it("fails with the signal that ended it", async () => {
    await assert.rejects(run("kill -KILL $$"), /The command was ended by the signal SIGKILL/);
  });

  it("fails if its shell finds no such program", async () => {
    await assert.rejects(run("no-such-program-of-neon"), /exit code 127.*\n.*no-such-program-of-neon/s);
  });

  it("is ended with all its processes when the run is cancelled", async () => {
    const cancelled = new AbortController();
    const running = run("sleep 1000 & echo $! > background; exec sleep 1000", cancelled.signal);
    running.catch(() => undefined);
    const background = await pidIn("background");
    cancelled.abort(new Error("The run was cancelled"));
    await assert.rejects(running, /The command was ended\. The run was cancelled/);
    await until(() => !isAlive(background));
  });

  it("is not said to continue in Neon after it took too long", async () => {
    const late = new AbortController();
    const running = run("echo $$ > late; exec sleep 1000", late.signal);
    running.catch(() => undefined);
    await pidIn("late");
    late.abort(new NeonError("operation-timeout", "It took longer than 3 s"));
    await assert.rejects(running, (error: Error) => {
      assert.match(error.message, /^The command was ended\. It took longer than 3 s\./);
      assert.doesNotMatch(error.message, /continue/);
      return true;
    });
  });

  it("is killed if it does not end when it is told to", async () => {
    const cancelled = new AbortController();
    const running = run("trap '' TERM; echo $$ > stubborn; while :; do sleep 0.1; done", cancelled.signal, hurried);
    running.catch(() => undefined);
    const stubborn = await pidIn("stubborn");
    cancelled.abort(new Error("The run was cancelled"));
    await assert.rejects(running, /The run was cancelled/);
    await until(() => !isAlive(stubborn));
  });

  it("is ended with all its processes when the provider's process is killed", async () => {
    const command = JSON.stringify({
      run: "sleep 1000 & echo $! > orphan; exec sleep 1000",
      workingDirectory: folder,
      environment: {},
      secrets: [],
    });
    const program = `
      const { runCommand } = require("./provider/resources/migration/command");
      const { systemClock } = require("./api/core/clock");
      const nothing = () => undefined;
      runCommand(${command}, { say: nothing, show: nothing, signal: new AbortController().signal, clock: systemClock });`;
    const provider = spawn(process.execPath, ["-e", program], { cwd: join(__dirname, "..", ".."), stdio: "inherit" });
    const orphan = await pidIn("orphan");
    assert.ok(isAlive(orphan));
    provider.kill("SIGKILL");
    await until(() => !isAlive(orphan));
  });

  describe("without the provider's process", () => {
    const guard = join(__dirname, "..", "..", "provider", "resources", "migration", "guard.js");
    /** Starts a command below a guard. */
    const guarded = (command: string, grace: number) =>
      spawn(process.execPath, [guard, command, String(grace)], {
        cwd: folder,
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
      });

    it("has time to end its transaction, also below a shell that is gone", async () => {
      const tool = "trap 'sleep 0.2; echo $$ > rolledback; exit' TERM; echo $$ > tool; while :; do sleep 0.1; done";
      const { stdin } = guarded(`sh -c "${tool.replaceAll("$", "\\$")}" && echo done`, 60_000);
      await pidIn("tool");
      stdin.destroy();
      assert.equal(await pidIn("rolledback"), await pidIn("tool"));
    });

    it("is killed if it does not end in this time", async () => {
      const { stdin } = guarded("trap '' TERM; echo $$ > deaf; while :; do sleep 0.1; done", 50);
      const deaf = await pidIn("deaf");
      stdin.destroy();
      await until(() => !isAlive(deaf));
    });
  });
});
