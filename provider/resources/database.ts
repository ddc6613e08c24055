import { z } from "zod";

import { type Database, databases, type DatabaseUpdate } from "../../api/schemas/database";
import { addressableName } from "../../api/schemas/postgres-name";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, identifiedBy, idOf } from "../kind/id";
import type { Kind } from "../kind/kind";
import { contains } from "../kind/values";
import { adopt } from "./shared/adopt";
import { confirmGone, deleteObject, present } from "./shared/delete";
import { isCreatedWithProject } from "./shared/project-defaults";

const inputs = z.strictObject({
  projectId: objectId,
  branchId: objectId,
  name: addressableName.optional(),
  ownerName: addressableName,
  adopt: adopt.optional(),
});
/** What a program declares of a database. */
export type DatabaseInputs = z.infer<typeof inputs>;

/** What there is to know of a database. */
export interface DatabaseOutputs extends Omit<DatabaseInputs, "adopt" | "name"> {
  readonly name: string;
  /** The platform's number of it, which stays when it is renamed. */
  readonly databaseId: number;
  readonly createdAt: string;
}

/** Where a database is, or was when its name was last seen. */
type Address = Pick<DatabaseOutputs, "projectId" | "branchId" | "name"> & { readonly databaseId?: number };

/** A Postgres database of a branch. */
export const database: Kind<DatabaseInputs, DatabaseOutputs> = {
  name: "Database",
  noun: "database",
  version: 1,
  inputs,
  rules: { projectId: { onChange: "replace" }, branchId: { onChange: "replace" } },
  controls: ["adopt"],
  defaultName: "name",
  secrets: [],
  uniqueBy: ["projectId", "branchId", "name"],
  lossOnReplace: "The data in the old one goes with it; the new one is empty.",
  ...identifiedBy("projectId", "branchId", "name"),

  create: (context, { projectId, branchId, name = "", ownerName }) =>
    context.create({
      what: `create database ${name}`,
      request: () => databases.create(projectId, branchId, { name, owner_name: ownerName }),
      repeatable: true,
      record: (answer) => ({
        id: idOf(projectId, branchId, name),
        outputs: databaseOutputs(projectId, answer.database),
      }),
    }),

  read: async (context, { projectId = "", branchId = "", name = "", databaseId }) => {
    const found = await readDatabase(context, {
      projectId,
      branchId,
      name,
      ...(databaseId === undefined ? {} : { databaseId }),
    });
    return found && databaseOutputs(projectId, found);
  },

  update: async (context, state, declared, changes) => {
    if (!changes.has("name") && !changes.has("ownerName")) return;
    // An earlier `up` may have been killed after it had renamed the database.
    const now = await readDatabase(context, state);
    const { name = state.name, ownerName } = declared;
    const renaming = changes.has("name") && now?.name !== name ? { name } : {};
    const owning = changes.has("ownerName") ? { owner_name: ownerName } : {};
    const body = { ...renaming, ...owning };
    const applies = ["name", "ownerName"].filter((path) => changes.has(path));
    // What is so already may not have been applied: saying the owner again has it applied, and changes nothing.
    const sent = Object.keys(body).length > 0 ? body : { owner_name: ownerName };
    await change(context, { ...state, name: now?.name ?? state.name }, sent, applies);
  },

  remove: async (context, state) => {
    const { projectId, branchId, name } = state;
    const found = await readDatabase(context, state);
    const removal = {
      object: `database ${found?.name ?? name}`,
      project: projectId,
      isThere: async (): Promise<boolean> => (await readDatabase(context, state)) !== undefined,
    };
    // Another one can have its name by now.
    if (found === undefined) return confirmGone(context, removal);
    await deleteObject(context, {
      ...removal,
      request: databases.delete(projectId, branchId, found.name),
      tells: (answer) => answer.database !== undefined,
    });
  },

  find: (_, { projectId, branchId, name = "" }, id) =>
    Promise.resolve({ projectId, branchId, name: id === undefined ? name : adoptedSegment(id, projectId, branchId) }),

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, name = "" }, since) => {
      const address = { projectId, branchId, name };
      const found = await readDatabase(context, address);
      return found !== undefined && Date.parse(found.created_at) >= since.getTime() ? [address] : [];
    },
  },

  undeletable: async (context, state) => {
    const { projectId, branchId, name } = state;
    const all = async (): Promise<readonly Database[]> =>
      (await context.read(databases.list(projectId, branchId))).databases;
    return (await isCreatedWithProject(context, state, all))
      ? `The database ${name} came with its project and goes only with it.`
      : undefined;
  },

  repair: async (context, state) => {
    // What is owed is applied by `update`; a creation is applied by saying the owner again.
    if (context.progress.unfinished.applies.length > 0) return;
    await change(context, state, { owner_name: state.ownerName }, ["ownerName"]);
  },
};

/** Renames a database, gives it another owner, or both. */
async function change(
  context: Context,
  now: DatabaseOutputs,
  body: DatabaseUpdate,
  applies: readonly string[],
): Promise<void> {
  const { projectId, branchId, name } = now;
  const after = { ...now, name: body.name ?? name };
  await context.change({
    what: `update database ${name}`,
    project: projectId,
    request: databases.update(projectId, branchId, name, body),
    applies,
    // Its name is where it is found from now on.
    record: () => ({ name: after.name }),
    done: async () => contains(await readDatabase(context, after), body),
  });
}

/** The database of this name; where its number is known, that one, whatever its name is by now. */
async function readDatabase(
  context: Context,
  { projectId, branchId, name, databaseId }: Address,
): Promise<Database | undefined> {
  const named = (await present(context.read(databases.get(projectId, branchId, name))))?.database;
  if (databaseId === undefined || named?.id === databaseId) return named;
  const all = (await present(context.read(databases.list(projectId, branchId))))?.databases ?? [];
  return all.find(({ id }) => id === databaseId) ?? named;
}

function databaseOutputs(projectId: string, found: Database): DatabaseOutputs {
  return {
    projectId,
    branchId: found.branch_id,
    name: found.name,
    ownerName: found.owner_name,
    databaseId: found.id,
    createdAt: found.created_at,
  };
}
