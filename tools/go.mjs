import { join } from "node:path";
import { programOnPath } from "./cli/programs.mjs";
import { isNewEnough } from "./cli/versions.mjs";
import { Failure } from "./failure.mjs";
import { run } from "./run.mjs";

/** What the modules' `go` lines say. */
const oldestGo = "1.25.11";

/**
 * @typedef {object} Go
 * @property {string} path
 * @property {string} version
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @typedef {object} GoProgram
 * @property {string} module The folder of the `go.mod` and `go.sum` that pin it.
 * @property {string} program Its package.
 * @property {string} file Where to write it.
 * @property {string} flags Flags of the linker.
 * @property {string} [compilerFlags] Flags of the compiler, for the program and all that it consists of.
 */

/**
 * Finds a Go on PATH that can build this repository's modules.
 *
 * @param {string} cache Where Go keeps its own caches if it has no home.
 * @returns {Promise<Go | string>} A string says why there is none.
 */
export async function findGo(cache) {
  const path = programOnPath("go");
  if (!path) return "there is no `go` on PATH";
  const env = await goEnvironment(path, cache);
  const installed = (await run(path, ["env", "GOVERSION"], { env })).stdout.trim().replace(/^go/, "");
  // A release candidate or a vendor's suffix (`1.26rc1`, `1.25.11-X:…`) does not count here.
  const version = (/^\d+\.\d+(\.\d+)?/.exec(installed)?.[0] ?? "0.0.0").replace(/^(\d+\.\d+)$/, "$1.0");
  if (!isNewEnough(version, oldestGo)) return `Go ${oldestGo} or newer is needed, this is ${installed || "unknown"}`;
  return { path, version: installed, env };
}

/**
 * Builds a program from its Go modules.
 *
 * @param {Go} go
 * @param {GoProgram} built
 */
export async function buildWithGo(go, { module, program, file, flags, compilerFlags }) {
  const compiler = compilerFlags === undefined ? [] : ["-gcflags", `all=${compilerFlags}`];
  const args = ["build", "-mod=readonly", "-trimpath", ...compiler, "-ldflags", flags, "-o", file, program];
  const { code, output } = await run(go.path, args, { cwd: module, env: go.env });
  if (code === 0) return;
  // Nothing but what was being downloaded is said before the error.
  throw new Failure(`Building ${program} with Go ${go.version} failed.`, output.replace(/^go: downloading .*\n/gm, ""));
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
