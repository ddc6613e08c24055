import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { withPlugin } from "../../support/plugin";
import { assertNoSecret, Stack, type CliResult } from "../../support/stack";
import { createdAmong, type ObjectPaths, objectsInState } from "../created-objects";
import { objectsOf, type Objects } from "../../support/account";
import { Bucket } from "./bucket";
import { Gate } from "../../support/gate";
import { OtherStack } from "./other-stack";
import type { Setting } from "./plan";
import { initialRevisions, invited, programText, type Revisions } from "./program";

/** A platform, a gate before it, a stack that talks to it through the gate, and what another stack has created there. */
export class Lane {
  /** The revisions of the program's parts. */
  revisions: Revisions = initialRevisions;
  /** Whether the stack contains the resources of the program. */
  isCreated = false;
  /** How long the requests that create everything take, in milliseconds, and how often the state is saved meanwhile. */
  whole: { readonly requestsMs: number; readonly saves: Bucket["saves"] } = {
    requestsMs: 5_000,
    saves: { all: 38, adding: 15 },
  };

  private constructor(
    readonly platform: TestPlatform,
    readonly gate: Gate,
    readonly stack: Stack,
    readonly otherStack: OtherStack,
    readonly bucket: Bucket | undefined,
  ) {}

  static async open(seed: string, { backend, door }: Setting): Promise<Lane> {
    const opened: { close(): Promise<void> }[] = [];
    const open = async <Opened extends { close(): Promise<void> }>(opening: Promise<Opened>): Promise<Opened> => {
      const one = await opening;
      opened.push(one);
      return one;
    };
    try {
      const platform = await open(startTestPlatform({ operationTime: "20ms-1s", seed }));
      await platform.signIn(invited);
      const gate = await open(Gate.before(platform.apiUrl));
      const bucket = backend === "s3" ? await open(Bucket.open()) : undefined;
      const stack = await Stack.create({
        platform: { apiUrl: gate.apiUrl, apiKey: platform.apiKey },
        program: programText(initialRevisions),
        config: { "neon:orgId": await platform.firstOrganization() },
        ...(bucket === undefined ? {} : { bucket }),
        ...(door === "plugin" ? { project: withPlugin } : {}),
      });
      const otherStack = await OtherStack.create(platform, stack, door);
      return new Lane(platform, gate, stack, otherStack, bucket);
    } catch (error) {
      for (const one of opened.reverse()) await one.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    try {
      await this.stack.remove();
    } finally {
      await this.bucket?.close();
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

  objects(): Promise<Objects> {
    return objectsOf(this.platform, [this.platform], { passwords: false });
  }

  /** The objects that runs of the stack have created and that exist. */
  async existing(): Promise<ObjectPaths> {
    const all = createdAmong(await this.objects(), { copies: false });
    return new Set([...all].filter((path) => !this.otherStack.has(path)));
  }

  /** The objects in the state. */
  managed(): ObjectPaths {
    return objectsInState(this.stack.everyResource());
  }
}
