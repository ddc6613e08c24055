import { after, before, describe, it } from "mocha";
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Ended } from "../../support/ended";
import { runPlatform } from "../../support/platform-process";
import { failed } from "../support/command";
import { suitePaths } from "../support/paths";

/** The program that `run` is given. It prints its variables, and ends with the exit code 7. */
const program = "console.log(JSON.stringify(process.env)); process.exit(7)";

describe("neon-platform run", () => {
  let data = "";
  // Before the folder is removed.
  after(() => runPlatform(["stop", "--data", data]));
  const folder = suitePaths();
  before(() => {
    data = folder("data");
  });

  const ignored = (): string => join(data, ".gitignore");
  const run = (variables: NodeJS.ProcessEnv = {}): Promise<Ended> => {
    const { PULUMI_BACKEND_URL: _, ...others } = process.env;
    return runPlatform(["run", "--data", data, "--", process.execPath, "-e", program], { ...others, ...variables });
  };
  const variablesOf = ({ stdout }: Ended): Record<string, string> => JSON.parse(stdout) as Record<string, string>;
  const statusOf = async ({ NEON_API_HOST: url, NEON_API_KEY: key }: Record<string, string>): Promise<number> =>
    (await fetch(`${url ?? ""}/projects`, { headers: { authorization: `Bearer ${key ?? ""}` } })).status;

  it("starts a platform that outlives the command, and returns the exit code of the command", async () => {
    const ended = await run({ NEON_ORG_ID: "org-of-the-account" });
    assert.equal(ended.code, 7, ended.stderr);
    const variables = variablesOf(ended);
    assert.equal(await statusOf(variables), 200);
    assert.equal(variables["NEON_ORG_ID"], undefined);
    assert.equal(readFileSync(ignored(), "utf8"), "*\n");
    assert.match(ended.stderr, /local platform started on .*\n.*console: http:.*\n.*neon-platform stop --data /);
    assert.ok(!ended.stderr.includes(variables["NEON_API_KEY"] ?? "none"));
  });

  it("uses the platform that runs, with the same key, the same backend of Pulumi and the files of the user", async () => {
    writeFileSync(ignored(), "mine\n");
    const [first, second] = [variablesOf(await run()), await run()];
    assert.match(second.stderr, /local platform runs on /);
    for (const name of ["NEON_API_KEY", "NEON_API_HOST", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE_FILE"]) {
      assert.equal(variablesOf(second)[name], first[name], name);
    }
    assert.ok(first["PULUMI_BACKEND_URL"]?.startsWith("file://"));
    assert.equal(readFileSync(ignored(), "utf8"), "mine\n");
  });

  it("starts one platform for two commands at once, and says which of them started it", async () => {
    await runPlatform(["stop", "--data", data]);
    const said = (await Promise.all([run(), run()])).map(({ stderr }) => /local platform (\w+) on /.exec(stderr)?.[1]);
    assert.deepEqual(said.sort(), ["runs", "started"]);
  });

  it("shows an example if there is no command", async () => {
    assert.match(
      (await runPlatform(["run"])).stderr,
      /missing required argument 'command'\nfor example: neon-platform run -- pulumi up\n/,
    );
  });

  it("leaves the user's backend of Pulumi, if a variable names one", async () => {
    const variables = variablesOf(await run({ PULUMI_BACKEND_URL: "file:///elsewhere" }));
    assert.equal(variables["PULUMI_BACKEND_URL"], "file:///elsewhere");
    assert.equal(variables["PULUMI_CONFIG_PASSPHRASE_FILE"], process.env["PULUMI_CONFIG_PASSPHRASE_FILE"]);
  });

  it("stores its key for this user only, and not in the log", () => {
    const key = join(data, "run", "key");
    assert.equal(statSync(key).mode & 0o777, 0o600);
    assert.ok(!readFileSync(join(data, "run", "platform.log"), "utf8").includes(readFileSync(key, "utf8")));
  });

  it("returns 128 and the signal, if that ends the command", async () => {
    const killed = ["-e", 'process.kill(process.pid, "SIGKILL")'];
    const { code } = await runPlatform(["run", "--data", data, "--", process.execPath, ...killed]);
    assert.equal(code, 128 + 9);
  });

  it("says which program is not there, and still runs the platform", async () => {
    const ended = await runPlatform(["run", "--data", data, "--", "no-such-program"]);
    assert.match(failed(ended), /there is no program "no-such-program" on the PATH/);
  });

  it("starts one platform if two commands begin at the same time, and stop ends it", async () => {
    const stopped = await runPlatform(["stop", "--data", data]);
    assert.match(stopped.stdout, /has stopped\. Its data stays\./, stopped.stderr);
    const [one, other] = (await Promise.all([run(), run()])).map(variablesOf);
    assert.equal(one?.["NEON_API_HOST"], other?.["NEON_API_HOST"]);
    assert.equal(await statusOf(one ?? {}), 200);
  });

  it("says why no platform starts", async () => {
    const ended = await runPlatform(["run", "--data", "/dev/null/x", "--", process.execPath, "-e", ""]);
    assert.match(failed(ended), /\/dev\/null\/x/);
  });

  it("reset deletes the key and the backend with the data", async () => {
    await runPlatform(["stop", "--data", data]);
    const { code, stderr } = await runPlatform(["reset", "--yes", "--data", data]);
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(join(data, "run")), false);
  });
});
