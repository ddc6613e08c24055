import { asSentence, hasStatus, messageOf, NeonError } from "../../api/core/errors";
import type { Topic } from "../../api/core/remediation";
import type { Problem } from "../call/services";
import { adviceOn } from "../lifecycle/errors";
import { PartialFailure } from "../lifecycle/partial-failure";
import { type KeySource, notUsing, replaceKey } from "../settings/key-source";

/** The engine keeps the provider's settings in the state, and calls that do not run the program use those. */
const settingsInState =
  "then run `pulumi up --refresh=false`: `refresh` and `destroy` use the settings of the last `up`.";

/**
 * The error's message, with what Pulumi's users have to know about settings that turn out wrong, and where to read on.
 *
 * @param key where the API key comes from
 */
export function messageForUser(error: unknown, key: KeySource): string {
  const message = messageWithSettings(error, key);
  const topic = topicOf(error);
  return topic === undefined ? message : `${asSentence(message)} See neon-pulumi/docs/troubleshooting.md#${topic}.`;
}

/** The entry of the documents on an error. A partial failure says itself what happens next. */
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

/** What Pulumi's users can do about an error, in a sentence. Only the settings explain an error behind the one that is shown. */
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
    // The process reads its environment in each run.
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

/** A problem as a check tells it. The engine would show the value of the property that it names, also of a secret one. */
export function problemWithoutValue({ property, reason }: Problem): Problem {
  return { property: "", reason: `${property}: ${reason}` };
}
