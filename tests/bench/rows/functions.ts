import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";

import { archiveOf, deployed, waitForBuild } from "../../platform/support/function";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";
import { median } from "../statistics";

/** The handler of both: it reads its request, and answers JSON. */
const handler = `(request) => Response.json({ path: new URL(request.url).pathname, at: Date.now() })`;

/** A server of Node that does no more than to call the handler, with the same adapter as the platform. It prints its port. */
const bareServer = `
  const { getRequestListener } = require(${JSON.stringify(require.resolve("@hono/node-server"))});
  const server = require("node:http").createServer(getRequestListener(${handler}));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

interface Bare {
  readonly url: string;
  readonly child: ChildProcess;
}

async function startBare(): Promise<Bare> {
  const child = spawn(process.execPath, ["--eval", bareServer], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}/`, child };
}

/** Milliseconds of a call. */
async function call(url: string, agent: Agent): Promise<number> {
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`GET ${url}: ${response.statusCode}`));
      });
    }).once("error", reject);
  });
  return performance.now() - began;
}

/** Functions that were built and not called yet. */
async function deployFunctions(platform: TestPlatform, count: number): Promise<readonly string[]> {
  const { project, branch } = await platform.project({ name: "functions" });
  const zip = archiveOf({ "index.mjs": `export default ${handler};` });
  const urls: string[] = [];
  for (const index of numbersBelow(count)) {
    const path = `/projects/${project.id}/branches/${branch.id}/functions/f${index}`;
    await deployed(platform, path, { zip });
    const { invocation_url: url } = await waitForBuild(platform, path);
    urls.push(url);
  }
  return urls;
}

/** Medians of calls in turn, so that what else the machine does falls on both. */
async function warmCalls(
  run: Run,
  url: string,
  bareUrl: string,
): Promise<{ readonly own: number; readonly bare: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const [own, bare]: [number[], number[]] = [[], []];
  try {
    for (const index of numbersBelow(run.size(6_000, 20))) {
      const [ownTime, bareTime] = [await call(url, agent), await call(bareUrl, agent)];
      // The first calls compile the code.
      if (index < run.size(1_000, 0)) continue;
      own.push(ownTime);
      bare.push(bareTime);
    }
  } finally {
    agent.destroy();
  }
  return { own: median(own), bare: median(bare) };
}

export const functions: Row = {
  name: "functions",
  title: "Functions of the local platform",
  compares: `A function on the local platform, and the same handler in a server of Node that does nothing else, with the same adapter from
Node's requests to \`Request\`; each called by one client. A warm
call uses an open connection: the median of 5,000, in turn with the other server. A cold call is the first one of a function, and starts its process. A
cold start of the other server is from the start of its process to the end of its first call. Medians of 15, in turn.`,
  measuresTime: true,
  measure: (run) =>
    withPlatformProcess(["--operation-time", "0"], async ({ platform }) => {
      const count = run.size(15, 1);
      run.say(`${count} functions`);
      const urls = await deployFunctions(platform, count);
      const [cold, bareStarts]: [number[], number[]] = [[], []];
      const bares: Bare[] = [];
      try {
        for (const url of urls) {
          cold.push(await call(url, new Agent()));
          const began = performance.now();
          const bare = await startBare();
          bares.push(bare);
          await call(bare.url, new Agent());
          bareStarts.push(performance.now() - began);
        }
        run.say("warm calls");
        const warm = await warmCalls(run, urls[0] ?? "", bares[0]?.url ?? "");
        return {
          figures: [
            {
              title: "warm call of a function ÷ of a bare server",
              value: warm.own / warm.bare,
              unit: "×",
              atMost: 1.5,
            },
            {
              title: "cold call of a function above a warm one of a bare server",
              value: median(cold) - warm.bare,
              unit: "ms",
              atMost: 500,
            },
          ],
          comparison: {
            heads: ["server", "warm call", "cold call"],
            lines: (
              [
                ["function", warm.own, median(cold)],
                ["bare server", warm.bare, median(bareStarts)],
              ] as const
            ).map(([name, warmTime, coldTime]) => [
              name,
              `${(warmTime * 1000).toFixed(0)} µs`,
              `${coldTime.toFixed(0)} ms`,
            ]),
          },
        };
      } finally {
        for (const { child } of bares) child.kill();
      }
    }),
};
