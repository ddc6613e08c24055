import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { ignoreNotFound } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { type Database, database as wireDatabase, databases, type DatabaseUpdate } from "../../api/schemas/database";
import { addressableName } from "../../api/schemas/postgres-name";
import { type Collection, wholeList } from "../call/collection";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { adopt, ofBranch, ofProject } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { contains, omitUndefined, outputsIn } from "../values";
import { requiresCompute } from "./compute/required";
import { undeletableWithProject } from "./project-defaults";

const inputs = lazy(() =>
  z.strictObject({
    ...ofProject,
    branchId: ofBranch.branchId.meta({
      note: "It needs a read-write compute: declare `compute` of the {@link Branch}, or let this resource depend on its {@link Endpoint} with `dependsOn`. Otherwise Neon refuses databases.",
    }),
    name: addressableName.optional().meta({ note: "At most 63 bytes in UTF-8." }),
    ownerName: addressableName.meta({
      note: "Pass the output `name` of a {@link Role}, so that Pulumi creates the role before the database and deletes it afterwards.",
    }),
    adopt,
  }),
);
export type DatabaseInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const { id, ...wire } = camelShape(wireDatabase.shape);
  return z.object({ ...ofBranch, ...only(wire, "name", "ownerName"), databaseId: id, ...only(wire, "createdAt") });
};
export type DatabaseOutputs = OutputsOf<typeof outputs>;

/** Identifies a database. Its name may have changed, but its number never does. */
type Address = Pick<DatabaseOutputs, "projectId" | "branchId" | "name"> & { readonly databaseId?: number };

/** A Postgres database of a branch. */
export const database = listedKind<Database, DatabaseInputs, DatabaseOutputs>({
  name: "Database",
  noun: "database",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "name"],
  // A change of the name renames the database in place.
  rules: { name: {} },
  defaultName: "name",
  needs: [
    {
      status: 422,
      message: /owner/,
      fix: "Declare a `Role` on the branch, and use its output `name` as `ownerName`, so that Pulumi creates it first.",
    },
  ],
  replacement: { loss: "The data in the old database is deleted. The new database is empty." },
  identity: { by: "databaseId", read: async (context, state) => (await readDatabase(context, state))?.id },

  create: ({ projectId, branchId, name = "", ownerName }) =>
    creation({
      what: "create database",
      request: databases.create(projectId, branchId, { name, owner_name: ownerName }),
      repeatable: true,
      outputs: (answer) => databaseOutputs(projectId, answer.database),
    }),

  collection: ({ projectId = "", branchId = "" }) => databasesOf(projectId, branchId),
  outputsOf: (found, { projectId = "" }) => databaseOutputs(projectId, found),
  read: async (context, { projectId = "", branchId = "", name = "", databaseId }) => {
    const found = await readDatabase(context, { projectId, branchId, name, ...omitUndefined({ databaseId }) });
    return found && databaseOutputs(projectId, found);
  },

  update: async (context, state, declared, changes) => {
    // A killed `up` may have renamed the database already.
    const present = await readDatabase(context, state);
    const currentName = present?.name;
    const { name = state.name, ownerName } = declared;
    const isRenamed = changes.has("name") && currentName !== name;
    const body: DatabaseUpdate = {
      ...(isRenamed ? { name } : {}),
      // If the name is already right, an earlier rename may not have reached Postgres. Sending the owner again applies
      // it.
      ...(changes.has("ownerName") || !isRenamed ? { owner_name: ownerName } : {}),
    };
    const applies = ["name", "ownerName"].filter((path) => changes.has(path));
    await patchDatabase(context, { ...state, name: currentName ?? state.name }, body, applies);
  },

  remove: async (context, state) => {
    const { projectId, branchId, name, databaseId } = state;
    const found = await readDatabase(context, state);
    await context.delete({
      what: "delete database",
      object: `database ${found?.name ?? name}`,
      project: projectId,
      // Deleting by name could delete another database that has the name now.
      request: found && databases.delete(projectId, branchId, found.name),
      confirms: (answer) => answer.database !== undefined,
      exists: async () => (await readDatabase(context, state))?.id === databaseId,
    });
  },

  precondition: requiresCompute,

  undeletable: (context, state) =>
    undeletableWithProject(
      context,
      `database ${state.name}`,
      state,
      databasesOf(state.projectId, state.branchId),
      ({ id }) => id === state.databaseId,
    ),

  finishing: {
    repair: async (context, state) => {
      // A failed update is repeated by `update`. A failed creation is applied by sending the owner again.
      if (context.progress.unapplied.length > 0) return;
      await patchDatabase(context, state, { owner_name: state.ownerName }, ["ownerName"]);
    },
  },

  listing: { isCopied: true },
});

/** Renames a database, changes its owner, or both. */
async function patchDatabase(
  context: Context,
  current: DatabaseOutputs,
  body: DatabaseUpdate,
  applies: readonly string[],
): Promise<void> {
  const { projectId, branchId, name } = current;
  const after = { ...current, name: body.name ?? name };
  await context.change({
    what: "update database",
    request: databases.update(projectId, branchId, name, body),
    applies,
    // From now on, the database is addressed by its new name.
    outputs: () => ({ name: after.name }),
    done: async () => contains(await readDatabase(context, after), body),
  });
}

/** Finds the database by its number, or by its name if the number is not known. */
async function readDatabase(
  context: Context,
  { projectId, branchId, name, databaseId }: Address,
): Promise<Database | undefined> {
  const named = await context.readOne(databasesOf(projectId, branchId), name);
  if (databaseId === undefined || named?.id === databaseId) return named;
  const all = (await ignoreNotFound(context.read(databases.list(projectId, branchId))))?.databases ?? [];
  return all.find(({ id }) => id === databaseId) ?? named;
}

function databasesOf(projectId: string, branchId: string): Collection<Database> {
  return wholeList({
    list: databases.list(projectId, branchId),
    items: (answer) => answer.databases,
    keyOf: ({ name }) => name,
    get: async (reader, name) =>
      (await ignoreNotFound(reader.read(databases.get(projectId, branchId, name))))?.database,
  });
}

function databaseOutputs(projectId: string, found: Database): DatabaseOutputs {
  return {
    projectId,
    databaseId: found.id,
    ...outputsIn(found, "branch_id", "name", "owner_name", "created_at"),
  };
}
