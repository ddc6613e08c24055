import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as pulumi from "@pulumi/pulumi";

import { NeonClient } from "../../../api/client";
import { branches, tagAnnotation } from "../../../api/schemas/branch";
import { startPlatform } from "../../../platform/index";
import { openTables } from "../../../platform/model/tables";
import { Store } from "../../../platform/storage/store";
import { Timestamps } from "../../../platform/storage/timestamps";
import * as neon from "../../../sdk";
import { ProviderServer, type Values } from "../../support/provider-server";
import { EngineResource } from "../../support/engine";
import { TestPlatform } from "../../support/platform";

export interface Size {
  readonly keys: number;
  readonly projects: number;
  readonly branches: number;
}

export interface Cost {
  readonly what: string;
  readonly requests: number;
  readonly milliseconds: number;
}

export class FullAccount {
  private constructor(
    readonly platform: TestPlatform,
    /** The project that has all the branches. */
    readonly projectId: string,
    readonly size: Size,
    readonly folder: string,
    readonly costs: Cost[],
  ) {}

  /** Fills a stopped platform through its tables. The cost of each later step is added to the costs. */
  static async fill(size: Size, costs: Cost[]): Promise<FullAccount> {
    const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-scale-"));
    const empty = new TestPlatform(await startPlatform({ data: folder, operationTime: "5ms" }));
    const { project } = await empty.project({ name: "shop" });
    await empty.close();
    const store = new Store(folder);
    const tables = openTables(store);
    const monthAgo = Date.now() - 30 * 86_400_000;
    const stamps = new Timestamps({ now: () => monthAgo, after: () => () => undefined });
    const [projectRow] = tables.projects.list({ id: project.id });
    const [branchRow] = tables.branches.list({ project_id: project.id });
    const [keyRow] = tables.apiKeys.list({});
    assert.ok(projectRow && branchRow && keyRow);
    store.transaction(() => {
      for (let key = 1; key < size.keys; key += 1) {
        tables.apiKeys.put({
          ...keyRow,
          id: keyRow.id + 1_000_000 + key,
          hash: String(key).padStart(64, "0"),
          name: `key-${key}`,
          created_at: stamps.next(),
        });
      }
      for (let count = 1; count < size.projects; count += 1) {
        const id = numbered("full-account", count);
        const created_at = stamps.next();
        tables.projects.put({ ...projectRow, id, name: `project ${count}`, created_at, updated_at: created_at });
        tables.branches.put({ ...branchRow, id: numbered("br-first-one", count), project_id: id });
      }
      for (let count = 1; count < size.branches; count += 1) {
        const created_at = stamps.next();
        tables.branches.put({
          ...branchRow,
          id: numbered("br-full-project", count),
          name: `pr-${count}`,
          parent_id: branchRow.id,
          first: false,
          default: false,
          annotation: { value: { [tagAnnotation]: `${"f".repeat(24)}.${count}` }, created_at, updated_at: created_at },
          created_at,
          updated_at: created_at,
        });
      }
    });
    store.close();
    const platform = new TestPlatform(await startPlatform({ data: folder, operationTime: "5ms" }));
    return new FullAccount(platform, project.id, size, folder, costs);
  }

  async close(): Promise<void> {
    await this.platform.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Takes a step that may send at most so many requests. */
  async costing<Result>(what: string, most: number, work: () => Promise<Result>): Promise<Result> {
    await this.platform.clearRequests();
    const began = performance.now();
    const result = await work();
    const milliseconds = Math.round(performance.now() - began);
    const { length: requests } = await this.platform.requests();
    this.costs.push({ what, requests, milliseconds });
    assert.ok(requests <= most, `${what}: ${requests} requests, not ${most} at most`);
    return result;
  }

  /** Lists everything as a program does: each object once, with one request for each page. */
  async list(): Promise<void> {
    const { apiKey, apiUrl } = this.platform;
    const { size, projectId } = this;
    pulumi.runtime.setAllConfig({ "neon:apiKey": apiKey, "neon:apiUrl": apiUrl });
    const keys = await this.costing(`getApiKeys: ${size.keys}`, 1, () => neon.getApiKeys());
    // The platform has created one more key at its start.
    assertEach(keys, size.keys + 1);
    const pages = (count: number): number => Math.ceil(count / 100) + 1;
    const projects = await this.costing(`getProjects: ${size.projects}`, pages(size.projects), () =>
      neon.getProjects(),
    );
    assertEach(projects, size.projects);
    const all = await this.costing(`getBranches: ${size.branches}`, pages(size.branches), () =>
      neon.getBranches({ projectId }),
    );
    assertEach(all, size.branches);
    const name = `pr-${size.branches - 1}`;
    const branch = await this.costing("getBranch by name", 2, () => neon.getBranch({ projectId, name }));
    assert.equal(branch.name, name);
    const named = `project ${size.projects - 1}`;
    const project = await this.costing("getProject by name", 3, () => neon.getProject({ name: named }));
    assert.equal(project.name, named);
  }

  /**
   * Lists the branches while others are deleted and created between any two pages.
   *
   * @returns how many were deleted and created
   */
  async listWhileItChanges(): Promise<number> {
    const { apiKey, apiUrl } = this.platform;
    const client = new NeonClient({ apiKey, apiUrl });
    const path = `/projects/${this.projectId}/branches`;
    const [gone, found] = [new Set<string>(), new Set<string>()];
    let made = 0;
    const { branches: count } = this.size;
    const pageSize = Math.ceil(count / 10);
    let read = 0;
    for await (const { branch } of client.list(branches.list(this.projectId), { pageSize })) {
      assert.ok(!found.has(branch.id), `${branch.id} is there twice`);
      found.add(branch.id);
      read += 1;
      if (read % pageSize !== 0) continue;
      // One from this page, and one from the next.
      for (const victim of [read - Math.floor(pageSize / 2), read + Math.floor(pageSize / 2)]) {
        const id = numbered("br-full-project", victim);
        const { status } = await this.platform.call("DELETE", `${path}/${id}`);
        if (status === 200) gone.add(id);
        await this.platform.settled(this.projectId);
      }
      made += 1;
      const { status, body } = await this.platform.call("POST", path, { branch: { name: `new-${made}` } });
      assert.equal(status, 201, body.message);
      await this.platform.settled(this.projectId);
    }
    assert.ok(gone.size > 5 && made > 5, `${gone.size} deleted, ${made} made`);
    for (let one = 1; one < count; one += 1) {
      const id = numbered("br-full-project", one);
      assert.ok(found.has(id) || gone.has(id), `${id} was not found`);
    }
    return gone.size + made;
  }

  /** The provider finds single objects in the account: by name, and after a lost response. */
  async find(): Promise<void> {
    const { apiKey, apiUrl } = this.platform;
    const { size, projectId } = this;
    const server = await ProviderServer.start({ config: { "neon:apiKey": apiKey, "neon:apiUrl": apiUrl } });
    const up = async (kind: "Branch" | "Project" | "ApiKey", name: string, args: Values): Promise<EngineResource> => {
      const resource = new EngineResource(server, kind, name);
      await resource.up(args);
      return resource;
    };
    try {
      const adopted = { projectId, name: `pr-${size.branches - 2}`, adopt: true };
      const branch = await this.costing("adopt a branch by name", 8, () => up("Branch", "adopted", adopted));
      assert.equal(branch.outputs["branchId"], numbered("br-full-project", size.branches - 2));
      const named = { name: `project ${size.projects - 2}`, adopt: true };
      // Both `check` and `create` read two pages of the list, the project, its first branch and that one's compute.
      const project = await this.costing("adopt a project by name", 10, () => up("Project", "adopted", named));
      assert.equal(project.outputs["projectId"], numbered("full-account", size.projects - 2));
      await this.platform.fault({ method: "POST", path: "/branches$", reset: "after", times: 1 });
      await this.costing("make a branch, its answer is lost", 16, () =>
        up("Branch", "lost", { projectId, name: "lost" }),
      );
      await this.platform.fault({ method: "POST", path: "^/projects$", reset: "after", times: 1 });
      const projectPages = Math.ceil(size.projects / 400) + 1;
      const lost = await this.costing("make a project, its answer is lost", projectPages + 16, () =>
        up("Project", "lost", { name: "lost" }),
      );
      await this.platform.fault({ method: "POST", path: "/api_keys$", reset: "after", times: 1 });
      const key = await this.costing("make a key, its answer is lost", 12, () =>
        up("ApiKey", "lost", { name: "lost" }),
      );
      for (const [path, member] of [
        [`/projects/${projectId}/branches?search=lost`, "branches"],
        ["/projects?search=lost", "projects"],
      ] as const) {
        const { body } = await this.platform.call("GET", path);
        assert.equal(body[member].length, 1, path);
      }
      await this.costing("delete a key", 4, () => key.destroy());
      await this.costing("delete a project", 4, () => lost.destroy());
    } finally {
      await server.stop();
    }
  }
}

function numbered(prefix: string, count: number): string {
  return `${prefix}-${String(count).padStart(8, "0")}`;
}

function assertEach(found: readonly { readonly id: unknown }[], count: number): void {
  assert.equal(new Set(found.map(({ id }) => id)).size, count, "not all are found");
  assert.equal(found.length, count, "some are there twice");
}
