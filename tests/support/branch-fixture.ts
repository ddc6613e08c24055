import assert from "node:assert/strict";

import type { KindName } from "../../provider/frozen-entry";
import type { Values } from "./provider-server";
import type { EngineResource } from "./engine";
import type { Stage } from "./stage";
import { assertRefreshed } from "./up-to-date";

/** A project with its first branch, for roles and databases, and requests that bypass the provider. */
export class BranchFixture {
  readonly stage: Stage;
  /** The inputs that everything on the branch has. */
  readonly base: { readonly projectId: string; readonly branchId: string };

  private constructor(stage: Stage, projectId: string, branchId: string) {
    this.stage = stage;
    this.base = { projectId, branchId };
  }

  static async on(stage: Stage, project: Values = {}): Promise<BranchFixture> {
    const { id, branchId } = await stage.project(project);
    return new BranchFixture(stage, id, branchId);
  }

  get #branch(): string {
    return `/projects/${this.base.projectId}/branches/${this.base.branchId}`;
  }

  /** The path of the branch's roles, or of one of them. */
  role(name?: string): string {
    return `${this.#branch}/roles${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
  }

  /** The path of the branch's databases, or of one of them. */
  database(name?: string): string {
    return `${this.#branch}/databases${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
  }

  /** Sends a request behind the provider's back, and waits for its operations. */
  async call(method: string, path: string, body?: Values) {
    const answer = await this.stage.platform.call(method, path, body);
    assert.ok(answer.status < 300, answer.body.message);
    if (method !== "GET") await this.stage.settled(this.base.projectId);
    return answer.body;
  }

  async exists(path: string): Promise<boolean> {
    return (await this.stage.platform.call("GET", path)).status === 200;
  }

  /** The current password of a role, as the platform stores it. */
  async passwordOf(name: string): Promise<string> {
    return (await this.call("GET", `${this.role(name)}/reveal_password`)).password;
  }

  /** The requests of a step to the project, without polls of operations. */
  async requestsBy(step: () => Promise<unknown>): Promise<string[]> {
    const before = (await this.stage.requests(this.base.projectId)).length;
    await step();
    return (await this.stage.requests(this.base.projectId))
      .slice(before)
      .map(
        ({ method, path }) =>
          `${method} ${path.replace(/^\/api\/v2\/projects\/[^/]+/, "").replace(/^\/branches\/br-[^/]+/, "")}`,
      )
      .filter((line) => !line.includes("/operations"));
  }

  /** The requests of a step that change something. */
  async sentBy(step: () => Promise<unknown>): Promise<string[]> {
    return (await this.requestsBy(step)).filter((line) => !line.startsWith("GET"));
  }
}

/** A fixture, and a resource on its branch that is not created yet. */
export async function fixtureFor(stage: Stage, kind: KindName, project: Values = {}) {
  const fixture = await BranchFixture.on(stage, project);
  return { fixture, base: fixture.base, resource: stage.resource(kind) };
}

/**
 * Asserts that nothing is left to do for a role or a database: an unchanged program sends nothing, and a refresh needs at most one
 * read of the object, alone or in a list that others have read, and reveals no password.
 */
export async function assertReadOnce(fixture: BranchFixture, resource: EngineResource, args: Values): Promise<void> {
  const collection = resource.kind === "Role" ? "roles" : "databases";
  const reads = [`GET /${collection}/${encodeURIComponent(String(resource.outputs["name"]))}`, `GET /${collection}`];
  assert.deepEqual(await fixture.requestsBy(async () => assert.equal(await resource.up(args), "same")), []);
  const asked = await fixture.requestsBy(() => assertRefreshed(resource));
  assert.ok(asked.length <= 1 && asked.every((read) => reads.includes(read)), asked.join(", "));
  assert.equal(await resource.up(args), "same");
}
