import { Failure } from "../failure.mjs";
import { installed, root } from "../paths.mjs";
import { step } from "../progress.mjs";
import { run } from "../run.mjs";

/** The folders whose imports follow the arrows in `.dependency-cruiser.cjs`. */
const importedFolders = ["api", "provider", "sdk", "platform", "examples", "tools"];

/** What `npm run lint` does, all parts at the same time. */
export async function lint() {
  await step("lint", async () => {
    const results = await Promise.all(
      [
        [installed("eslint", "bin", "eslint.js"), "."],
        [installed("prettier", "bin", "prettier.cjs"), "--check", "--cache", "--cache-strategy", "content", "."],
        [installed("dependency-cruiser", "bin", "dependency-cruise.mjs"), ...importedFolders, "--config"],
      ].map((args) => run(process.execPath, args, { cwd: root })),
    );
    const failed = results.filter(({ code }) => code !== 0);
    if (failed.length === 0) return;
    throw new Failure("`npm run lint` fails.", failed.map(({ output }) => output.trim()).join("\n\n"));
  });
}
