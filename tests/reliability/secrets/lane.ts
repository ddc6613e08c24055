import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CallError, type Values } from "../../support/provider-server";
import type { EngineResource } from "../../support/engine";
import { leakText, SecretSearch, type Leak } from "../../support/secret-search";
import { changed } from "../../support/sample";
import { Stage } from "../../support/stage";
import type { Judged } from "../campaign";
import { objectsOf } from "../../support/account";
import { echoes, type Order, planOf, type Step, steps, titleOf } from "./plan";

/** A text that people can read. */
interface Told {
  readonly where: string;
  readonly text: string;
}

/** A platform with a data folder, a provider process that logs everything, and all secrets that they know. */
export class Lane {
  readonly secrets = new SecretSearch();
  readonly #stage: Stage;
  readonly #folder: string;
  readonly #told: Told[] = [];
  /** How much of the output of the provider process was read. */
  #heard = { lines: 0, output: 0 };
  /** Faults that are not in the matrix. */
  readonly #echoes: readonly Order[];
  failed = 0;

  private constructor(stage: Stage, folder: string) {
    this.#stage = stage;
    this.#folder = folder;
    const password = "npg_p4ssw0rd/of+nobody";
    this.secrets.add("the account's key", stage.platform.apiKey);
    this.secrets.add("the password of an answer that cannot be read", password);
    this.#echoes = echoes(stage.platform.apiKey, password);
  }

  static async open(): Promise<Lane> {
    const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-secrets-"));
    const config = { logLevel: "debug", operationTimeout: "2s" };
    const [home, data] = [join(folder, "home"), join(folder, "data")];
    return new Lane(await Stage.start({ operationTime: "5ms", home, data, config }), folder);
  }

  async close(): Promise<void> {
    await this.#stage.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Takes each step of a resource with its fault and once more without it, and searches everything that was written. */
  async carryOut(seed: number, round: number): Promise<Judged & { readonly leaks: number }> {
    const plan = planOf(seed, round, this.#echoes);
    const { sample, faults } = plan;
    const { platform } = this.#stage;
    await platform.clearRequests();
    const declared = await sample.declare(this.#stage);
    const resource = this.#stage.resource(sample.kind);
    let program = declared;
    const perform: Readonly<Record<Step, () => Promise<unknown>>> = {
      create: () => resource.up(program),
      update: () => resource.up(program),
      refresh: () => resource.refresh(),
      destroy: () => resource.destroy(),
    };
    for (const step of steps) {
      if (step === "update" && resource.state !== undefined) {
        for (const { input, to } of sample.inPlace(declared, resource.outputs)) program = changed(program, input, to);
      }
      // A resource that is not in the state is neither read nor deleted.
      if (resource.state === undefined && step !== "create" && step !== "update") continue;
      await platform.fault(faults[step].order);
      await this.#listen(`${step} with a fault`, resource, sample.secrets ?? [], perform[step]);
      if (step === "destroy" && (resource.state as unknown) === undefined) continue;
      await this.#listen(`${step} without a fault`, resource, sample.secrets ?? [], perform[step]);
    }
    const projectId = declared["projectId"];
    this.#overhear(resource);
    const leaks = [...this.#search(), ...(await this.#searchPlatform())];
    if (typeof projectId === "string") await platform.call("DELETE", `/projects/${projectId}`);
    return { leaks: leaks.length, problems: leaks.length === 0 ? [] : [titleOf(plan), ...leaks.map(leakText)] };
  }

  /** Takes a step, and collects everything that people can read about it. */
  async #listen(
    where: string,
    resource: EngineResource,
    secrets: readonly string[],
    step: () => Promise<unknown>,
  ): Promise<void> {
    const hear = (what: string, value: unknown): void => {
      this.#told.push({
        where: `${what} of ${where}`,
        text: typeof value === "string" ? value : JSON.stringify(value),
      });
    };
    const hearOutputs = (outputs: Values): void => {
      const open = Object.entries(outputs).filter(([name]) => !secrets.includes(name));
      hear("the outputs", Object.fromEntries(open));
      for (const name of secrets) this.#add(`${name} of ${resource.name}`, outputs[name]);
    };
    try {
      await step();
    } catch (error) {
      this.failed += 1;
      hear("the error", String(error instanceof Error ? error.stack : error));
      if (error instanceof CallError && error.partial !== undefined) {
        hear("the id and the reasons", [error.partial.id, error.partial.reasons]);
        hearOutputs(error.partial.properties);
      }
    } finally {
      await this.#stage.platform.clearFaults();
    }
    const { state } = resource;
    if (state !== undefined) {
      // The engine encrypts inputs that have the names of secret outputs.
      const inputs = Object.entries(state.inputs).filter(([name]) => !secrets.includes(name));
      hear("the id and the inputs", [state.id, Object.fromEntries(inputs), state.failed]);
      hearOutputs(state.outputs);
    }
    for (const [name, content] of filesIn(this.#folder, "home", "neon-pulumi", "runs"))
      hear(`the file ${name} in Pulumi's home`, `${name} ${String(content)}`);
    await this.#plantPasswords();
  }

  #add(title: string, secret: unknown): void {
    if (typeof secret !== "string") return;
    if (secret.startsWith("postgres")) this.secrets.addUri(title, secret);
    else this.secrets.add(title, secret);
  }

  /** Every password on the platform, including those that the provider has never known. */
  async #plantPasswords(): Promise<void> {
    const { platform } = this.#stage;
    for (const [path, { password }] of await objectsOf(platform, [platform]))
      this.#add(`the password of ${path}`, password);
  }

  /** Collects what the provider process has written since the last time. */
  #overhear(resource: EngineResource): void {
    const { lines, output } = resource.server;
    for (const { text } of lines.slice(this.#heard.lines)) this.#told.push({ where: "a line in a row", text });
    this.#told.push({ where: "what the provider prints", text: output.slice(this.#heard.output) });
    this.#heard = { lines: lines.length, output: output.length };
  }

  #search(): Leak[] {
    return this.#told.splice(0).flatMap(({ where, text }) => this.secrets.search(where, text));
  }

  async #searchPlatform(): Promise<Leak[]> {
    const leaks = filesIn(this.#folder, "data").flatMap(([name, content]) => this.secrets.search(name, content));
    for (const path of ["/", "/local/requests"]) {
      const answer = await fetch(`${this.#stage.platform.platform.consoleUrl}${path}`);
      leaks.push(...this.secrets.search(path, await answer.text()));
    }
    return leaks;
  }
}

function filesIn(...path: readonly string[]): (readonly [name: string, content: Buffer])[] {
  const folder = join(...path);
  try {
    return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const);
  } catch (error) {
    // There are no claims before the first one.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
