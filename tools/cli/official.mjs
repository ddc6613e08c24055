import { request } from "node:https";
import { fileURLToPath } from "node:url";
import { run } from "../base/run.mjs";
import { step } from "../base/progress.mjs";
import { cliVersion } from "./versions.mjs";

const host = "get.pulumi.com";
const probeMs = 3_000;
const installMs = 240_000;

/**
 * Installs the CLI the way the Automation API does. Needs the vendor's download host.
 *
 * @param {string} folder Gets a folder `bin` with the programs.
 * @returns {Promise<string | undefined>} Why the installation is impossible, or undefined if it succeeded.
 */
export async function installOfficial(folder) {
  const problem = await unreachable();
  if (problem) return problem;
  const install = async (/** @type {(text: string) => void} */ note) => {
    const child = fileURLToPath(new URL("official-install.mjs", import.meta.url));
    const { code, output, timedOut } = await run(process.execPath, [child, folder, cliVersion], {
      timeoutMs: installMs,
    });
    if (code === 0) return undefined;
    note("failed, trying another way");
    return timedOut
      ? `the installer took longer than ${installMs / 1000} s`
      : `the installer failed: ${lastLine(output)}`;
  };
  return await step(`Pulumi CLI ${cliVersion} by Pulumi's own installer`, install, "half a minute");
}

/** Checks with a small request whether the download host can be reached, because the installer has no timeout. */
async function unreachable() {
  return await new Promise((/** @type {(problem: string | undefined) => void} */ resolve) => {
    const probe = request({ host, path: "/install.sh", method: "HEAD" }, (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 400 ? undefined : `${host} answers ${status}`);
      probe.destroy();
    });
    const timer = setTimeout(() => {
      probe.destroy(new Error("timeout"));
    }, probeMs);
    probe.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      resolve(`${host} cannot be reached (${error.code ?? error.message})`);
    });
    probe.on("close", () => {
      clearTimeout(timer);
    });
    probe.end();
  });
}

/** @param {string} text */
function lastLine(text) {
  return text.trim().split("\n").at(-1)?.trim() ?? "no message";
}
