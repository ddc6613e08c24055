import { z } from "zod";

import { HttpError, PlatformError } from "../../api/errors";
import { databases } from "../../api/schemas/database";
import { addressableName } from "../../api/schemas/postgres-name";
import { reservedNameProblem, type Role, roles } from "../../api/schemas/role";
import { objectId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { same } from "../kind/field-rules";
import { adoptedSegment, identifiedBy, idOf, segmentsOf } from "../kind/id";
import type { Kind } from "../kind/kind";
import { adopt } from "./shared/adopt";
import { deleteObject, present } from "./shared/delete";
import { isCreatedWithProject } from "./shared/project-defaults";

const inputs = z
  .strictObject({
    projectId: objectId,
    branchId: objectId,
    name: addressableName.optional(),
    noLogin: z.boolean().optional(),
    passwordTrigger: z.string().optional(),
    adopt: adopt.optional(),
  })
  .superRefine(({ name, noLogin, passwordTrigger, adopt: taken = false }, context) => {
    // One that is there already may have any name: it can have been made in Postgres itself.
    const problem = name === undefined || taken !== false ? undefined : reservedNameProblem(name);
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["name"], message: problem });
    if (noLogin === true && passwordTrigger !== undefined) {
      const message = "is of no use with noLogin: a role that cannot log in has no password";
      context.addIssue({ code: "custom", path: ["passwordTrigger"], message });
    }
  });
/** What a program declares of a role. */
export type RoleInputs = z.infer<typeof inputs>;

/** What there is to know of a role. */
export interface RoleOutputs extends Omit<RoleInputs, "adopt" | "name"> {
  readonly name: string;
  readonly password?: string;
  readonly authenticationMethod?: string;
  readonly protected?: boolean;
  readonly createdAt: string;
}

/** Where a role is. */
type Address = Pick<RoleOutputs, "projectId" | "branchId" | "name">;

/** A Postgres role of a branch. */
export const role: Kind<RoleInputs, RoleOutputs> = {
  name: "Role",
  noun: "role",
  version: 1,
  inputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    name: { onChange: "replace" },
    noLogin: { onChange: "replace" },
    passwordTrigger: { platform: "unaware" },
  },
  controls: ["adopt"],
  defaultName: "name",
  adoptedName: ({ adopt: wanted, projectId, branchId }) => {
    if (typeof wanted !== "string") return undefined;
    const isPlaceKnown = typeof projectId === "string" && typeof branchId === "string";
    return isPlaceKnown ? adoptedSegment(wanted, projectId, branchId) : segmentsOf(wanted).at(-1);
  },
  secrets: ["password"],
  uniqueBy: ["projectId", "branchId", "name"],
  lossOnReplace: "The new one has another password, and none of the privileges that were granted to the old one.",
  ...identifiedBy("projectId", "branchId", "name"),

  create: (context, { projectId, branchId, name = "", noLogin }) =>
    context.create({
      what: `create role ${name}`,
      request: () =>
        roles.create(projectId, branchId, { name, ...(noLogin === undefined ? {} : { no_login: noLogin }) }),
      repeatable: true,
      record: (answer) => {
        const { password } = answer.role;
        const outputs: RoleOutputs = {
          ...roleOutputs(projectId, answer.role, noLogin),
          ...(password === undefined ? {} : { password }),
        };
        return { id: idOf(projectId, branchId, name), outputs };
      },
    }),

  // Where no passwords are stored nobody can tell this one any more.
  complete: async (context, state) => {
    if (state.password === undefined && hasPassword(state)) await resetPassword(context, state);
  },

  read: async (context, state) => {
    const { projectId = "", branchId = "", name = "" } = state;
    const found = await readRole(context, { projectId, branchId, name });
    if (found === undefined) return undefined;
    const outputs = roleOutputs(projectId, found, state.noLogin);
    // Asked once for each role: one of the same name that was made anew has another password.
    const isKnown = state.createdAt !== undefined && same({ equality: "instant" }, state.createdAt, outputs.createdAt);
    const password = isKnown ? state.password : hasPassword(outputs) ? await revealed(context, outputs) : undefined;
    return { ...outputs, ...(password === undefined ? {} : { password }) };
  },

  update: async (context, state, _, changes) => {
    if (changes.has("passwordTrigger")) await resetPassword(context, state);
  },

  remove: async (context, state) => {
    const { projectId, branchId, name } = state;
    await deleteObject(context, {
      object: `role ${name}`,
      project: projectId,
      request: roles.delete(projectId, branchId, name),
      tells: (answer) => answer.role !== undefined,
      isThere: async () => (await readRole(context, state)) !== undefined,
      explained: (error) => ownerExplained(context, state, error),
    });
  },

  find: (_, { projectId, branchId, name = "" }, id) =>
    Promise.resolve({ projectId, branchId, name: id === undefined ? name : adoptedSegment(id, projectId, branchId) }),

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, name = "" }, since) => {
      const address = { projectId, branchId, name };
      const found = await readRole(context, address);
      return found !== undefined && Date.parse(found.created_at) >= since.getTime() ? [address] : [];
    },
  },

  undeletable: async (context, state) => {
    const { projectId, branchId, name } = state;
    const all = async (): Promise<readonly Role[]> => (await context.read(roles.list(projectId, branchId))).roles;
    return (await isCreatedWithProject(context, state, all))
      ? `The role ${name} came with its project and goes only with it.`
      : undefined;
  },

  // Nothing but making it anew puts a role without a password into Postgres; `repair` does it for all others.
  usable: (context, state) => Promise.resolve(hasPassword(state) || isOwed(context)),

  repair: async (context, state) => {
    // What is owed is a reset of its own.
    if (hasPassword(state) && !isOwed(context)) await resetPassword(context, state);
  },
};

/** Whether something is left to be applied again by `update`. */
function isOwed({ progress }: Context): boolean {
  return progress.unfinished.applies.length > 0;
}

function hasPassword({ noLogin, authenticationMethod = "password" }: RoleOutputs): boolean {
  return noLogin !== true && authenticationMethod === "password";
}

/** Gives a role another password. The old one is in force until that is done. */
async function resetPassword(context: Context, state: RoleOutputs): Promise<void> {
  const { projectId, branchId, name } = state;
  let seen: string | undefined;
  await context.change({
    what: `reset password of role ${name}`,
    project: projectId,
    request: roles.resetPassword(projectId, branchId, name),
    applies: ["passwordTrigger"],
    record: (answer) => ({ password: answer?.role.password ?? seen }),
    done: async () => {
      // A reset that is under way may show only when it is over, and one that ended badly counts for nothing.
      const isSettled = await context.waitUntilIdle(projectId).then(
        () => true,
        () => false,
      );
      if (!isSettled) return false;
      seen = await revealed(context, state);
      // Where there is nothing to compare, only another reset makes sure.
      return seen !== undefined && state.password !== undefined && seen !== state.password;
    },
  });
}

/** A role's password, if the platform stores it. */
async function revealed(context: Context, { projectId, branchId, name }: Address): Promise<string | undefined> {
  try {
    return (await context.read(roles.revealPassword(projectId, branchId, name))).password;
  } catch (error) {
    if (HttpError.isInstance(error) && error.status === 412) return undefined;
    throw error;
  }
}

async function readRole(context: Context, { projectId, branchId, name }: Address): Promise<Role | undefined> {
  return (await present(context.read(roles.get(projectId, branchId, name))))?.role;
}

/** @param declared what stands for `noLogin` where the platform does not tell it */
function roleOutputs(projectId: string, found: Role, declared: boolean | undefined): RoleOutputs {
  const { authentication_method: method, protected: isProtected } = found;
  const noLogin = method === undefined ? declared : method === "no_login";
  return {
    projectId,
    branchId: found.branch_id,
    name: found.name,
    ...(noLogin === undefined ? {} : { noLogin }),
    ...(method === undefined ? {} : { authenticationMethod: method }),
    ...(isProtected === undefined ? {} : { protected: isProtected }),
    createdAt: found.created_at,
  };
}

/** Why a role was not deleted: Postgres keeps the owner of a database. */
async function ownerExplained(
  context: Context,
  { projectId, branchId, name }: RoleOutputs,
  error: unknown,
): Promise<unknown> {
  if (!HttpError.isInstance(error) || error.status !== 422) return error;
  const answer = await context.read(databases.list(projectId, branchId)).catch(() => undefined);
  const owned = (answer?.databases ?? []).filter(({ owner_name: owner }) => owner === name);
  if (owned.length === 0) return error;
  const names = owned.map((database) => `"${database.name}"`).join(", ");
  const [what, them] = owned.length === 1 ? ["database", "it"] : ["databases", "them"];
  return new PlatformError(
    "invalid",
    `The role ${name} owns the ${what} ${names} and was not deleted. Give ${them} another owner (\`ownerName\`), then delete the role. Where the program deletes ${them}, too, let \`ownerName\` be the role's output \`name\`: then Pulumi keeps the order. (${error.summary})`,
    error,
  );
}
