import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";

import { archiveOf, deployed, waitForBuild } from "../../platform/support/function";
import { withPlatformProcess } from "../../support/platform-process";
import { timeOf } from "../cli";
import { numbersBelow } from "../lanes";
import type { Row } from "../row";
import { median } from "../statistics";

/** The handler of both: it reads its request, and answers JSON. */
const handler = `(request) => Response.json({ path: new URL(request.url).pathname, at: Date.now() })`;

/** A server of Node that does no more than to call the handler, with the same adapter as the platform. It prints its port. */
const bareServer = `
  const { getRequestListener } = require(${JSON.stringify(require.resolve("@hono/node-server"))});
  const server = require("node:http").createServer(getRequestListener(${handler}));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Milliseconds of a call. */
async function call(url: string, agent?: Agent): Promise<number> {
  return await timeOf(
    () =>
      new Promise<void>((resolve, reject) => {
        get(url, { agent: agent ?? false }, (response) => {
          response.resume().once("end", () => {
            if (response.statusCode === 200) resolve();
            else reject(new Error(`GET ${url}: ${response.statusCode}`));
          });
        }).once("error", reject);
      }),
  );
}

export const functions: Row = {
  name: "functions",
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const { project, branch } = await platform.project({ name: "functions" });
      const zip = archiveOf({ "index.mjs": `export default ${handler};` });
      const colds: number[] = [];
      let url = "";
      for (const index of numbersBelow(run.size(15, 1))) {
        const path = `/projects/${project.id}/branches/${branch.id}/functions/f${index}`;
        await deployed(platform, path, { zip });
        ({ invocation_url: url } = await waitForBuild(platform, path));
        colds.push(await call(url));
      }
      const bare = spawn(process.execPath, ["--eval", bareServer], { stdio: ["ignore", "pipe", "inherit"] });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        const [port] = (await once(bare.stdout, "data")) as [Buffer];
        const bareUrl = `http://127.0.0.1:${port.toString().trim()}/`;
        // In turn, so that what else the machine does falls on both. The first calls compile the code.
        const pairs: { own: number; bare: number }[] = [];
        const skipped = run.size(1_000, 0);
        while (pairs.length < skipped + run.size(5_000, 20)) {
          pairs.push({ own: await call(url, agent), bare: await call(bareUrl, agent) });
        }
        const own = median(pairs.slice(skipped).map((pair) => pair.own));
        const other = median(pairs.slice(skipped).map((pair) => pair.bare));
        const cold = median(colds);
        return {
          figures: [
            { title: "warm call of a function ÷ of a bare server", value: own / other, unit: "×", atMost: 1.5 },
            {
              title: "cold call of a function above a warm one of a bare server",
              value: cold - other,
              unit: "ms",
              atMost: 500,
            },
          ],
        };
      } finally {
        agent.destroy();
        bare.kill();
      }
    }),
};
