import { Failure } from "../base/failure.mjs";
import { compiler, root } from "../base/paths.mjs";
import { aside } from "../base/progress.mjs";
import { run } from "../base/run.mjs";

/** Projects that the build does not type-check: the tools, and the page of the console, which runs in a browser. */
const projects = ["tools", "platform/console"];

/** Checks the types of the projects that the build does not check. */
export async function checkTypes() {
  await aside(`types of ${projects.join(", ")}`, async () => {
    for (const project of projects) {
      const { code, output } = await run(process.execPath, [compiler, "-p", project], { cwd: root });
      if (code !== 0) throw new Failure(`\`npx tsc -p ${project}\` fails.`, output);
    }
  });
}
