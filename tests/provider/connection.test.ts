import assert from "node:assert/strict";

import { describe } from "mocha";

import type { EngineResource } from "../support/engine";
import type { Values } from "../support/provider-server";
import { concurrently, type Stage, suiteStage } from "../support/stage";

/** A branch or a project whose connection is read, and the resources of its role and database. */
interface Connected {
  readonly resource: EngineResource;
  readonly program: Values;
  readonly role: EngineResource;
  readonly database: EngineResource;
  readonly base: Values;
}

async function connected(stage: Stage, kind: "Branch" | "Project", body: Values = {}): Promise<Connected> {
  const { id: projectId, branchId: firstBranchId } = await stage.project(body);
  const resource = stage.resource(kind);
  const program = kind === "Branch" ? { projectId, compute: {} } : { adopt: projectId };
  await resource.up(program);
  const branchId = kind === "Branch" ? resource.outputs["branchId"] : firstBranchId;
  const base = { projectId, branchId };
  const [role, database] = [stage.resource("Role"), stage.resource("Database")];
  await role.up({ ...base, name: "neondb_owner", adopt: true });
  await database.up({ ...base, name: "neondb", ownerName: "neondb_owner", adopt: true });
  return { resource, program, role, database, base };
}

/** Deletes an object that was created with its project, too, which a resource would leave. */
async function remove(stage: Stage, { outputs }: EngineResource, list: "roles" | "databases"): Promise<void> {
  const { projectId, branchId, name } = outputs;
  const path = `/projects/${String(projectId)}/branches/${String(branchId)}/${list}/${String(name)}`;
  assert.equal((await stage.platform.call("DELETE", path)).status, 200);
  await stage.settled(String(projectId));
}

/** What another resource of the run changes after the branch or the project had its turn, and what the connection is then. */
const changes: readonly {
  readonly title: string;
  readonly project?: Values;
  readonly change: (connected: Connected, stage: Stage) => Promise<unknown>;
  readonly names: readonly [role: string | undefined, database: string | undefined];
}[] = [
  {
    title: "the database is renamed",
    change: ({ base, database }) => database.up({ ...base, name: "shop", ownerName: "neondb_owner" }),
    names: ["neondb_owner", "shop"],
  },
  {
    title: "the database is renamed in a project that stores no passwords",
    project: { store_passwords: false },
    change: ({ base, database }) => database.up({ ...base, name: "shop", ownerName: "neondb_owner" }),
    names: ["neondb_owner", "shop"],
  },
  {
    title: "the role is replaced",
    change: async ({ base, role, database }, stage) => {
      const app = stage.resource("Role", "app");
      await app.up(base);
      await database.up({ ...base, name: "neondb", ownerName: "app" });
      await remove(stage, role, "roles");
    },
    names: ["app", "neondb"],
  },
  {
    title: "the database is deleted",
    change: ({ database }, stage) => remove(stage, database, "databases"),
    names: ["neondb_owner", undefined],
  },
  {
    title: "the password is reset",
    change: ({ base, role }) => role.up({ ...base, name: "neondb_owner", passwordTrigger: "1" }),
    names: ["neondb_owner", "neondb"],
  },
  {
    title: "another role and another database are created",
    change: async ({ base }, stage) => {
      await stage.resource("Role", "app").up(base);
      await stage.resource("Database", "shop").up({ ...base, ownerName: "app" });
    },
    names: ["neondb_owner", "neondb"],
  },
  {
    title: "the branch is restored from one with another password",
    change: async ({ base }, stage) => {
      const projectId = String(base["projectId"]);
      const branch = { parent_id: base["branchId"] };
      const { id } = await stage.branch(projectId, { branch, endpoints: [{ type: "read_write" }] });
      await post(stage, { projectId, branchId: id }, "roles/neondb_owner/reset_password");
      await post(stage, base, "restore", { source_branch_id: id, preserve_under_name: stage.name("old") });
    },
    names: ["neondb_owner", "neondb"],
  },
  {
    title: "the compute is replaced",
    change: async ({ base: { projectId, branchId }, resource }, stage) => {
      const path = `/projects/${String(projectId)}/endpoints`;
      await stage.platform.call("DELETE", `${path}/${String(resource.outputs["endpointId"])}`);
      await stage.settled(String(projectId));
      await stage.platform.call("POST", path, { endpoint: { branch_id: branchId, type: "read_write" } });
      await stage.settled(String(projectId));
    },
    names: ["neondb_owner", "neondb"],
  },
];

/** Changes something of a branch without any resource. */
async function post(stage: Stage, { projectId, branchId }: Values, path: string, body?: Values): Promise<void> {
  const url = `/projects/${String(projectId)}/branches/${String(branchId)}/${path}`;
  const { status, body: answer } = await stage.platform.call("POST", url, body);
  assert.ok(status < 300, answer.message);
  await stage.settled(String(projectId));
}

describe("the connection of a branch or a project", () => {
  const stage = suiteStage();
  const test = concurrently();

  for (const kind of ["Branch", "Project"] as const) {
    for (const { title, project, change, names } of changes) {
      test(`is read again by a refresh after ${title}: ${kind}`, async () => {
        const all = await connected(stage(), kind, project);
        const { resource, program, base } = all;
        await resource.refresh();
        await change(all, stage());
        await resource.refresh();
        const { endpointId, roleName, databaseName, connectionUri } = resource.outputs;
        assert.deepEqual([roleName, databaseName], names);
        const isStored = project === undefined && databaseName !== undefined;
        assert.equal(
          connectionUri,
          isStored ? await uriOf({ ...base, endpointId, roleName, databaseName }) : undefined,
        );
        assert.equal(await resource.refresh(), "same");
        assert.equal(await resource.up(program), "same");
      });
    }
  }

  test("is read by a refresh only where something has happened since the state was written", async () => {
    const projects = await Promise.all([1, 2, 3, 4].map(() => stage().project()));
    const all = projects.flatMap(({ id: projectId }) =>
      Array.from({ length: 12 }, () => ({ resource: stage().resource("Branch"), projectId })),
    );
    await Promise.all(all.map(({ resource, projectId }) => resource.up({ projectId, compute: {} })));
    const refreshed = async (): Promise<{ readonly all: number; readonly uris: readonly string[] }> => {
      const before = await stage().platform.latestRequest();
      await Promise.all(all.map(({ resource }) => resource.refresh()));
      const paths = (await stage().requests("", before))
        .map(({ path }) => path)
        .filter((path) => projects.some(({ id }) => path.includes(`/projects/${id}`)));
      return { all: paths.length, uris: paths.flatMap((path) => /[?&]branch_id=([^&]+)/.exec(path)?.[1] ?? []) };
    };
    const untouched = await refreshed();
    assert.deepEqual(untouched.uris, []);
    assert.ok(untouched.all <= 40, `${untouched.all} requests`);
    const touched = all.filter((_, index) => index % 16 === 0);
    for (const { resource, projectId } of touched) {
      const { branchId } = resource.outputs;
      await post(stage(), { projectId, branchId }, "roles/neondb_owner/reset_password");
    }
    assert.deepEqual(
      (await refreshed()).uris.toSorted(),
      touched.map(({ resource }) => resource.outputs["branchId"]).toSorted(),
    );
    assert.deepEqual((await refreshed()).uris, []);
  });

  test("is read again by a refresh if the compute has been used since, because SQL changes roles and databases, too", async () => {
    const { resource, base } = await connected(stage(), "Branch");
    await resource.refresh();
    const { projectId, branchId } = base as Record<string, string>;
    const [used] = await stage().computes(projectId ?? "", branchId ?? "");
    const { status } = await stage().platform.local("POST", "/faults", {
      method: "GET",
      path: `/projects/${projectId ?? ""}/.*endpoints$`,
      times: 1,
      status: 200,
      body: JSON.stringify({ endpoints: [{ ...used, last_active: "2099-01-01T00:00:00Z" }] }),
    });
    assert.equal(status, 201);
    const before = await stage().platform.latestRequest();
    await resource.refresh();
    assert.equal((await stage().requests(`connection_uri?branch_id=${branchId ?? ""}`, before)).length, 1);
  });

  async function uriOf(query: Values): Promise<string> {
    const { projectId, branchId, endpointId, roleName, databaseName } = query as Record<string, string>;
    const parameters = new URLSearchParams({
      branch_id: branchId ?? "",
      endpoint_id: endpointId ?? "",
      role_name: roleName ?? "",
      database_name: databaseName ?? "",
    });
    const { body } = await stage().platform.call(
      "GET",
      `/projects/${projectId ?? ""}/connection_uri?${parameters.toString()}`,
    );
    return body.uri;
  }
});
