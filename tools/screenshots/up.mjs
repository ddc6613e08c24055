import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { built, root } from "../base/paths.mjs";
import { framesOf, record } from "./terminal.mjs";

const project = "name: shop\nruntime: nodejs\n";

/**
 * Runs `pulumi up` of the quickstart against the platform, and returns what its terminal showed while a resource waited for
 * an operation.
 *
 * @param {import("../cli/find.mjs").Cli} cli
 * @param {{ apiUrl: string, apiKey: string }} platform
 */
export async function recordUp(cli, platform) {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-up-"));
  try {
    const home = join(folder, "home");
    const state = join(folder, "state");
    for (const one of [home, state, join(folder, "node_modules")]) mkdirSync(one);
    symlinkSync(root, join(folder, "node_modules", "neon-pulumi"));
    symlinkSync(join(root, "node_modules", "@pulumi"), join(folder, "node_modules", "@pulumi"));
    const manifest = { name: "shop", private: true };
    const files = {
      "Pulumi.yaml": project,
      "index.js": readFileSync(built("examples", "quickstart", "index.js"), "utf8"),
      "package.json": JSON.stringify(manifest),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const env = {
      PATH: [cli.folder, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
      HOME: home,
      PULUMI_HOME: home,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "picture",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      NEON_API_HOST: platform.apiUrl,
      NEON_API_KEY: platform.apiKey,
      TERM: "xterm-256color",
    };
    execFileSync(cli.pulumi, ["stack", "init", "dev"], { cwd: folder, env, stdio: "ignore" });
    const frames = await framesOf(await record("pulumi up --yes --skip-preview", { cwd: folder, env }));
    const waiting = frames.filter(({ lines }) => / running, \d+ s/.test(textOf(lines)));
    return waiting.at(-1)?.lines ?? [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {import("./terminal.mjs").Frame["lines"]} lines */
const textOf = (lines) => lines.map((runs) => runs.map(({ text }) => text).join("")).join("\n");
