import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

import { after, describe, it } from "mocha";
import { format } from "prettier";

import { suitePlatform } from "../support/platform";
import { type Stack, suiteStacks } from "../support/stack";
import { type Mistake, mistakes } from "./mistakes-cases";

const page = "tests/programs/mistakes.md";
const update = process.env["UPDATE_TRANSCRIPT"] === "1";

const introduction = `# Mistakes and their messages

What Pulumi prints for mistakes that new users make. Each section shows the program, the command and the diagnostics. A test
runs all of them with the Pulumi CLI and compares the output with this page; ids, times and addresses are replaced.

`;

describe("a mistake of a new user", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();
  const written = new Map<string, string>();

  for (const mistake of mistakes) {
    it(`gets one message that names the remedy: ${mistake.title}`, async () => {
      const { title, program, command = ["preview"], messages = 1, remedy = "", run } = mistake;
      const stack = await prepared(mistake);
      stack.write(program);
      const result = run === undefined ? await stack.run(command) : await run(stack, platform());
      const said = shown(result.text);
      const printed = [...said.matchAll(/^ *(error|warning): /gm)].length;
      assert.equal(printed, messages, result.text);
      const shell = command.filter((part) => part !== "--yes" && part !== "--skip-preview").join(" ");
      const section = await formatted(
        `## ${title}\n\n\`\`\`js\n${program}\`\`\`\n\n\`\`\`text\n$ pulumi ${shell}\n${said}\n\`\`\`\n\n${remedy}`,
      );
      written.set(title, section);
      if (!update) assert.ok(readFileSync(page, "utf8").includes(section), `${page} does not say:\n${section}`);
    });
  }

  after(async () => {
    if (!update || written.size < mistakes.length) return;
    writeFileSync(page, await formatted(introduction + mistakes.map(({ title }) => written.get(title)).join("\n")));
  });

  async function prepared({ key, config = {}, earlier, since }: Mistake): Promise<Stack> {
    const { apiUrl, apiKey } = platform();
    const { projects } = (await platform().call("GET", "/projects?limit=400")).body;
    for (const { id } of projects) {
      const { branches } = (await platform().call("GET", `/projects/${id}/branches`)).body;
      for (const { id: branch, protected: isProtected } of branches) {
        if (isProtected)
          await platform().call("PATCH", `/projects/${id}/branches/${branch}`, { branch: { protected: false } });
      }
      await platform().call("DELETE", `/projects/${id}`);
    }
    const wrong = "napi_wrongwrongwrongwrongwrong";
    const stack = await newStack({ program: earlier ?? "", config: { "neon:apiUrl": apiUrl, ...config } });
    if (key === "plain") stack.configure({ "neon:apiKey": apiKey });
    else if (key !== "missing") stack.configure({}, { "neon:apiKey": key === "wrong" ? wrong : apiKey });
    if (earlier !== undefined) await stack.up();
    await since?.(stack, platform());
    return stack;
  }

  /** The diagnostics, without what differs in each run. */
  function shown(text: string): string {
    return diagnostics(text)
      .replaceAll(platform().apiUrl, "https://neon.example/api/v2")
      .replace(/\[request [^\]]+\]/g, "[request …]")
      .replace(/\bbr-[a-z]+-[a-z]+-[a-z0-9]{8}\b/g, "br-wispy-meadow-a1b2c3d4")
      .replace(/\b[a-z]+-[a-z]+-\d{8}\b/g, "calm-tree-12345678")
      .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "…")
      .replace(/\b\d+(\.\d+)? s\b/g, "… s")
      .replace(/\n{2,}/g, "\n")
      .trimEnd();
  }

  function formatted(markdown: string): Promise<string> {
    return format(markdown, { parser: "markdown", printWidth: 120, embeddedLanguageFormatting: "off" });
  }
});

/**
 * The diagnostics of each resource, or the whole text if there are none; without the engine's own summing up. Sorted,
 * because the engine prints those of one moment in any order.
 */
function diagnostics(text: string): string {
  const [, below] = text.split("Diagnostics:\n");
  if (below === undefined) return text;
  const ofResources = (below.split(/^Resources:/m)[0] ?? "").split(/^(?= {2}\S)/m);
  return ofResources
    .map((block) => {
      const isKept = (line: string): boolean => !/^ *error: \w+ (failed|canceled)$|^ +at \S+ /.test(line);
      const kept = block.split("\n").filter(isKept).join("\n").trimEnd();
      const [heading = "", ...messages] = kept.split(/\n(?= {4}(?:error|warning|\w*Error): )/);
      return [heading, ...messages.sort()].join("\n");
    })
    .filter((block) => block.includes("\n"))
    .sort()
    .join("\n");
}
