import { type Door, typeOf } from "../../support/door";
import { ProviderServer } from "../../support/provider-server";
import { EngineResource } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import type { Stack } from "../../support/stack";
import { changesBetween, isWithin, objectsOf, type Objects } from "../../support/account";

/**
 * What a stack of the same program and names has created on another machine. The URNs in its ownership tags are those of the stack
 * under test, which must not touch any of it.
 */
export class OtherStack {
  readonly #before: Objects;

  private constructor(before: Objects) {
    this.#before = before;
  }

  static async create(platform: TestPlatform, stack: Stack, door: Door): Promise<OtherStack> {
    const { apiUrl, apiKey } = platform;
    const orgId = await platform.firstOrganization();
    const config = { "neon:apiUrl": apiUrl, "neon:apiKey": apiKey, "neon:orgId": orgId };
    const server = await ProviderServer.start({ config });
    try {
      const resource = (kind: "Project" | "Branch" | "ApiKey", name: string): EngineResource =>
        new EngineResource(server, kind, name, stack.urn(typeOf(kind, door), name));
      const before = await objectsOf(platform, [platform], { passwords: false });
      const project = resource("Project", "shop");
      await project.up({ name: "shop" });
      await resource("Branch", "pr").up({ projectId: project.id, name: "pr-0" });
      await resource("ApiKey", "ci").up({ name: "ci" });
      await platform.settled(project.id);
      const after = await objectsOf(platform, [platform], { passwords: false });
      return new OtherStack(new Map([...after].filter(([path]) => !before.has(path))));
    } finally {
      await server.stop();
    }
  }

  has(path: string): boolean {
    return [...this.#before.keys()].some((own) => isWithin(path, own));
  }

  /** What the stack under test has done to its objects. */
  changes(objects: Objects): string[] {
    const now = new Map([...objects].filter(([path]) => this.has(path)));
    return changesBetween(this.#before, now).map(
      ({ path, is, members }) =>
        `another stack's ${path} was ${is}${members.length > 0 ? `: ${members.join(", ")}` : ""}`,
    );
  }
}
