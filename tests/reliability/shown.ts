import { CallError } from "../support/dynamic-server";
import type { Subject } from "./subject";

const where = /\b(GET|POST|PATCH|PUT|DELETE) \/\S+|\boperation \S+ \(\w+\)|\bThe [\w ]+ \S+ /i;
const remedy =
  /`pulumi |`adopt|\b(run|try|declare|use|take|choose|set|give|delete|remove|look) |goes on|makes (it|a new one)|looks again/i;
const stack = /\n\s+at |node:internal|\.js:\d+/;

/** What is wrong with an error as people see it. */
export function* faultsOfError({ resource, sample, stage }: Subject, error: unknown): Generator<string> {
  if (!(error instanceof CallError)) {
    yield `it failed outside the provider: ${String(error)}`;
    return;
  }
  const { message, partial } = error;
  const text = [message, ...(partial?.reasons ?? [])].join("\n");
  const outputs = { ...resource.state?.outputs, ...partial?.properties };
  const secrets = sample.definition.secrets.flatMap((name) => {
    const value = outputs[name];
    return typeof value === "string" && value.length > 4 ? [value] : [];
  });
  if (!where.test(text)) yield `the error does not say where: ${text}`;
  if (!remedy.test(text)) yield `the error does not say what to do: ${text}`;
  if (stack.test(text)) yield `the error has a stack: ${text}`;
  // Only how it is leaked is told, not what.
  for (const secret of [stage.platform.apiKey, ...secrets]) if (text.includes(secret)) yield "the error has a secret";
}
