import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

import { describe, it } from "mocha";

import { cliEnvironment, cliFolder } from "../support/cli";
import { suiteFolder } from "../support/folder";
import { suitePlatform } from "../support/platform";

/** The output of a preview of an inline program: the outputs' names and the regions, or the error. */
interface Previewed {
  readonly regions?: number;
  readonly error?: string;
}

/** A preview with the Automation API, in a process of its own. */
const script = `
  const { LocalWorkspace } = require("@pulumi/pulumi/automation");
  const neon = require(process.cwd() + "/dist/sdk");
  const { envVars, config, explicit } = JSON.parse(process.env.CASE);
  let regions;
  const program = async () => {
    const options = explicit && { provider: new neon.Provider("explicit", explicit) };
    regions = (await neon.getRegions({}, options)).length;
  };
  (async () => {
    const stack = await LocalWorkspace.createOrSelectStack({ projectName: "shop", stackName: "test", program }, { envVars });
    await stack.setAllConfig(config);
    await stack.preview();
  })().catch(({ message }) => message).then((error) => {
    process.stdout.write(JSON.stringify({ regions, error }), () => process.exit());
  });
`;

/** Creates a branch with the Automation API, and updates it with a timeout that is no duration. */
const withWrongTimeout = `
  const { LocalWorkspace } = require("@pulumi/pulumi/automation");
  const neon = require(process.cwd() + "/dist/sdk");
  const { envVars, projectId, stackName } = JSON.parse(process.env.CASE);
  let customTimeouts;
  const program = async () => void new neon.Branch("kept", { projectId }, { customTimeouts });
  (async () => {
    const stack = await LocalWorkspace.createOrSelectStack({ projectName: "shop", stackName, program }, { envVars });
    await stack.up();
    customTimeouts = { create: "5 m" };
    await stack.up();
  })().catch(({ message }) => message).then((error) => {
    process.stdout.write(JSON.stringify({ error }), () => process.exit());
  });
`;

describe("programs: an inline program of the Automation API", function () {
  this.timeout(300_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const home = suiteFolder("neon-pulumi-inline-");

  const preview = (given: object, environment: NodeJS.ProcessEnv): Promise<Previewed> =>
    run(script, given, environment);

  async function run(program: string, given: object, environment: NodeJS.ProcessEnv): Promise<Previewed> {
    mkdirSync(join(home, "backend"), { recursive: true });
    const envVars = {
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${join(home, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      NEON_API_KEY: platform().apiKey,
      NEON_API_HOST: platform().apiUrl,
    };
    const env = {
      ...cliEnvironment(cliFolder()),
      ...environment,
      CASE: JSON.stringify({ envVars, config: {}, ...given }),
    };
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], { env, maxBuffer: 1e8 });
    return JSON.parse(stdout) as Previewed;
  }

  for (const door of ["dynamic", "plugin"]) {
    it(`${door}: a timeout that is no duration ends the run, and deletes nothing`, async () => {
      const { project } = await platform().project();
      const { PATH: path } = cliEnvironment(cliFolder());
      const environment = { NEON_PULUMI_PROVIDER: door, PATH: [join(process.cwd(), "plugin"), path].join(delimiter) };
      const { error = "" } = await run(withWrongTimeout, { projectId: project.id, stackName: door }, environment);
      assert.match(error, /Branch "kept": customTimeouts\.create must be a duration such as "90s".*, not "5 m"/);
      const { body } = await platform().call("GET", `/projects/${project.id}/branches`);
      assert.deepEqual(body.branches.map(({ name }) => name).sort(), ["kept", "main"]);
    });
  }

  it("refuses a value of NEON_PULUMI_PROVIDER that names no provider", async () => {
    const { error = "" } = await preview({}, { NEON_PULUMI_PROVIDER: "Plugin" });
    assert.ok(error.includes('NEON_PULUMI_PROVIDER must be "dynamic" or "plugin", not "Plugin".'), error);
  });

  const other = { NEON_API_KEY: "napi_of_another_account", NEON_API_HOST: "http://127.0.0.1:9/api/v2" };

  for (const [environment, variables, settings] of [
    [{}, "NEON_API_KEY", "neon:apiKey"],
    [other, "NEON_API_KEY, NEON_API_HOST", "neon:apiKey, neon:apiUrl"],
  ] as const) {
    it(`data sources name the settings to configure instead of reading ${JSON.stringify(environment)}`, async () => {
      const { regions, error = "" } = await preview({}, environment);
      assert.equal(regions, undefined);
      const expected = `Data sources of an inline program do not read ${variables}: they run outside of the workspace, whose \`envVars\` the resources use. Set ${settings} in the stack's configuration`;
      assert.ok(error.includes(expected), error);
    });
  }

  it("data sources use the stack's configuration, or a provider", async () => {
    const { apiKey, apiUrl } = platform();
    const config = { "neon:apiKey": { value: apiKey, secret: true }, "neon:apiUrl": { value: apiUrl } };
    assert.ok(Number((await preview({ config }, other)).regions) > 0);
    assert.ok(Number((await preview({ explicit: { apiKey, apiUrl } }, other)).regions) > 0);
  });
});
