import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

import type { Clock } from "../clock";
import { type RunRequest, runRequest } from "../pulumi-run/run";
import { writeWhole } from "../storage/write-whole";
import type { LoggedRequest } from "./request-log";

/** The file of a data folder that holds the requests of Pulumi, one line of JSON each. */
export const runJournalName = "runs.ndjson";

/** The name of the provider in its `user-agent`. */
const providerName = "neon-pulumi";
const flushMs = 1_000;
const maxBytes = 4 << 20;
/** The most requests in memory, without a file or while it cannot be written. */
const maxRequests = 20_000;

const namedBody = z.union([
  z.object({ key_name: z.string() }).transform(({ key_name: name }) => name),
  z
    .record(z.string(), z.unknown())
    .transform((body) => Object.values(body).map((member) => z.object({ name: z.string() }).safeParse(member)))
    .transform((members) => members.find(({ success }) => success)?.data?.name),
]);

/**
 * The requests of Pulumi's runs, from which the timeline is drawn. They are kept with the data, so that a finished run can be
 * shown later. A line is written within a second, so that no request waits for the disk; a kill may lose that second.
 */
export class RunJournal {
  readonly #file: string | undefined;
  readonly #clock: Clock;
  readonly #basePath: string;
  #unwritten: RunRequest[] = [];
  #cancelFlush: (() => void) | undefined;

  /** @param folder the data folder; undefined if the data is in memory */
  constructor(folder: string | undefined, clock: Clock, basePath: string) {
    this.#file = folder === undefined ? undefined : join(folder, runJournalName);
    this.#clock = clock;
    this.#basePath = basePath;
  }

  /** Records an answered request if the provider has sent it. */
  record(entry: LoggedRequest): void {
    if (entry.milliseconds === null || !entry.userAgent.includes(providerName)) return;
    this.#unwritten.push({
      at: Date.parse(entry.time),
      milliseconds: entry.milliseconds,
      method: entry.method,
      path: entry.path.startsWith(this.#basePath) ? entry.path.slice(this.#basePath.length) : entry.path,
      status: entry.status,
      requestId: entry.requestId,
      agent: entry.userAgent,
      operations: entry.operations,
      name: namedBody.safeParse(entry.body).data,
    });
    if (this.#unwritten.length > maxRequests) this.#unwritten = this.#unwritten.slice(maxRequests / 2);
    if (this.#file !== undefined) this.#cancelFlush ??= this.#clock.after(flushMs, () => this.flush());
  }

  /** All recorded requests, in the order of their arrival. */
  list(): RunRequest[] {
    const written = this.#file === undefined ? [] : readRunJournal(this.#file);
    return [...written, ...this.#unwritten].sort((one, other) => one.at - other.at);
  }

  /** Writes the requests that are not written yet. They stay in memory if the disk is full. */
  flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#file === undefined || this.#unwritten.length === 0) return;
    try {
      const text = this.#unwritten.map((request) => `${JSON.stringify(request)}\n`).join("");
      appendFileSync(this.#file, text, { mode: 0o600 });
      this.#unwritten = [];
      if (statSync(this.#file).size > maxBytes) halve(this.#file);
    } catch {
      // The platform itself reports problems of the disk and of the folder.
    }
  }
}

/** The requests in a file; none if there is no such file. Incomplete lines are left out. */
export function readRunJournal(file: string): RunRequest[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((text) => {
      try {
        return [runRequest.parse(JSON.parse(text))];
      } catch {
        return [];
      }
    });
}

/** Keeps the later half of a file. */
function halve(file: string): void {
  const content = readFileSync(file);
  const start = content.indexOf("\n", content.length >> 1) + 1;
  writeWhole(file, content.subarray(start), { mode: 0o600 });
}
