import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { objectsOf, type Objects } from "../../support/account";
import { Gate } from "../../support/gate";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { withPlugin } from "../../support/plugin";
import { assertNoSecret, type CliResult, Stack, unattended } from "../../support/stack";
import { createdAmong, type ObjectPaths, objectsInState } from "../created-objects";
import { Bucket } from "./bucket";
import { ForeignObjects } from "./foreign-objects";
import type { Setting } from "./plan";
import { initialRevisions, invited, programText, type Revisions, secretsFile } from "./program";

/** A platform, a gate before it, a stack that talks to it through the gate, and what others have in its account. */
export class Lane {
  /** The revisions of the program's parts. */
  revisions: Revisions = initialRevisions(0);
  /** Whether the stack contains the resources of the program. */
  isCreated = false;
  /** How long the requests that create everything take, in milliseconds. */
  requestsMs = 5_000;
  #machines = 1;
  #objects: Promise<Objects> | undefined;

  private constructor(
    readonly platform: TestPlatform,
    readonly gate: Gate,
    readonly stack: Stack,
    readonly foreign: ForeignObjects,
    private readonly bucket: Bucket | undefined,
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
        program: programText(initialRevisions(0)),
        config: { "neon:orgId": await platform.firstOrganization() },
        ...(bucket === undefined ? {} : { bucket }),
        ...(door === "plugin" ? { project: withPlugin } : {}),
      });
      const foreign = await ForeignObjects.create(platform, stack, door);
      return new Lane(platform, gate, stack, foreign, bucket);
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

  /** Writes the program as it is now. */
  write(revisions = this.revisions): void {
    this.revisions = revisions;
    this.stack.write(programText(revisions));
  }

  /** Runs `up` or `destroy`, which may fail but must not show a secret. */
  async attempt(command: "up" | "destroy", consents: boolean, ...flags: readonly string[]): Promise<CliResult> {
    const { environment } = this.stack;
    this.moved();
    if (consents) environment["NEON_ADOPT"] = "true";
    try {
      const result = await this.stack.run([command, ...unattended, ...flags]);
      assertNoSecret(result.text, `pulumi ${command}`);
      return result;
    } finally {
      delete environment["NEON_ADOPT"];
    }
  }

  /** Runs the stack on another machine from now on: with a new home, and a checkout that holds the program alone. */
  moveToAnotherMachine(): void {
    const { folder, kept } = this.stack;
    this.#machines += 1;
    this.stack.move({ home: join(kept, `home-${this.#machines}`), folder: mkdtempSync(join(dirname(folder), "p-")) });
    rmSync(folder, { recursive: true });
    rmSync(join(this.stack.folder, secretsFile), { force: true });
  }

  /** Everything in the account, as it was read since something has changed. */
  objects(): Promise<Objects> {
    return (this.#objects ??= objectsOf(this.platform, [this.platform], { passwords: false }));
  }

  /** The account may have changed. */
  moved(): void {
    this.#objects = undefined;
  }

  /** The objects that runs of the stack have created and that exist. */
  async existing(): Promise<ObjectPaths> {
    const all = createdAmong(await this.objects(), { copies: false });
    return new Set([...all].filter((path) => !this.foreign.has(path)));
  }

  /** The objects in the state. A database is the same when it was renamed since. */
  async managed(): Promise<ObjectPaths> {
    const ids = new Set([...this.stack.resources().values()].map(({ outputs }) => outputs["databaseId"]));
    const objects = await this.objects();
    const isRenamed = (path: string): boolean => path.includes("/databases/") && ids.has(objects.get(path)?.["id"]);
    return new Set([...objectsInState(this.stack.everyResource()), ...[...(await this.existing())].filter(isRenamed)]);
  }
}
