import { z } from "zod";

import { HttpError, PlatformError } from "../../api/errors";
import { type ApiKey, apiKeyCreate, apiKeys, organizationApiKeys } from "../../api/schemas/api-key";
import { users } from "../../api/schemas/user";
import { objectId, platformId } from "../../api/schemas/wire";
import type { Context } from "../kind/context";
import { adoptedSegment, idOf, segmentsOf } from "../kind/id";
import type { FieldRule, Kind } from "../kind/kind";
import { deleteObject } from "./shared/delete";
import { invisible, organizationOf } from "./shared/organization";

const common = {
  name: apiKeyCreate.shape.key_name.optional(),
  rotateTrigger: z.string().optional(),
  adopt: z
    .string({ error: "must be the id of a key, as a text: any number of keys can have the same name" })
    .regex(/^(.+\/)?\d{1,15}$/, 'must be the id of a key, such as "165434"')
    .optional(),
};
const personalInputs = z.strictObject(common);
const organizationInputs = z.strictObject({ ...common, orgId: platformId.optional() });
const projectInputs = z.strictObject({ ...organizationInputs.shape, projectId: objectId });

/** What a program declares of a personal key. */
export type ApiKeyInputs = z.infer<typeof personalInputs>;
/** What a program declares of an organization's key. */
export type OrganizationApiKeyInputs = z.infer<typeof organizationInputs>;
/** What a program declares of a key for one project. */
export type ProjectApiKeyInputs = z.infer<typeof projectInputs>;

/** What there is to know of a personal key. */
export interface ApiKeyOutputs extends Omit<ApiKeyInputs, "name" | "adopt"> {
  readonly keyId: number;
  readonly name: string;
  /** Told once, by the answer that makes it. */
  readonly key?: string;
  readonly createdAt: string;
  readonly createdBy?: string;
}
/** What there is to know of an organization's key. */
export interface OrganizationApiKeyOutputs extends ApiKeyOutputs {
  readonly orgId: string;
}
/** What there is to know of a key for one project. */
export interface ProjectApiKeyOutputs extends OrganizationApiKeyOutputs {
  readonly projectId: string;
}

/** Whose a key is, and for what: these members are there or not by the kind. */
interface Reach {
  readonly orgId?: string;
  readonly projectId?: string;
}
type AnyInputs = Pick<ApiKeyInputs, "name"> & { readonly [Key in keyof Reach]: Reach[Key] | undefined };
type AnyOutputs = ApiKeyOutputs & Reach;

/** What is special about one kind of key. */
interface Special<Inputs> {
  readonly name: string;
  readonly noun: string;
  readonly inputs: z.ZodType<Inputs>;
  readonly rules: Readonly<Record<string, FieldRule>>;
  /** Whether keys of this kind are an organization's, and whether they are for one project of it. */
  readonly of: "user" | "organization" | "project";
  /** Who may make one, in a sentence without its full stop. */
  readonly makers: string;
  /** Who may revoke one, in a sentence without its full stop. */
  readonly revokers: string;
}

/** A key that a user has for everything they may see. */
export const apiKey = kindOfKey<ApiKeyInputs, ApiKeyOutputs>({
  name: "ApiKey",
  noun: "API key",
  inputs: personalInputs,
  rules: {},
  of: "user",
  makers:
    "A personal API key belongs to a user: only another personal key can make one, no organization's or project's key",
  revokers: "Only the user whose it is can revoke a personal API key, with a personal key",
});

/** A key for all projects of an organization. */
export const organizationApiKey = kindOfKey<OrganizationApiKeyInputs, OrganizationApiKeyOutputs>({
  name: "OrganizationApiKey",
  noun: "organization API key",
  inputs: organizationInputs,
  rules: { orgId: { onChange: "replace", unset: "orgId" } },
  of: "organization",
  makers:
    "Only an administrator of an organization can make a key for all of it, and only with a personal API key: no organization's or project's key can make one",
  revokers:
    "Only an administrator of an organization can revoke its keys: with a personal API key, or with one of the organization",
});

/** A key for one project of an organization. */
export const projectApiKey = kindOfKey<ProjectApiKeyInputs, ProjectApiKeyOutputs>({
  name: "ProjectApiKey",
  noun: "project API key",
  inputs: projectInputs,
  rules: { orgId: { onChange: "replace", unset: "orgId" }, projectId: { onChange: "replace" } },
  of: "project",
  makers:
    "A key for one project can be made by any member of the organization that the project belongs to, with a personal API key or one of the organization: no key for one project can make another",
  revokers:
    "Only an administrator of an organization can revoke the keys of its projects: with a personal API key, or with one of the organization",
});

function kindOfKey<Inputs extends AnyInputs, Outputs extends AnyOutputs>(
  special: Special<Inputs>,
): Kind<Inputs, Outputs> {
  const { name: kindName, noun, inputs, rules, of, makers, revokers } = special;

  const reachOf = (context: Context, { orgId, projectId }: AnyInputs): Reach =>
    of === "user" ? {} : { orgId: organizationOf(context, orgId), ...(projectId === undefined ? {} : { projectId }) };

  const id = ({ orgId, keyId }: Partial<AnyOutputs>): string =>
    idOf(...(orgId === undefined ? [] : [orgId]), String(keyId ?? ""));

  /** The valid keys, of whatever kind. */
  const list = async (context: Context, { orgId }: Reach): Promise<readonly ApiKey[]> => {
    if (of === "user") return context.read(apiKeys.list());
    // An id that names no organization is none of this kind.
    if (orgId === undefined) return [];
    return context.read(organizationApiKeys.list(orgId)).catch(async (error: unknown) => {
      throw await invisible(context, orgId, error);
    });
  };

  /** What is known to be a key for one project stays one, should the platform no longer tell it. */
  const isOfKind = ({ project_id }: ApiKey, { projectId }: Reach): boolean =>
    of === "user" || ((project_id ?? projectId) !== undefined) === (of === "project");

  const find = async (context: Context, state: Partial<AnyOutputs>): Promise<ApiKey | undefined> => {
    const found = (await list(context, state)).find((one) => one.id === state.keyId && isOfKind(one, state));
    if (found === undefined && of === "user" && state.createdBy !== undefined) {
      await assertOwner(context, state.createdBy);
    }
    return found;
  };

  return {
    name: kindName,
    noun,
    version: 1,
    inputs,
    rules: { ...rules, name: { onChange: "replace" }, rotateTrigger: { onChange: "replace", platform: "unaware" } },
    controls: ["adopt"],
    defaultName: "name",
    secrets: ["key"],
    uniqueBy: [],
    lossOnReplace:
      "The old key is revoked when everything that depends on it here has been updated; whatever else still uses it then is refused.",
    project: () => undefined,
    // Keys of one name can be told apart only by when they were made.
    lock: ({ name }) => (typeof name === "string" ? `API keys ${name}` : undefined),
    address: (text) => {
      const [keyId = "", orgId = ""] = [...segmentsOf(text)].reverse();
      return {
        ...(of === "user" ? {} : { orgId }),
        keyId: /^\d+$/.test(keyId) ? Number(keyId) : NaN,
      } as Partial<Outputs>;
    },
    id,

    create: async (context, declared) => {
      const reach = reachOf(context, declared);
      const { orgId, projectId } = reach;
      const name = declared.name ?? "";
      return context
        .create({
          what: `create ${noun} ${name}`,
          request: () =>
            orgId === undefined ? apiKeys.create(name) : organizationApiKeys.create(orgId, name, projectId),
          // Equal keys can stand side by side.
          repeatable: false,
          record: (answer) => {
            const { id: keyId, key, created_at, created_by } = answer;
            const outputs: AnyOutputs = {
              ...reach,
              keyId,
              name: answer.name,
              key,
              createdAt: created_at,
              ...(created_by === undefined ? {} : { createdBy: created_by }),
            };
            return { id: id(outputs), outputs: outputs as Outputs };
          },
        })
        .catch((error: unknown) => {
          throw explained(makers, error);
        });
    },

    read: async (context, state) => {
      try {
        const found = await find(context, state);
        return found && (outputsOf(found, state) as Outputs);
      } catch (error) {
        // Who may make a key may not be allowed to list it: what has just been told of it is enough.
        const isNew = context.progress.hasCreated;
        if (isNew && HttpError.isInstance(error) && error.status === 403) return state as Outputs;
        throw error;
      }
    },

    // Nothing can be changed in place.
    update: () => Promise.resolve(),

    remove: async (context, state) => {
      const { orgId, keyId, name } = state;
      await deleteObject(context, {
        object: `${noun} ${name} (${keyId})`,
        what: `revoke ${noun} ${name}`,
        project: undefined,
        request: orgId === undefined ? apiKeys.revoke(keyId) : organizationApiKeys.revoke(orgId, keyId),
        isThere: async () => (await find(context, state)) !== undefined,
        explained: (error) => explained(revokers, error),
      });
    },

    find: (context, declared, wanted) => {
      if (wanted === undefined) return Promise.resolve(undefined);
      const { orgId } = reachOf(context, declared);
      const own = orgId === undefined ? {} : { orgId };
      const keyId = adoptedSegment(wanted, ...Object.values(own));
      return Promise.resolve(/^\d+$/.test(keyId) ? ({ ...own, keyId: Number(keyId) } as Partial<Outputs>) : undefined);
    },

    recovery: {
      by: "naturalKey",
      secretOnce: true,
      list: async (context, declared, since) => {
        const reach = reachOf(context, declared);
        const all = await list(context, reach);
        // Nobody but us could have the secret of the one that is looked for.
        return all
          .filter(
            ({ name, project_id, created_at, last_used_at }) =>
              name === declared.name &&
              project_id === reach.projectId &&
              Date.parse(created_at) >= since.getTime() &&
              (last_used_at === undefined || last_used_at === null),
          )
          .map((one) => ({ ...reach, keyId: one.id, name: one.name }) as Partial<Outputs>);
      },
    },
  };
}

/** A key as it is listed, with what the list does not tell. */
function outputsOf(found: ApiKey, { orgId, projectId: known, key }: Partial<AnyOutputs>): AnyOutputs {
  const projectId = found.project_id ?? known;
  return {
    ...(orgId === undefined ? {} : { orgId }),
    ...(projectId === undefined ? {} : { projectId }),
    keyId: found.id,
    name: found.name,
    ...(key === undefined ? {} : { key }),
    createdAt: found.created_at,
    ...(found.created_by === undefined ? {} : { createdBy: found.created_by.id }),
  };
}

/** A key is not gone because another user's key is asked with, which does not see it. */
async function assertOwner(context: Context, userId: string): Promise<void> {
  const { id } = await context.read(users.me());
  if (id === userId) return;
  throw new PlatformError(
    "invalid",
    `This personal API key belongs to the user ${userId}, but neon:apiKey is that of ${id}, who does not see it. Use a personal key of that user; or take the resource out of the state with \`pulumi state delete\`, which does not revoke the key.`,
    undefined,
  );
}

/** A refusal because of the key that asks says whose key it takes. */
function explained(whoMay: string, error: unknown): unknown {
  if (!HttpError.isInstance(error) || (error.status !== 403 && error.status !== 404)) return error;
  // What the key does not see may as well not be there.
  const reason =
    error.status === 404 ? `What was asked for is not there, or this API key does not see it. ${whoMay}` : whoMay;
  return new PlatformError("invalid", `${reason} (${error.summary})`, error, { fix: "Use such a key." });
}
