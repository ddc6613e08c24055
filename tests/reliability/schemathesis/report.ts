import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { readingOf, type Deviation } from "./readings";

/** The parts of an event that are read here. */
interface Event {
  readonly ScenarioFinished?: { readonly recorder: Recorder };
  readonly NonFatalError?: object;
  readonly FatalError?: object;
  readonly EngineFinished?: object;
}
interface Recorder {
  readonly cases?: Readonly<Record<string, { readonly value: { readonly method: string; readonly path: string } }>>;
  readonly checks?: Readonly<Record<string, readonly Check[]>>;
  readonly interactions?: Readonly<Record<string, Interaction>>;
}
interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure?: { readonly title?: string; readonly message?: string } };
}
interface Interaction {
  readonly request: { readonly method: string; readonly uri: string; readonly body?: Content };
  readonly response?: { readonly status_code: number; readonly content?: Content } | null;
}
interface Content {
  readonly $base64: string;
}

/** Reads the events of a run, one in each line. */
export async function readReport(path: string) {
  const operations = new Set<string>();
  /** The operations that have succeeded at least once. */
  const fulfilled = new Set<string>();
  /** How often each reading was applied, by its reason. */
  const readings = new Map<string, number>();
  /** The failures that no reading explains, once for each check, operation and status. */
  const failures = new Map<string, string>();
  let cases = 0;
  let checks = 0;
  let isComplete = false;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const event = JSON.parse(line) as Event;
    isComplete ||= event.EngineFinished !== undefined;
    const error = event.NonFatalError ?? event.FatalError;
    if (error) failures.set(JSON.stringify(error).slice(0, 500), `could not be tested: ${JSON.stringify(error)}`);
    const recorder = event.ScenarioFinished?.recorder ?? {};
    for (const [id, interaction] of Object.entries(recorder.interactions ?? {})) {
      cases += 1;
      const { method = "", path: template = "" } = recorder.cases?.[id]?.value ?? {};
      const operation = `${method} ${template}`;
      operations.add(operation);
      const { status_code: status = 0, content } = interaction.response ?? {};
      if (status >= 200 && status < 300) fulfilled.add(operation);
      if (status === 0) failures.set(`none ${operation}`, `${shown(interaction)}: no answer`);
      for (const check of recorder.checks?.[id] ?? []) {
        checks += 1;
        if (check.status !== "failure") continue;
        const deviation: Deviation = { check: check.name, operation, status, message: messageIn(content) };
        const reading = readingOf(deviation);
        if (reading === undefined) {
          const { title = "", message = "" } = check.failure_info?.failure ?? {};
          const problem = `${check.name} (${title}): ${message}`;
          failures.set(
            `${check.name} ${operation} ${status}`,
            `${shown(interaction)}: ${problem}\n${deviation.message}`,
          );
        } else readings.set(reading, (readings.get(reading) ?? 0) + 1);
      }
    }
  }
  if (!isComplete) failures.set("", "the run was not finished");
  return { cases, checks, operations, fulfilled, readings, failures: [...failures.values()] };
}

function messageIn(content: Content | undefined): string {
  const text = textOf(content);
  try {
    const { message = text } = JSON.parse(text) as { readonly message?: string };
    return message;
  } catch {
    return text;
  }
}

function shown({ request: { method, uri, body }, response }: Interaction): string {
  const sent = textOf(body).slice(0, 2_000);
  return `${method} ${uri.slice(0, 2_000)}${sent === "" ? "" : ` with ${sent}`} answers ${response?.status_code ?? "nothing"}`;
}

function textOf(content: Content | undefined): string {
  return content === undefined ? "" : Buffer.from(content.$base64, "base64").toString();
}
