import assert from "node:assert/strict";

import { changesBetween, isWithin, objectsOf, type Objects } from "../../support/account";
import { type Door, typeOf } from "../../support/door";
import { EngineResource } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import { ProviderServer, type Values } from "../../support/provider-server";
import type { Stack } from "../../support/stack";
import { invited } from "./program";

/**
 * Foreign objects that look like those of the stack under test: the objects of a stack with the same program and names on
 * another machine, whose tags hold the same URNs; of its stack "production"; and of people, in the same organization and in another one.
 */
export class ForeignObjects {
  #before: Objects;
  readonly #platform: TestPlatform;
  /** The foreign project with the name of the one under test, and the same URN in its tag. */
  readonly #twin: string;

  private constructor(platform: TestPlatform, before: Objects, twin: string) {
    this.#platform = platform;
    this.#before = before;
    this.#twin = twin;
  }

  static async create(platform: TestPlatform, stack: Stack, door: Door): Promise<ForeignObjects> {
    const { apiUrl, apiKey } = platform;
    const orgId = await platform.firstOrganization();
    const config = { "neon:apiUrl": apiUrl, "neon:apiKey": apiKey, "neon:orgId": orgId };
    const other = await platform.organization();
    const before = await objectsOf(platform, [platform], { passwords: false });
    const server = await ProviderServer.start({ config });
    try {
      const resource = (kind: "Project" | "Branch" | "ApiKey" | "OrganizationApiKey", name: string): EngineResource =>
        new EngineResource(server, kind, name, stack.urn(typeOf(kind, door), name));
      const project = resource("Project", "shop");
      await project.up({ name: "shop" });
      const production = stack
        .urn(typeOf("Project", door), "shop")
        .replace(/^urn:pulumi:[^:]+/, "urn:pulumi:production");
      await new EngineResource(server, "Project", "shop", production).up({ name: "shop" });
      await resource("Branch", "pr").up({ projectId: project.id, name: "pr-0" });
      await resource("ApiKey", "ci").up({ name: "ci" });
      await resource("OrganizationApiKey", "deploy").up({ orgId, name: "deploy" });
      await platform.settled(project.id);
      for (const org_id of [orgId, other]) {
        const body = { project: { name: org_id === orgId ? "shop-2" : "shop", org_id } };
        await platform.settled(
          ((await sent(platform, "POST", "/projects", body)) as { project: { id: string } }).project.id,
        );
      }
      await sent(platform, "PUT", `/organizations/${other}/billing/spending_limit`, { spending_limit_cents: 5_000 });
      await platform.member(other, invited);
      const after = await objectsOf(platform, [platform], { passwords: false });
      const added = new Map([...after].filter(([path]) => !before.has(path)));
      return new ForeignObjects(platform, added, `/projects/${project.id}`);
    } finally {
      await server.stop();
    }
  }

  has(path: string): boolean {
    return [...this.#before.keys()].some((own) => isWithin(path, own));
  }

  /**
   * Gives the project with the same URN in its tag the name of the one under test, or a similar name. A run with consent would adopt
   * it under the same name, because nothing shows that it belongs to another stack.
   */
  async rename(isSame: boolean): Promise<void> {
    const name = isSame ? "shop" : "Shop";
    if (this.#before.get(this.#twin)?.["name"] === name) return;
    await sent(this.#platform, "PATCH", this.#twin, { project: { name } });
    this.#before = new Map([...this.#before, [this.#twin, { ...this.#before.get(this.#twin), name }]]);
  }

  /** The changes of these objects by the stack under test. */
  changes(objects: Objects): string[] {
    const now = new Map([...objects].filter(([path]) => this.has(path)));
    return changesBetween(this.#before, now).map(
      ({ path, is, members }) => `the foreign ${path} was ${is}${members.length > 0 ? `: ${members.join(", ")}` : ""}`,
    );
  }
}

async function sent(platform: TestPlatform, method: string, path: string, body: Values): Promise<unknown> {
  const { status, body: answer } = await platform.call(method, path, body);
  assert.ok(status < 300, `${method} ${path} answers ${status}: ${status < 300 ? "" : answer.message}`);
  return answer;
}
