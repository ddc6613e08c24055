import { join } from "node:path";
import { Failure } from "../failure.mjs";
import { step } from "../progress.mjs";
import { run } from "../run.mjs";
import { writeDynamicProvider } from "./dynamic-provider.mjs";
import { programOnPath } from "./programs.mjs";
import { cliVersion, isNewEnough, languageHostVersion } from "./versions.mjs";

/** What the modules' `go` lines say. */
const oldestGo = "1.25.11";

const versionVariable = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";

const sources = [
  {
    name: "pulumi",
    module: "pulumi",
    program: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    version: cliVersion,
    title: `Pulumi CLI ${cliVersion} from its Go module (some minutes, once)`,
  },
  {
    name: "pulumi-language-nodejs",
    module: "language-nodejs",
    program: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    version: languageHostVersion,
    title: "Pulumi's Node language host from its Go module",
  },
];

/**
 * Builds the CLI from its Go modules, pinned by `go.mod` and `go.sum` beside this file.
 *
 * @param {string} bin The folder for the programs.
 * @param {string} cache Where Go keeps its own caches if it has no home.
 * @returns {Promise<string | undefined>} Why it is impossible, or undefined when it is done.
 */
export async function buildWithGo(bin, cache) {
  const go = programOnPath("go");
  if (!go) return "there is no `go` on PATH";
  const env = await goEnvironment(go, cache);
  const installed = (await run(go, ["env", "GOVERSION"], { env })).stdout.trim().replace(/^go/, "");
  // A release candidate or a vendor's suffix (`1.26rc1`, `1.25.11-X:…`) does not count here.
  const version = (/^\d+\.\d+(\.\d+)?/.exec(installed)?.[0] ?? "0.0.0").replace(/^(\d+\.\d+)$/, "$1.0");
  if (!isNewEnough(version, oldestGo)) return `Go ${oldestGo} or newer is needed, this is ${installed || "unknown"}`;
  for (const { name, module, program, version: built, title } of sources) {
    await step(title, async () => {
      const flags = `-s -w -X ${versionVariable}=${built}`;
      const file = join(bin, process.platform === "win32" ? `${name}.exe` : name);
      const cwd = join(import.meta.dirname, module);
      const { code, output } = await run(
        go,
        ["build", "-mod=readonly", "-trimpath", "-ldflags", flags, "-o", file, program],
        {
          cwd,
          env,
        },
      );
      // Nothing but what was being downloaded is said before the error.
      const said = output.replace(/^go: downloading .*\n/gm, "");
      if (code !== 0) throw new Failure(`Building ${name} with Go ${installed} failed.`, said);
    });
  }
  writeDynamicProvider(bin);
  return undefined;
}

/**
 * The user's Go settings without those that would change what is built.
 *
 * @param {string} go
 * @param {string} cache
 */
async function goEnvironment(go, cache) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, GOFLAGS: "-buildvcs=false", GOTOOLCHAIN: "local", GOWORK: "off", CGO_ENABLED: "0" };
  for (const name of ["GOOS", "GOARCH", "GOROOT", "GO111MODULE", "GOEXPERIMENT"]) delete env[name];
  const { stdout } = await run(go, ["env", "GOPATH", "GOCACHE"], { env });
  const [path, build] = stdout.split(/\r?\n/);
  // Without a home Go refuses to work.
  if (!path) env["GOPATH"] = join(cache, "go");
  if (!build || build === "off") env["GOCACHE"] = join(cache, "go-build");
  return env;
}
