import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { root } from "../base/paths.mjs";
import { framesOf, record } from "./terminal.mjs";

const project = `name: shop
runtime: nodejs
plugins:
  providers:
    - name: neon
      path: node_modules/neon-pulumi/plugin
`;
const program = `const neon = require("neon-pulumi");
const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });
const compute = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 2 };
const preview = new neon.Branch("preview", { projectId: project.id, compute });
const address = { projectId: project.id, branchId: preview.branchId };
const role = new neon.Role("app", address);
new neon.Database("orders", { ...address, ownerName: role.name });
exports.connectionUri = preview.requireOutput("connectionUri");
`;

/**
 * Runs `pulumi up` of a small program against the platform, and returns what its terminal showed.
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
    const files = { "Pulumi.yaml": project, "index.js": program, "package.json": JSON.stringify(manifest) };
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
    return await framesOf(await record("pulumi up --yes --skip-preview", { cwd: folder, env }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
