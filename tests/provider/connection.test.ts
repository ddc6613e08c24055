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
];

describe("the connection of a branch or a project", () => {
  const stage = suiteStage();
  const test = concurrently();

  for (const kind of ["Branch", "Project"] as const) {
    for (const { title, project, change, names } of changes) {
      test(`is read again by a refresh after ${title}: ${kind}`, async () => {
        const all = await connected(stage(), kind, project);
        const { resource, program, base } = all;
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

  test("is kept in a project that stores no passwords", async () => {
    const resource = stage().resource("Project");
    await resource.up({ storePasswords: false });
    const before = resource.ownOutputs;
    assert.match(String(before["connectionUri"]), /^postgresql:/);
    assert.equal(await resource.refresh(), "same");
    assert.deepEqual(resource.ownOutputs, before);
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
