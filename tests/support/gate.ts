import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export interface Passed {
  readonly method: string;
  readonly path: string;
  /** The status of the response; undefined if the platform has not received the request. */
  readonly status: number | undefined;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** When the action happens: before the platform receives the request, before the response is returned, or after it. */
export type Place = "before it arrives" | "before its answer" | "after its answer";

export interface Interception {
  /** Which of the matching requests, counted from 1. */
  readonly number: number;
  readonly changesOnly: boolean;
  readonly place: Place;
  readonly act: () => Promise<void>;
}

/** A change on its way to a platform. */
export interface HeldChange {
  /** Resolves when its sender has sent it. */
  readonly arrived: Promise<void>;
  /** Lets the platform receive it, whether its sender still exists or not. */
  readonly pass: () => void;
  /** Closes the connection, so that the platform never receives it. */
  readonly drop: () => void;
}

/** Says what becomes of the body of a response, which was sent as JSON. `path` is below the base URL. */
export type Rewording = (method: string, path: string, status: number, body: unknown) => unknown;

/** A proxy in front of a platform. It knows exactly what has happened when it holds a request, and can reword responses. */
export class Gate {
  /** Default: every response stays as it is. */
  reword: Rewording | undefined;
  /** The requests since the last {@link clear}. */
  readonly passed: Passed[] = [];
  readonly #server: Server;
  readonly #target: URL;
  readonly #agent = new Agent({ keepAlive: true });
  #interception: Interception | undefined;
  #counted = 0;
  /** The requests that the platform has not answered. */
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

  /** The platform's base URL, by way of this gate. */
  get apiUrl(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#target.pathname}`;
  }

  /** Sets the action for the next requests, or none. */
  intercept(interception: Interception | undefined): void {
    this.#interception = interception;
    this.#counted = 0;
  }

  /** Does this after the next change, before its response is returned. If it fails, the response is lost. */
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
    // It has no receiver before the change arrives.
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

  /** Resolves when the platform has answered every request, also those whose sender no longer exists. */
  async idle(): Promise<void> {
    while (this.#asked.size > 0) await Promise.allSettled(this.#asked);
  }

  /** How long it took from the first to the last that has passed, in milliseconds. */
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

  /** Passes a request on; @returns the platform's answer, and what happens before or after it is returned */
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
