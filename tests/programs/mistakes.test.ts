import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { type Stack, suiteStacks } from "../support/stack";
import { until } from "../support/until";

/** A mistake of a new user, and the one message that Pulumi prints. */
interface Mistake {
  readonly program: string;
  readonly says: string;
  /** The API key in the stack's configuration. Default: one that the platform accepts, as a secret. */
  readonly key?: "wrong" | "plain";
  readonly config?: Readonly<Record<string, string>>;
  /** The command after `pulumi up`. Default: `pulumi preview` of a new stack. */
  readonly later?: readonly string[];
}

const project = 'const project = new neon.Project("shop");\n';

/** Tests below `tests/provider` check the messages. These check that Pulumi prints each of them once, and nothing else. */
const mistakes: Readonly<Record<string, Mistake>> = {
  "an API key that Neon rejects": {
    key: "wrong",
    program: `${project}new neon.Branch("pr", { projectId: project.id });`,
    says: "neon:apiKey: was rejected: GET /auth failed with HTTP 401",
  },
  "an API key that is not a secret": {
    key: "plain",
    program: project,
    says: "The setting neon:apiKey is stored in plain text. Run `pulumi config set --secret neon:apiKey` to encrypt it.",
  },
  "a setting that does not exist": {
    config: { "neon:apiHost": "https://neon.example/api/v2" },
    program: project,
    says: "The setting neon:apiHost does not exist and is ignored. Did you mean neon:apiUrl?",
  },
  "a misspelled property": {
    program: `${project}new neon.Branch("pr", { projectID: project.id });`,
    says: "resource 'pr' has a problem: projectID: there is no such property here; did you mean projectId?",
  },
  "an output in a string": {
    program: `${project}new neon.Branch("pr", { projectId: project.id, name: "pr-" + project.id });`,
    says: "resource 'pr' has a problem: name: contains an output as text: build the value with `pulumi.interpolate`",
  },
  "a protected branch that is destroyed": {
    program: `${project}new neon.Branch("production", { projectId: project.id, protected: true });`,
    later: ["destroy", "--yes"],
    says: '::production" cannot be deleted',
  },
};

describe("programs: a mistake of a new user", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "20ms" });
  const newStack = suiteStacks();

  async function stackOf({ program, key, config = {} }: Mistake): Promise<Stack> {
    const { apiUrl, apiKey } = platform();
    const stack = await newStack({ program, config: { "neon:apiUrl": apiUrl, ...config } });
    if (key === "plain") stack.configure({ "neon:apiKey": apiKey });
    else stack.configure({}, { "neon:apiKey": key === "wrong" ? "napi_wrongwrongwrongwrongwrong" : apiKey });
    return stack;
  }

  for (const [title, mistake] of Object.entries(mistakes)) {
    it(`gets one message that names the remedy: ${title}`, async () => {
      const stack = await stackOf(mistake);
      if (mistake.later) await stack.up();
      const { text } = await stack.run(mistake.later ?? ["preview"]);
      const messages = (text.match(/^ *(?:error|warning): .*$/gm) ?? []).filter(
        // Skip the engine's last line.
        (line) => !/error: \w+ (failed|canceled)$/.test(line),
      );
      assert.ok(messages.length === 1 && messages[0]?.includes(mistake.says), text);
    });
  }

  it("is told at the first Ctrl-C what a second one would do", async () => {
    const { id: projectId } = (await platform().project({ name: "interrupted" })).project;
    const stack = await stackOf({ program: `new neon.Branch("pr", { projectId: "${projectId}" });`, says: "" });
    await platform().clearRequests();
    await platform().fault({ action: "create_branch", end: "stuck" });
    const run = stack.start(["up", "--yes", "--skip-preview"], true);
    await until(async () => (await platform().requests()).some(({ method }) => method === "POST"));
    process.kill(run.pid, "SIGINT");
    // Pulumi waits for what is in progress.
    await until(() => run.output().includes("cancel"));
    await platform().clearFaults();
    const { text } = await run.ended;
    assert.match(text, /\^C received; cancelling\. If you would like to terminate immediately, press \^C again\./);
  });
});
