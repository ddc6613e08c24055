import { asSentence, hasStatus, messageOf, NeonError } from "../../api/core/errors";
import type { Topic } from "../../api/core/remediation";
import type { Problem } from "../call/services";
import { adviceOn } from "../lifecycle/errors";
import { PartialFailure } from "../lifecycle/partial-failure";
import { type KeySource, notUsing, replaceKey } from "../settings/key-source";

/** The engine keeps the provider's settings in the state. Commands that do not run the program use those. */
const settingsInState =
  "then run `pulumi up --refresh=false`: `refresh` and `destroy` use the settings of the last `up`.";

/**
 * The error's message, with advice for Pulumi users on wrong settings and a link to the documentation.
 *
 * @param key the source of the API key
 */
export function messageForUser(error: unknown, key: KeySource): string {
  const message = messageWithSettings(error, key);
  const topic = topicOf(error);
  return topic === undefined ? message : `${asSentence(message)} See neon-pulumi/docs/troubleshooting.md#${topic}.`;
}

/** The entry of the documentation on an error. A partial failure already says what happens next. */
function topicOf(error: unknown): Topic | undefined {
  if (error instanceof PartialFailure) return undefined;
  if (NeonError.isInstance(error)) return error.topic;
  return error instanceof Error ? topicOf(error.cause) : undefined;
}

function messageWithSettings(error: unknown, key: KeySource): string {
  const message = messageOf(error);
  const advice = adviceAt(error, key);
  return advice === undefined ? message : `${asSentence(message)} ${advice}`;
}

/**
 * The advice for Pulumi users on an error, as a sentence. For a hidden cause of the error, only advice on settings
 * applies.
 */
function adviceAt(error: unknown, key: KeySource): string | undefined {
  let isShown = true;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const advice = adviceOnSettings(cause, key) ?? (isShown ? adviceOn(cause) : undefined);
    if (advice !== undefined) return advice;
    isShown &&= !NeonError.isInstance(cause);
  }
  return undefined;
}

function adviceOnSettings(error: Error, key: KeySource): string | undefined {
  if (hasStatus(error, 401, 403)) {
    // A key in the environment is read again in each run.
    return key.from === "environment" ? `${replaceKey(key)}.` : `${replaceKey(key)}, ${settingsInState}`;
  }
  if (!NeonError.isInstance(error) || error.kind !== "never-responded") return undefined;
  const other =
    key.from === "provider" ? `, or in \`apiUrl\` of Provider "${key.name}" if the program declares it there` : "";
  return `Set it with \`pulumi config set neon:apiUrl\`${other}, ${settingsInState}`;
}

/** Adds to the problem of a missing key that the resource uses none of the program's providers. */
export function withProviders({ property, reason }: Problem, unused: readonly string[] = []): Problem {
  if (property !== "neon:apiKey" || unused.length === 0) return { property, reason };
  return { property, reason: `${reason}. ${notUsing(unused)}` };
}

/**
 * The problem in the response to a check. It names no property, because the engine would show the value of that
 * property, even if it is secret.
 */
export function problemWithoutValue({ property, reason }: Problem): Problem {
  return { property: "", reason: `${property}: ${reason}` };
}
