import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** The sentences on docs/messages.md, as patterns for those of a message. */
const patterns = [...readFileSync("docs/messages.md", "utf8").matchAll(/^```text\n([\s\S]*?)^```$/gm)]
  .flatMap(([, list = ""]) => list.trimEnd().split("\n"))
  .flatMap(sentencesOf)
  .filter((text) => (text.match(/\p{L}{2,}/gu) ?? []).length > 1)
  .map(patternOf);

/** Asserts that docs/messages.md has each sentence of a message. */
export function assertOnPage(message: string): void {
  // What the platform says is its own: from the status to the request.
  const own = message.replace(/(failed with HTTP \d+): .*? \[request [\w-]+\]/u, "$1: …");
  const unknown = sentencesOf(own).filter((sentence) => !patterns.some((pattern) => pattern.test(sentence)));
  assert.deepEqual(unknown, [], "docs/messages.md does not have these sentences");
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=\.) (?=[A-Z`])/u);
}

function patternOf(sentence: string): RegExp {
  const text = sentence.replace(/\.$/, "").split("…").map(escaped).join(".*");
  // A value at an end can be empty, or the sentence before. A text in lower case continues a sentence.
  const start = /^\p{Ll}/u.test(text) ? "(.* )?" : "";
  return new RegExp(`^${start}${text.replace(/^\.\* /, "(.* )?").replace(/ \.\*$/, "( .*)?")}\\.?$`, "u");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
