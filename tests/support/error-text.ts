import { inspect } from "node:util";

/** An error of this process, or of another one. */
interface ErrorLike {
  message: string;
  stack?: string;
  cause?: unknown;
}

/** The full text of an error: message and stack, also of each cause. */
export function errorText(error: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at !== undefined && !seen.has(at); at = isErrorLike(at) ? at.cause : undefined) {
    seen.add(at);
    texts.push(isErrorLike(at) ? ownText(at) : inspect(at));
  }
  return texts.join("\nCaused by: ");
}

function isErrorLike(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null && "message" in value && typeof value.message === "string";
}

function ownText({ message, stack }: ErrorLike): string {
  if (stack === undefined || stack === "") return message;
  // Some code changes the message after the stack was written.
  return stack.includes(message) ? stack : `${message}\n${stack}`;
}
