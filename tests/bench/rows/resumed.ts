import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { CallError, type DynamicServer, type Values } from "../../support/dynamic-server";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { createResource, readyProvider } from "../creator";
import { numbersBelow } from "../lanes";
import type { Row, Run } from "../row";

/** How the operations of a project look. */
type View = "as they are" | "forbidden" | "running";

/** A proxy in front of a platform, on which no operation ends as long as this is wanted. */
class OperationsView {
  view: View = "as they are";
  /** The requests for operations, each with `…` instead of ids. */
  polls: string[] = [];
  readonly #server: Server;

  constructor({ apiUrl }: TestPlatform) {
    this.#server = createServer((incoming, outgoing) => {
      const isPoll = incoming.method === "GET" && /\/operations\b/.test(incoming.url ?? "");
      if (isPoll) this.polls.push(shapeOf(incoming.url ?? ""));
      if (isPoll && this.view === "forbidden") {
        outgoing.writeHead(401, { "content-type": "application/json" }).end('{"code":"","message":"not now"}');
        return;
      }
      const options = { method: incoming.method, headers: { ...incoming.headers, connection: "close" } };
      const target = request(new URL(incoming.url ?? "", apiUrl), options, (answer) => {
        void textOf(answer).then((text) => {
          const shown = isPoll && this.view === "running" ? text.replaceAll(/"finished"/g, '"running"') : text;
          const { "content-length": _, "transfer-encoding": __, ...headers } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 502, headers).end(shown);
        });
      });
      incoming.pipe(target);
    });
  }

  /** Returns the base URL of the API. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v2`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function shapeOf(url: string): string {
  const path = url.replaceAll(/^\/api\/v2|\?.*$/g, "").replaceAll(/(projects|operations)\/[^/]+/g, "$1/…");
  return `\`GET ${path}\`${url.includes("cursor=") ? ", a later page" : ""}`;
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of message.setEncoding("utf8")) text += piece as string;
  return text;
}

/** A branch whose creation failed half-way, as the state holds it. */
interface Unfinished {
  readonly id: string;
  readonly outputs: Values;
  readonly inputs: Values;
}

/** A creation that the platform performs, but whose operations cannot be read. */
async function failHalfway(server: DynamicServer, args: Values): Promise<Unfinished> {
  const { inputs } = await server.check("Branch", {}, { ...args, __neon: { urn: `urn::${String(args["name"])}` } });
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
  const view = new OperationsView(platform);
  const apiUrl = await view.start();
  const account = { apiUrl, apiKey: platform.apiKey };
  const failing = await readyProvider(account);
  const resuming = await readyProvider(account);
  try {
    const { projectId } = (await createResource(failing, "Project", { name: "home" })).outputs;
    const unfinished: Unfinished[] = [];
    for (const index of numbersBelow(count)) {
      view.view = "forbidden";
      unfinished.push(await failHalfway(failing, { projectId, name: `pr-${index}`, compute: {} }));
      view.view = "as they are";
      await platform.settled(String(projectId));
    }
    view.view = "running";
    view.polls = [];
    const resumed = Promise.all(
      unfinished.map(({ id, outputs, inputs }) => resuming.update("Branch", id, outputs, inputs)),
    );
    // It is awaited below; a failure before that is reported there.
    resumed.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const { polls } = view;
    view.view = "as they are";
    await resumed;
    run.say(`${count} resumed: ${polls.length} polls in ${milliseconds / 1000} s`);
    return polls;
  } finally {
    await failing.stop();
    await resuming.stop();
    await view.stop();
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
