import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Passed {
  readonly method: string;
  readonly path: string;
  /** The status of the response; undefined if the platform has not received the request. */
  readonly status: number | undefined;
  /** The time on the clock of `performance.now()`. */
  readonly at: number;
}

/** When the action happens: before the platform receives the request, before the response is returned, or after it. */
export type Place = "before it arrives" | "before its answer" | "after its answer";

export interface Interception {
  /** The number of the matching request, counted from 1. */
  readonly number: number;
  readonly changesOnly: boolean;
  readonly place: Place;
  readonly act: () => Promise<void>;
}

/** A change on its way to a platform. */
export interface HeldChange {
  /** Resolves when the gate has received the change. */
  readonly arrived: Promise<void>;
  /** Passes the change on to the platform, even if its sender no longer exists. */
  readonly pass: () => void;
  /** Closes the connection, so that the platform never receives the change. */
  readonly drop: () => void;
}

/** Changes the JSON body of a response. `path` is below the base URL. */
export type Rewording = (method: string, path: string, status: number, body: unknown) => unknown;

/** A proxy in front of a platform. It can hold a request at an exact moment, and change responses. */
export class Gate {
  /** Changes responses. Default: none. */
  reword: Rewording | undefined;
  /** The requests since the last {@link clear}. */
  readonly passed: Passed[] = [];
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent = new Agent({ keepAlive: true });
  #interception: Interception | undefined;
  #counted = 0;
  /** The requests that the platform has not answered yet. */
  readonly #asked = new Set<Promise<unknown>>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => {
      // The client may have disconnected.
      this.#pass(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async before(apiUrl: string): Promise<Gate> {
    const gate = new Gate(apiUrl);
    await new Promise<void>((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  /** The base URL of the gate, which leads to the platform's. */
  get apiUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#target.pathname}`;
  }

  /** Sets the action for the next requests, or none. */
  intercept(interception: Interception | undefined): void {
    this.#interception = interception;
    this.#counted = 0;
  }

  /** Runs an action after the next change, before its response is returned. If the action fails, the response is lost. */
  afterNextChange(act: () => Promise<void>): void {
    const once = (): Promise<void> => {
      this.intercept(undefined);
      return act();
    };
    this.intercept({ number: 1, changesOnly: true, place: "before its answer", act: once });
  }

  /** Holds the next change before it arrives, until it is passed on or dropped. */
  holdNextChange(): HeldChange {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    let pass = (): void => undefined;
    let drop = (): void => undefined;
    const decided = new Promise<void>((resolve, reject) => {
      pass = resolve;
      drop = () => reject(new Error("it was dropped"));
    });
    // Nothing awaits the promise before the change arrives.
    decided.catch(() => undefined);
    const act = (): Promise<void> => {
      this.intercept(undefined);
      arrive();
      return decided;
    };
    this.intercept({ number: 1, changesOnly: true, place: "before it arrives", act });
    return { arrived, pass, drop };
  }

  clear(): void {
    this.passed.length = 0;
  }

  /** Resolves when the platform has answered every request, even those whose sender no longer exists. */
  async idle(): Promise<void> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
  }

  /** The time from the first to the last passed request, in milliseconds. */
  get span(): number {
    return (this.passed.at(-1)?.at ?? 0) - (this.passed[0]?.at ?? 0);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const asking = this.#asking(incoming);
    this.#asked.add(asking);
    const { interception, answer, content } = await asking.finally(() => this.#asked.delete(asking));
    if (interception?.place === "before its answer") await interception.act();
    const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, { ...headers, "content-length": content.length });
    await new Promise<void>((resolve) => outgoing.end(content, resolve));
    if (interception?.place === "after its answer") await interception.act();
  }

  /** Passes a request on; @returns the platform's response, and the action before or after it is returned */
  async #asking(incoming: IncomingMessage) {
    const { method = "GET", url = "" } = incoming;
    const body = await buffer(incoming);
    const interception = this.#met(method);
    if (interception?.place === "before it arrives") await interception.act();
    const answer = await this.#ask(method, url, incoming, body);
    const content = this.#reworded(method, url, answer.statusCode ?? 502, await buffer(answer));
    this.passed.push({ method, path: url, status: answer.statusCode, at: performance.now() });
    return { interception, answer, content };
  }

  #reworded(method: string, url: string, status: number, content: Buffer): Buffer {
    if (this.reword === undefined || content.length === 0) return content;
    const path = url.replace(/^\/api\/v2/, "");
    return Buffer.from(JSON.stringify(this.reword(method, path, status, JSON.parse(content.toString()))));
  }

  #met(method: string): Interception | undefined {
    const interception = this.#interception;
    if (interception === undefined || (interception.changesOnly && method === "GET")) return undefined;
    this.#counted += 1;
    return this.#counted === interception.number ? interception : undefined;
  }

  #ask(method: string, path: string, incoming: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { host: _, connection: __, ...headers } = incoming.headers;
      request({ agent: this.#agent, host: this.#target.hostname, port: this.#target.port, method, path, headers })
        .once("response", resolve)
        .once("error", reject)
        .end(body);
    });
  }
}
