import { Failure } from "../failure.mjs";
import { compiler, root } from "../paths.mjs";
import { aside } from "../progress.mjs";
import { run } from "../run.mjs";

/** Checks the types of the tools, which are not compiled; the build has checked all others. */
export async function checkTypes() {
  await aside("types of the tools", async () => {
    const args = [compiler, "-p", "tools"];
    const { code, output } = await run(process.execPath, args, { cwd: root });
    if (code !== 0) throw new Failure("`npx tsc -p tools` fails.", output);
  });
}
