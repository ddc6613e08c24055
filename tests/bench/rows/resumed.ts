import { Gate, type Rewording } from "../../support/gate";
import { urnOf } from "../../support/door";
import { CallError, type ProviderServer, type Values } from "../../support/provider-server";
import { startTestPlatform } from "../../support/platform";
import { createResource, readyProvider } from "../creator";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";

const operations = /\/operations\b/;

/** Shows every operation as running. */
const running: Rewording = (_, path, __, body) =>
  operations.test(path) ? (JSON.parse(JSON.stringify(body).replaceAll('"finished"', '"running"')) as unknown) : body;

/** The path of a poll, with `…` instead of ids. */
function shapeOf(url: string): string {
  const path = url.replaceAll(/^\/api\/v2|\?.*$/g, "").replaceAll(/(projects|operations)\/[^/]+/g, "$1/…");
  return `\`GET ${path}\`${url.includes("cursor=") ? ", a later page" : ""}`;
}

/** A branch whose creation failed half-way, as the state holds it. */
interface Unfinished {
  readonly id: string;
  readonly outputs: Values;
  readonly inputs: Values;
}

/** A creation that the platform performs, but whose operations cannot be read. */
async function failHalfway(server: ProviderServer, args: Values): Promise<Unfinished> {
  const { inputs } = await server.check("Branch", {}, args, { urn: urnOf("Branch", String(args["name"])) });
  const error: unknown = await server.create("Branch", inputs).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallError) || error.partial === undefined) throw new Error("not half-way", { cause: error });
  return { id: error.partial.id, outputs: error.partial.properties, inputs };
}

/** Resumes so many creations at once whose operations go on for so long, and counts their polls in this time. */
async function pollsWhileResuming(run: Run, count: number, milliseconds: number): Promise<readonly string[]> {
  const platform = await startTestPlatform({ operationTime: "1ms" });
  const gate = await Gate.before(platform.apiUrl);
  const account = { apiUrl: gate.apiUrl, apiKey: platform.apiKey };
  const failing = await readyProvider(account);
  const resuming = await readyProvider(account);
  try {
    const { projectId } = (await createResource(failing, "Project", { name: "home" })).outputs;
    const unfinished: Unfinished[] = [];
    for (const index of numbersBelow(count)) {
      await platform.fault({ method: "GET", path: operations.source, status: 401, times: 10_000 });
      unfinished.push(await failHalfway(failing, { projectId, name: `pr-${index}`, compute: {} }));
      await platform.clearFaults();
      await platform.settled(String(projectId));
    }
    gate.reword = running;
    gate.clear();
    const resumed = Promise.all(
      unfinished.map(({ id, outputs, inputs }) => resuming.update("Branch", id, outputs, inputs)),
    );
    // It is awaited below; a failure before that is reported there.
    resumed.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const polls = gate.passed.map(({ path }) => path).filter((path) => operations.test(path));
    gate.reword = undefined;
    await resumed;
    run.say(`${count} resumed: ${polls.length} polls in ${milliseconds / 1000} s`);
    return polls.map(shapeOf);
  } finally {
    await failing.stop();
    await resuming.stop();
    await gate.close();
    await platform.close();
  }
}

export const resumed: Row = {
  name: "resumed",
  title: "Many partial failures resumed at once",
  compares: `The creation of 100 branches with computes in one project has failed half-way, because their operations could not be
read. The next run resumes all of them at the same moment; a proxy in front of the platform shows all operations as running
for 30 seconds. The figure is the number of requests for operations in this time, divided by that of one resumed branch.`,
  measuresTime: false,
  measure: async (run) => {
    const milliseconds = run.size(30_000, 1_500);
    const many = run.size(100, 5);
    const [one, all] = [
      await pollsWhileResuming(run, 1, milliseconds),
      await pollsWhileResuming(run, many, milliseconds),
    ];
    return {
      figures: [
        { title: `${many} resumed at once ÷ one: requests`, value: all.length / one.length, unit: "×", atMost: 1.2 },
        { title: `${many} resumed at once: requests in ${milliseconds / 1000} s`, value: all.length, unit: "" },
      ],
      comparison: {
        heads: ["request", "one resumed", `${many} resumed`],
        lines: [...new Set([...one, ...all])].sort().map((shape) => [shape, countIn(one, shape), countIn(all, shape)]),
      },
    };
  },
};

function countIn(polls: readonly string[], shape: string): number {
  return polls.filter((poll) => poll === shape).length;
}
