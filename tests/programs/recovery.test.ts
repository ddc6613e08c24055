import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { suitePlatform } from "../support/platform";
import { inventory, suiteStacks } from "../support/stack";

/** What becomes of a change: ways for its operation to end, and one way for its request to. */
const operationEnds = ["error", "failed", "stuck"] as const;
const ways = [...operationEnds, "500"] as const;
/** Projects and branches that are made before anything fails, and those whose creation fails. */
const stages = ["old", "new"] as const;

describe("programs: after a change that has failed", function () {
  this.timeout(900_000);
  const platform = suitePlatform({ operationTime: "50ms" });
  const newStack = suiteStacks();

  it("`up` goes on from where it was, as the failure has said", async () => {
    // Projects for branches to be made in: one each, so that none waits.
    const homes: Record<string, string> = {};
    for (const name of stages.flatMap((stage) => ways.map((way) => `${stage}-branch-${way}`))) {
      homes[name] = (await platform().project({ name: `home of ${name}` })).project.id;
    }
    /** With `changed`, it changes the old objects and adds the new ones. */
    const program = (changed: boolean): string => {
      const size = changed ? 2 : 1;
      const branch = (name: string): string => `
        new neon.Branch("${name}", {
          projectId: "${homes[name] ?? ""}",
          compute: { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: ${size} },
        });`;
      const project = (name: string): string => `
        new neon.Project("${name}", { historyRetentionSeconds: ${3600 * size} });`;
      return (changed ? stages : ["old"])
        .flatMap((stage) =>
          ways.flatMap((way) => [branch(`${stage}-branch-${way}`), project(`${stage}-project-${way}`)]),
        )
        .join("\n");
    };
    const stack = await newStack({ platform: platform(), program: program(false) });
    await stack.up("--parallel", "16");
    const before = await inventory(platform());

    // Which of the equal objects meets which end is open, and does not matter: each meets a different one.
    for (const end of operationEnds) {
      for (const action of ["create_branch", "create_timeline", "apply_config", "apply_storage_config"]) {
        await platform().fault({ action, end });
      }
    }
    const unlucky = [
      { method: "PATCH", path: `/projects/${homes["old-branch-500"] ?? ""}/endpoints/` },
      { method: "PATCH", path: `/projects/${stack.resource("old-project-500").id ?? ""}$` },
      { method: "POST", path: `/projects/${homes["new-branch-500"] ?? ""}/branches$` },
      { method: "POST", path: "/projects$" },
    ];
    for (const fault of unlucky) await platform().fault({ ...fault, status: 500 });
    stack.write(program(true));
    // Less than the looks for a lost answer take, so that they end with the time over. Only what has to fail gets so little.
    stack.configure({ "neon:operationTimeout": "3s" });
    assertExplained((await stack.failing("up", "--continue-on-error", "--parallel", "16")).text);
    assert.equal([...stack.resources().values()].filter(({ initErrors }) => initErrors !== undefined).length, 12);
    stack.configure({ "neon:operationTimeout": "10m" });
    await platform().clearFaults();
    for (const { id } of Object.values(await inventory(platform()))) await platform().settled(id);

    await stack.up("--parallel", "16");
    const found = await inventory(platform());
    const projects = stages.flatMap((stage) => ways.map((way) => `${stage}-project-${way}`));
    const homeNames = Object.keys(homes).map((name) => `home of ${name}`);
    assert.deepEqual(Object.keys(found).sort(), [...projects, ...homeNames].sort());
    for (const name of projects) {
      const id = found[name]?.id;
      assert.equal(stack.resource(name).id, id);
      if (name in before) assert.equal(id, before[name]?.id);
      const { project } = (await platform().call("GET", `/projects/${id ?? ""}`)).body;
      assert.equal(project.history_retention_seconds, 7200, name);
    }
    for (const [name, home] of Object.entries(homes)) {
      const { branches = {} } = found[`home of ${name}`] ?? {};
      const endpointId = String(stack.resource(name).outputs["endpointId"]);
      assert.deepEqual({ ...branches, main: undefined }, { main: undefined, [name]: [endpointId] });
      const { endpoint } = (await platform().call("GET", `/projects/${home}/endpoints/${endpointId}`)).body;
      assert.deepEqual([endpoint.current_state, endpoint.autoscaling_limit_max_cu], ["active", 2], name);
    }
    for (const [name, { outputs, initErrors }] of stack.resources()) {
      assert.equal((outputs["__neon"] as { pending?: unknown }).pending, undefined, `${name} is no longer unfinished`);
      assert.equal(initErrors ?? undefined, undefined, `${name} is no longer marked as failed`);
    }
  });
});

/** Asserts that every failure of the stack says what has failed, where, and what happens next. */
function assertExplained(text: string): void {
  const link = "( See neon-pulumi/docs/troubleshooting\\.md#[\\w-]+\\.)?";
  const count = (line: string): number =>
    [...text.matchAll(new RegExp(`^\\s+(\\* |error: )${line}${link}$`, "gm"))].length;
  for (const action of ["create_branch", "create_timeline", "apply_config", "apply_storage_config"]) {
    const operation = `peration [\\w-]+ \\(${action}\\)`;
    const next = action.startsWith("create")
      ? "The (branch|project) [\\w/-]+ never became usable. The next `pulumi up` replaces it\\."
      : "The next `pulumi up` resumes from here\\.";
    const reason = `ended with status error \\(failures: 1\\): ${action} did not succeed \\(a scripted fault\\)\\.`;
    assert.equal(count(`O${operation} ${reason} ${next}`), 1, `${action} that ended with status error:\n${text}`);
    for (const status of ["failed", "running"]) {
      const late = `Timed out after [\\d.]+ s: o${operation} is ${status}(; .*)?\\. The next \`pulumi up\` resumes from here\\.`;
      assert.equal(count(late), 1, `${action} that stayed ${status}:\n${text}`);
    }
  }
  const unknown = (request: string, next: string): string =>
    `${request} was sent, but its outcome is unknown: HTTP 500, scripted fault: 500 \\[request [\\w-]+\\]\\. ${next}`;
  const again = "Nothing has changed so far\\. Run the same command again\\.";
  assert.equal(count(unknown("PATCH /projects/[\\w-]+", again)), 1, text);
  assert.equal(count(unknown("PATCH /projects/[\\w-]+/endpoints/[\\w-]+", again)), 1, text);
  const none = "No object was found that it could have created\\. ";
  assert.equal(count(unknown("POST /projects/[\\w-]+/branches", `${none}Run the same command again\\.`)), 1, text);
  const named = "The next `pulumi up` names the object if there is one\\.";
  assert.equal(count(unknown("POST /projects", `${none}${named}`)), 1, text);
}
