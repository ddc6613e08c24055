import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { assertNoSecret, Stack, type CliResult } from "../../support/stack";
import { Gate } from "./gate";
import { firstWish, programOf, type Wish } from "./wish";

/** A platform, a gate before it, and a stack that talks to it through the gate. */
export class Lane {
  /** The parameters of the program. */
  wish: Wish = firstWish;
  /** Whether the stack contains the resources of the program. */
  isMade = false;
  /** How long the requests that create everything take, in milliseconds. */
  pace = 5_000;

  private constructor(
    readonly platform: TestPlatform,
    readonly gate: Gate,
    readonly stack: Stack,
  ) {}

  static async open(seed: string): Promise<Lane> {
    const platform = await startTestPlatform({ operationTime: "20ms-1s", seed });
    const gate = await Gate.before(platform.apiUrl);
    const stack = await Stack.create({
      platform: { apiUrl: gate.apiUrl, apiKey: platform.apiKey },
      program: programOf(firstWish),
    });
    return new Lane(platform, gate, stack);
  }

  async close(): Promise<void> {
    try {
      await this.stack.remove();
    } finally {
      await this.gate.close();
      await this.platform.close();
    }
  }

  /** Runs a command of the CLI, which may fail but must not show a secret. */
  async run(...args: readonly string[]): Promise<CliResult> {
    const result = await this.stack.run(args);
    assertNoSecret(result.text, `pulumi ${args[0] ?? ""}`);
    return result;
  }
}
