import { startTestPlatform } from "../../support/platform";
import { Stack } from "../../support/stack";
import { createdObjectsByAuditor, disagreementTexts, objectsInState } from "../created-objects";
import { madeTwice, type Result } from "./concurrent-stacks";
import { type Mix, programText, randomProgram } from "./program";
import { trafficOf } from "./traffic";

interface OneProgram extends Pick<Mix, "resources" | "projects" | "draw"> {
  readonly operationTime: string;
}

/** Many resources in one `pulumi up` with the real CLI, under the platform's real rate limit. */
export async function oneProgram(options: OneProgram): Promise<Result> {
  const { draw, operationTime } = options;
  const platform = await startTestPlatform({ operationTime, seed: String(draw()), rateLimit: true });
  const program = randomProgram({ ...options, prefix: "r", homes: [] });
  const config = { "neon:orgId": await platform.firstOrganization() };
  const stack = await Stack.create({ platform, program: programText(program), config });
  try {
    const began = performance.now();
    await through(stack, "up");
    const seconds = (performance.now() - began) / 1_000;
    const { requests, limited, busy, made } = await trafficOf(platform);
    const owned = objectsInState(stack.everyResource());
    const problems = [
      ...madeTwice([program], made),
      ...disagreementTexts(await createdObjectsByAuditor(platform), [owned]),
    ];
    if (limited > 0) problems.push(`${limited} requests met a 429`);
    if (busy > 0) problems.push(`${busy} requests met a 423`);
    await through(stack, "destroy");
    problems.push(...disagreementTexts(await createdObjectsByAuditor(platform), []));
    return {
      counts: { resources: program.length, requests, "429 answers": limited, "423 answers": busy, seconds },
      problems,
    };
  } finally {
    await stack.remove();
    await platform.close();
  }
}

/** More than so many resources ever take, on a machine that does other things, too. */
const patienceMs = 900_000;

async function through(stack: Stack, command: "up" | "destroy"): Promise<void> {
  const { code, text } = await stack.start([command, "--yes", "--skip-preview"], false, patienceMs).ended;
  if (code !== 0) throw new Error(`pulumi ${command} ended badly: ${text.slice(-2_000)}`);
}
