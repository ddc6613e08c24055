import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus, ignoreNotFound, ignoreStatus } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { databases } from "../../api/schemas/database";
import { addressableName } from "../../api/schemas/postgres-name";
import { reservedNameProblem, type Role, role as wireRole, roleCreate, roles } from "../../api/schemas/role";
import { type Collection, wholeList } from "../call/collection";
import type { Context } from "../call/context";
import { combination, known } from "../kind/combination";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { adopt, ofBranch, ofProject, trigger } from "../kind/inputs";
import { listedKind } from "../kind/listed-kind";
import { only, type OutputsOf } from "../kind/outputs";
import { omitUndefined, outputsIn, unknownValue } from "../values";
import { requiresCompute } from "./compute/required";
import { undeletableWithProject } from "./project-defaults";

const inputs = lazy(() =>
  z
    .strictObject({
      ...ofProject,
      branchId: ofBranch.branchId.meta({
        note: "It needs a read-write compute: declare `compute` of the {@link Branch}, or let this resource depend on its {@link Endpoint} with `dependsOn`. Otherwise Neon refuses roles.",
      }),
      name: addressableName.optional().meta({
        note: "At most 63 bytes in UTF-8. It must not start with `pg` or be one of `neon_superuser`, `cloud_admin`, `zenith_admin`, `public` and `none`.",
        change:
          "The new role is created first, so that databases can change their owner before the old role is deleted.",
      }),
      noLogin: roleCreate.shape.no_login.meta({ change: "The old role is deleted first." }),
      passwordTrigger: trigger(
        "resets the password in place. The old password stays valid until the reset has finished",
      ),
      adopt: adopt.meta({ note: "A role cannot be renamed, so a declared `name` must be the role's name." }),
    })
    .check(
      combination(({ name, noLogin, passwordTrigger, adopt: adopted = false }, report) => {
        const declared = known(name);
        // An adopted role may have any name, because SQL may have created it.
        const problem = declared === undefined || adopted !== false ? undefined : reservedNameProblem(declared);
        if (problem !== undefined) report(problem, "name");
        if (noLogin === true && passwordTrigger !== undefined) {
          report(
            "cannot be declared together with noLogin: a role that cannot log in has no password",
            "passwordTrigger",
          );
        }
      }),
    ),
);
export type RoleInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () => {
  const wire = camelShape(wireRole.shape);
  return z.object({
    ...ofBranch,
    ...only(wire, "name"),
    ...only(inputs().shape, "noLogin", "passwordTrigger"),
    password: z
      .string()
      .optional()
      .meta({
        description:
          "Password of the role. Absent for a role that cannot log in. Absent, too, for a role that was adopted in a project that does not store passwords, until a change of `passwordTrigger` resets it.",
        secret: true,
        absence: {
          reason:
            "The role was adopted in a project that does not store passwords. Change `passwordTrigger` to reset the password.",
          unless: {
            output: "noLogin",
            value: true,
            reason: "A role that cannot log in has no password: remove `noLogin`, or use another role.",
          },
        },
      }),
    ...only(wire, "authenticationMethod", "protected", "createdAt"),
  });
};
export type RoleOutputs = OutputsOf<typeof outputs>;

/** Identifies a role. */
type Address = Pick<RoleOutputs, "projectId" | "branchId" | "name">;

/** Roles that Neon creates for the Data API, Neon Auth and JWKS URLs. */
const neonRoles = ["authenticator", "authenticated", "anonymous"];
const ofNeon = "Neon creates these roles for the Data API, Neon Auth and JWKS URLs";

/** A Postgres role of a branch. */
export const role = listedKind<Role, RoleInputs, RoleOutputs>({
  name: "Role",
  noun: "role",
  inputs,
  outputs,
  identifiedBy: ["projectId", "branchId", "name"],
  rules: {
    noLogin: { onChange: "replace" },
    passwordTrigger: { platform: "unaware", affects: ["password"] },
  },
  defaultName: "name",
  replacement: { loss: "The new role has another password, and none of the privileges granted to the old one." },
  identity: { by: "createdAt" },

  create: ({ projectId, branchId, name = "", noLogin }) =>
    creation({
      what: "create role",
      request: roles.create(projectId, branchId, { name, ...omitUndefined({ no_login: noLogin }) }),
      repeatable: true,
      outputs: (answer) => ({
        ...roleOutputs(projectId, answer.role, noLogin),
        ...omitUndefined({ password: answer.role.password }),
      }),
    }),

  collection: ({ projectId = "", branchId = "" }) => rolesOf(projectId, branchId),
  outputsOf: (found, { projectId = "", noLogin }) => roleOutputs(projectId, found, noLogin),
  read: async (context, state) => {
    const { projectId = "", branchId = "", name = "" } = state;
    const found = await readRole(context, { projectId, branchId, name });
    if (found === undefined) return undefined;
    const outputs = roleOutputs(projectId, found, state.noLogin);
    // The password is read once for each role. A later role of the same name has another password.
    const isKnown = state.createdAt !== undefined && same({ equality: "instant" }, state.createdAt, outputs.createdAt);
    const password = isKnown
      ? state.password
      : hasPassword(outputs) && context.readsSecrets
        ? await revealPassword(context, outputs)
        : undefined;
    return { ...outputs, ...omitUndefined({ password }) };
  },

  update: async (context, state, _, changes) => {
    if (changes.has("passwordTrigger")) await resetPassword(context, state);
  },

  preview: {
    // Changing `noLogin` replaces the role, and the old role is deleted first.
    problems: async (context, { noLogin = false }, before) => {
      if (before === undefined || noLogin === unknownValue || noLogin === (before["noLogin"] ?? false)) return [];
      const owned = await ownedDatabases(context, before as RoleInputs & Address).catch(() => undefined);
      if (owned === undefined) return [];
      const { titles, them } = owned;
      const reason = `cannot change while the role owns the ${titles}: Neon deletes no role that owns a database. Give ${them} another owner (\`ownerName\`), run \`pulumi up\`, then change \`noLogin\``;
      return [{ property: "noLogin", reason }];
    },
  },

  deletion: (state, context) => ({
    request: roles.delete(state.projectId, state.branchId, state.name),
    confirms: (answer) => (answer as { readonly role?: Role }).role !== undefined,
    explain: (error) => explainedByOwnership(context, state, error),
  }),

  precondition: requiresCompute,

  undeletable: async (context, state) => {
    const { projectId, branchId, name } = state;
    const all = rolesOf(projectId, branchId);
    const reason = await undeletableWithProject(context, `role ${name}`, state, all, (one) => one.name === name);
    return reason ?? heldByDatabases(context, state);
  },
  heldBy: heldByDatabases,

  finishing: {
    // After a failed creation, a password reset adds the role to Postgres. A role without a password is replaced.
    usable: (context, state) => Promise.resolve(hasPassword(state) || updateFollows(context)),
    repair: async (context, state) => {
      if (hasPassword(state) && !updateFollows(context)) await resetPassword(context, state);
    },
    // If the create response was lost and the project stores no passwords, only a reset returns a password.
    complete: async (context, state) => {
      if (state.password === undefined && hasPassword(state)) await resetPassword(context, state);
    },
  },

  listing: {
    isCopied: true,
    leftOut: ({ name }) =>
      neonRoles.includes(name) ? ofNeon : reservedNameProblem(name) && "their names are reserved",
  },
});

/** Whether `update` will reset the password, because an earlier reset failed. */
function updateFollows({ progress }: Context): boolean {
  return progress.unapplied.length > 0;
}

function hasPassword({ noLogin, authenticationMethod = "password" }: RoleOutputs): boolean {
  return noLogin !== true && authenticationMethod === "password";
}

/** Gives a role a new password. The old one is valid until the operation has finished. */
async function resetPassword(context: Context, state: RoleOutputs): Promise<void> {
  const { projectId, branchId, name } = state;
  let before: string | undefined;
  let revealed: string | undefined;
  // Read again before each attempt, because another user may have reset the password in the meantime.
  const prepare = async (): Promise<void> => {
    // The old password only helps to detect a reset whose response was lost. If it is unknown, the reset is sent again.
    before = await revealPassword(context, state).catch(() => undefined);
  };
  await prepare();
  await context.change({
    what: "reset the password",
    request: roles.resetPassword(projectId, branchId, name),
    applies: ["passwordTrigger"],
    beforeResend: prepare,
    outputs: (answer) => ({ password: answer?.role.password ?? revealed }),
    done: async () => {
      // A running reset may become visible only when it has finished, and a failed one has no effect.
      const isSettled = await context.waitUntilIdle(projectId).then(
        () => true,
        () => false,
      );
      if (!isSettled) return false;
      revealed = await revealPassword(context, state);
      // If there is no password to compare with, send the reset again to be certain.
      return revealed !== undefined && before !== undefined && revealed !== before;
    },
  });
}

/** A role's password, or `undefined` if the project stores no passwords. */
async function revealPassword(context: Context, { projectId, branchId, name }: Address): Promise<string | undefined> {
  return (await ignoreStatus(context.read(roles.revealPassword(projectId, branchId, name)), 412))?.password;
}

async function readRole(context: Context, { projectId, branchId, name }: Address): Promise<Role | undefined> {
  return context.readOne(rolesOf(projectId, branchId), name);
}

function rolesOf(projectId: string, branchId: string): Collection<Role> {
  return wholeList({
    list: roles.list(projectId, branchId),
    items: (answer) => answer.roles,
    keyOf: ({ name }) => name,
    get: async (reader, name) => (await ignoreNotFound(reader.read(roles.get(projectId, branchId, name))))?.role,
  });
}

/** @param declared the value of `noLogin` if the platform does not report an authentication method */
function roleOutputs(projectId: string, found: Role, declared: boolean | undefined): RoleOutputs {
  const { authentication_method: method } = found;
  return {
    projectId,
    ...omitUndefined({ noLogin: method === undefined ? declared : method === "no_login" }),
    ...outputsIn(found, "branch_id", "name", "authentication_method", "protected", "created_at"),
  };
}

/** Explains the 422 for a role if it owns databases. Returns any other error as it is. */
async function explainedByOwnership(context: Context, state: RoleOutputs, error: unknown): Promise<unknown> {
  if (!hasStatus(error, 422)) return error;
  const owned = await ownedDatabases(context, state).catch(() => undefined);
  if (owned === undefined) return error;
  const { titles, them } = owned;
  return explained(
    `The role ${state.name} was not deleted: it owns the ${titles}`,
    error,
    `Give ${them} another owner (\`ownerName\`), then delete the role. If the program deletes ${them} too, declare the role's output \`name\` as \`ownerName\`, so that Pulumi deletes the role last. If the branch is deleted with the role, set the resource option \`deletedWith\` of the role to the branch.`,
  );
}

async function heldByDatabases(context: Context, state: Address): Promise<string | undefined> {
  const owned = await ownedDatabases(context, state);
  return owned && `The role ${state.name} owns the ${owned.titles}, and Neon deletes no role that owns a database.`;
}

/** The databases that a role owns, as a text for messages; undefined if it owns none. */
async function ownedDatabases(
  context: Context,
  { projectId, branchId, name }: Address,
): Promise<{ readonly titles: string; readonly them: "it" | "them" } | undefined> {
  const all = (await ignoreNotFound(context.read(databases.list(projectId, branchId))))?.databases ?? [];
  const owned = all.filter(({ owner_name: owner }) => owner === name).map((database) => `"${database.name}"`);
  if (owned.length === 0) return undefined;
  const isOne = owned.length === 1;
  return { titles: `${isOne ? "database" : "databases"} ${owned.join(", ")}`, them: isOne ? "it" : "them" };
}
