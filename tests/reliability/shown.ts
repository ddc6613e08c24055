import { CallError, type Values } from "../support/provider-server";
import { CheckError } from "../support/engine";
import type { Subject } from "./subject";

/** A request in an error: its method and path. */
const request = /\b(GET|POST|PATCH|PUT|DELETE) (\/\S+)/;

/** Patterns of the place in an error, other than the object's ids and names. */
const places = [request, /\boperation [\w-]+ \(\w+\)/i];

/** Patterns of the failure in an error, and of the last known state of a request, an operation or an object. */
const sights = [
  /failed with HTTP \d{3}: [^[\s]/,
  /returned HTTP \d{3}, but the response (is|does) /,
  /outcome is unknown: HTTP \d{3}, ([^[\s]|but the response (is|does) )/,
  /\bno response(: \w| within [\d.]+ s)/,
  /was not sent: .* Neon asks to wait \d+ s/,
  /\bended with status \w+ \(failures: \d+\)/,
  /\bdid not recover from status failed within [\d.]+ s \(failures: \d+\)/,
  /\boperation [\w-]+ \(\w+\) is \w+/,
  /\boperation [\w-]+ \(\w+\) of project \S+ was not found\. Its last known status was \w+/i,
  /\b(no longer exists|still exists|never became usable)\b/,
  /reported that it created .* cannot be found/,
  /\/\S+ succeeded, but the change was not made: \w/,
  /\bThere (is|are|is no) .*\b(already|does not see it|named)\b/,
  /, but neon:\w+ is that of \S+/,
];

/** A request with a response. Its error must have the request id, by which the platform's support finds it. */
const answered = /(failed with|returned|outcome is unknown:) HTTP \d{3}/;
const requestId = /\[request [\w-]+\]/;

/** The part of an error that is about a request. The words of the platform are not advice of the provider. */
const facts =
  /\b(GET|POST|PATCH|PUT|DELETE) \/\S+ (received no response( within [\d.]+ s|: [^.]*)|.*?(no response( within [\d.]+ s|: [^.]*)|\[request [\w-]+\]))/g;

/** Advice: something that people can do, or that the next run does. */
const advice =
  /(^|[.:;,()] ?|\b(then|and|or) )(adopt|ask|change|check|choose|correct|declare|delete|give|let|look|fix|remove|resolve|run|see|set|take|try|upgrade|use|wait)\b(?! (is|are|was)\b)/i;
const future = /\bthe next `pulumi up` (resumes|checks again|names the object|replaces it|then creates a new one)/i;

/** Advice to repeat the command. */
const again = /\btry again\b|\brun the same command again\b|\bresumes from here\b|\bchecks again\b/gi;

const stack = /\n\s+at |node:internal|\.js:\d+/;
const unfinished = /\bundefined\b|\[object |\bnull\b|\bNaN\b|\.\.$|[^.]\. ?\. |\s{2}|\n|\s[.,:;]/;

/** The limit of an error's length, because people do not read longer texts. */
const mostCharacters = 900;

/** The objects that an error may name, and the texts that it must not contain. */
export interface About {
  /** Ids and names of its objects. */
  readonly objects: readonly string[];
  /** Texts that no error may contain. */
  readonly secrets: readonly string[];
}

/** The problems of the text of an error. It has to say once what failed, where, the last known state, and what to do. */
export function* faultsOfText(text: string, { objects, secrets }: About): Generator<string> {
  const own = text.replace(facts, "");
  const isPlaced = places.some((place) => place.test(text)) || objects.some((name) => text.includes(name));
  if (!isPlaced) yield "does not say where";
  if (!sights.some((sight) => sight.test(text))) yield "does not say what was last seen";
  if (answered.test(text) && !requestId.test(text)) yield "does not say which request was answered";
  if (!advice.test(own) && !future.test(own)) yield "does not say what to do";
  if (/\bpassword/.test(own) && !/\/(reveal_password|connection_uri)\b|\/roles\b/.test(text)) {
    yield "speaks of passwords, which it is not about";
  }
  const sentences = own.split(/(?<=[.!?]) /).filter((one) => one.length > 1);
  if (new Set(sentences).size < sentences.length) yield "has a sentence twice";
  if ((own.match(again) ?? []).length > 1) yield "says twice that it is to be done again";
  if (/Nothing was (created|changed|deleted)\./.test(own) && /resumes from here|outcome is unknown/.test(text)) {
    yield "says that nothing was done, and that something was";
  }
  if (stack.test(text)) yield "has a stack";
  else if (unfinished.test(text)) yield "is not whole sentences on one line";
  if (!/[.!?)]$/.test(text)) yield "ends without a full stop";
  if (text.length > mostCharacters) yield `has ${text.length} characters`;
  // The report does not repeat the secret.
  if (secrets.some((secret) => text.includes(secret))) yield "has a secret";
}

/** The problems of an error that people see. */
export function* faultsOfError(subject: Subject, error: unknown): Generator<string> {
  if (error instanceof CheckError) {
    yield* faultsOfCheck(subject, error);
    return;
  }
  if (!(error instanceof CallError)) {
    yield `it failed outside the provider: ${String(error)}`;
    return;
  }
  const { message, partial } = error;
  const about = aboutOf(subject, { ...subject.resource.state?.outputs, ...partial?.properties });
  for (const text of new Set([message, ...(partial?.reasons ?? [])].flatMap(ownTexts))) {
    for (const fault of faultsOfText(text, about)) {
      yield fault === "has a secret" ? `the error ${fault}` : `the error ${fault}: ${text}`;
    }
  }
}

/** The problems of the reasons of a `check`, which the engine shows with the property. */
function* faultsOfCheck(subject: Subject, { failures }: CheckError): Generator<string> {
  const about = aboutOf(subject, { ...subject.resource.state?.outputs });
  for (const { property, reason } of failures) {
    for (const fault of faultsOfText(`${property} ${reason}.`, { ...about, objects: [...about.objects, property] })) {
      yield fault === "has a secret" ? `the refusal ${fault}` : `the refusal ${fault}: ${property} ${reason}`;
    }
  }
}

/** The lines that the engine puts around an error of a provider. */
const frame = /^(error: |\* )*((.*\b\d+ errors? occurred:|(up|pre|re)\w+ failed)$)?/;

/** The errors of a provider in a text of the engine, each with its stack trace. */
function ownTexts(text: string): readonly string[] {
  if (stack.test(text)) return [text];
  const lines = text.split("\n").map((line) => line.trim().replace(frame, ""));
  return lines.filter((line) => line !== "");
}

function aboutOf({ resource, program, project, sample, stage }: Subject, outputs: Values): About {
  const named = Object.entries({ ...program, ...outputs }).flatMap(([key, value]) =>
    /(^name|Id|^id|^email)$/.test(key) && typeof value === "string" && value.length > 2 ? [value] : [],
  );
  const secrets = (sample.secrets ?? []).flatMap((name) => {
    const value = outputs[name];
    return typeof value === "string" && value.length > 4 ? [value] : [];
  });
  return {
    objects: [...named, ...[resource.state?.id, project].filter((id) => id !== undefined)],
    secrets: [stage.platform.apiKey, ...secrets],
  };
}
