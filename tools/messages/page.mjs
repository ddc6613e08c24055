// Joins the texts of the code with what topics.mjs says about them, as docs/messages.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { texts } from "./texts.mjs";
import { topics } from "./topics.mjs";

/** @typedef {import("./texts.mjs").Text} Text */
/** @typedef {import("./topics.mjs").Topic} Topic */
/** @typedef {import("./topics.mjs").Selector} Selector */

/** Where the page is checked in. */
export const page = join(root, "docs", "messages.md");

/** @param {string} [file] */
export function writePage(file = page) {
  writeFileSync(file, pageOf(topics, texts()));
}

/**
 * The page; fails if a text has no topic, or if a selector selects nothing.
 *
 * @param {readonly Topic[]} all
 * @param {readonly Text[]} found
 */
export function pageOf(all, found) {
  const used = new Set();
  /** @type {Map<Topic, Set<string>>} */
  const byTopic = new Map(all.map((topic) => [topic, new Set(topic.engine)]));
  const problems = [];
  for (const one of found) {
    const topic = all.find(({ from }) => from.some((selector) => selects(selector, one)));
    if (topic === undefined) problems.push(`No topic selects "${one.text}" of ${one.file}.`);
    else byTopic.get(topic)?.add(one.text);
    for (const selector of topic?.from ?? []) if (selects(selector, one)) used.add(selector);
  }
  for (const { title, from } of all) {
    for (const selector of from) if (!used.has(selector)) problems.push(`${title}: ${selector} selects nothing.`);
  }
  if (problems.length > 0) throw new Failure(["tools/messages/topics.mjs:", ...problems].join("\n"));
  const contents = `## Causes\n\n${all.map(({ title }) => `- [${title}](#${anchorOf(title)})`).join("\n")}\n`;
  return [preface, contents, ...[...byTopic].map(([topic, list]) => section(topic, [...list]))].join("\n");
}

/** @param {string} title */
function anchorOf(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

const preface = `# Messages and other problems

**You have a message:** search this page for a part of it without names and ids: \`…\` stands for those. It has the texts that the package
can show you, by cause, with what to do. One message can consist of several of these texts. What stands between
\`failed with HTTP …:\` and \`[request …]\` is Neon's own text, which this page cannot know. The texts of the
[local platform](local-platform.md), which answers in Neon's place, are [at the end](#the-local-platform-refuses-a-change).

**A run failed or was killed:** see [recovery.md](recovery.md).

## Without a message

- **A replacement that you did not expect.** The preview names the properties that cause it.
  [resources.md](resources.md#what-a-change-does) lists the properties whose change replaces an object.
- **A branch is shown as replaced although its parent does not change.** Omit \`parentId\` if the parent is the default branch
  ([limits](limits.md)).
- **An update without a changed property.** Either \`customTimeouts\` changed, or the last run failed after Neon accepted a change. The
  update finishes that change.

## What to collect

- **Versions.** \`pulumi about\` lists those of the CLI, of Node and of \`neon-pulumi\`.
- **Requests.** Set \`neon:logLevel\` to \`info\` ([request log](configuration.md#request-log)). Neon's support asks for the request id.
- **State.** \`pulumi stack export\` shows the hidden output \`__neon\` of each resource: the declared properties, pending operations, and the
  owner of the project.
- **Journal.** \`neon-pulumi/journal\` below \`PULUMI_HOME\` (default \`~/.pulumi\`) has one JSON file per creation whose result may be in no
  state. It holds no secret, and it is empty after a run that ended normally.

Before you share a log, read what Pulumi's own debug options reveal: [SECURITY.md](../SECURITY.md#pulumis-own-output).
`;

/**
 * @param {Topic} topic
 * @param {readonly string[]} list
 */
function section({ title, cause, remedy, printed }, list) {
  const whole =
    printed === undefined ? "" : `As Pulumi prints it:\n\n${textBlock([printed])}\nIts parts, and others:\n\n`;
  return `## ${title}\n\n${cause}\n\n**Do:** ${remedy}\n\n${whole}${textBlock(list)}`;
}

/** @param {readonly string[]} lines */
function textBlock(lines) {
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\`\n`;
}

/**
 * @param {Selector} selector
 * @param {Text} text
 */
function selects(selector, { file, text }) {
  const [from, pattern] = typeof selector === "string" ? [selector] : selector;
  return (from.endsWith("/") ? file.startsWith(from) : file === from) && (pattern?.test(text) ?? true);
}
