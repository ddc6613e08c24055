import { z } from "zod";

import { camelShape } from "../../api/core/camel-shape";
import { explained, hasStatus, invalid } from "../../api/core/errors";
import { lazy } from "../../api/core/lazy";
import { together } from "../../api/core/together";
import { type ApiKey, apiKeyCreate, apiKeyCreated, apiKeys, organizationApiKeys } from "../../api/schemas/api-key";
import { auth, users } from "../../api/schemas/user";
import { resolution } from "../../api/server-clock";
import { type Collection, onePage } from "../call/collection";
import type { Context } from "../call/context";
import { creation } from "../kind/creation";
import { ofOrganization, ofProject, organizationOf } from "../kind/inputs";
import { type Defaults, defineKind, type Kind, type KindDefinition } from "../kind/kind";
import { only, type OutputsOf } from "../kind/outputs";
import { namesakes } from "../kind/options";
import { omitUndefined } from "../values";
import { readOrganization } from "./organization";
import { rotateTrigger, rotateTriggerRule, rotationOf } from "./rotation";

const common = {
  name: apiKeyCreate.shape.key_name.optional(),
  rotateTrigger: rotateTrigger.meta({
    description: "Any string.",
    change: "The new key is created first, and the old one is revoked last. Removing it has no effect.",
  }),
  adopt: z
    .string({ error: "must be the id of a key as a string: several keys can have the same name" })
    .regex(/^(.+\/)?\d{1,15}$/, 'must be the id of a key, such as "165434"')
    .optional()
    .describe(
      "Id of an existing key to adopt instead of creating one. Its output `key` is then absent, because Neon returns the secret only when a key is created. Fails if the key does not exist.",
    ),
};
const personalInputs = lazy(() => z.strictObject(common));
const organizationInputs = lazy(() => z.strictObject({ ...common, ...ofOrganization }));
const projectInputs = lazy(() =>
  z.strictObject({
    ...common,
    orgId: ofOrganization.orgId.describe("Id of the organization that owns the project."),
    ...ofProject,
  }),
);

export type ApiKeyInputs = z.infer<ReturnType<typeof personalInputs>>;
export type OrganizationApiKeyInputs = z.infer<ReturnType<typeof organizationInputs>>;
export type ProjectApiKeyInputs = z.infer<ReturnType<typeof projectInputs>>;

const personalOutputs = () => {
  const { id, ...key } = camelShape(apiKeyCreated.shape);
  return z.object({
    name: key.name,
    ...only(common, "rotateTrigger"),
    keyId: id,
    key: key.key.optional().meta({
      absent:
        "for a key that was adopted or read with `get`, because Neon returns the secret only when a key is created",
      secret: true,
      isReturnedOnce: true,
      absence: { reason: "Neon returns a key only when it is created, not when it is adopted or read." },
    }),
    ...only(key, "createdAt", "createdBy"),
  });
};
const ofOwner = { orgId: ofOrganization.orgId.unwrap().describe("Id of the organization.") };
const organizationOutputs = () => personalOutputs().extend(ofOwner);
const projectOutputs = () => personalOutputs().extend({ ...ofOwner, ...ofProject });
export type ApiKeyOutputs = OutputsOf<typeof personalOutputs>;
export type OrganizationApiKeyOutputs = OutputsOf<typeof organizationOutputs>;
export type ProjectApiKeyOutputs = OutputsOf<typeof projectOutputs>;

/** The scope of a key: everything its user can access, an organization, or a project of an organization. */
interface KeyScope {
  readonly orgId?: string;
  readonly projectId?: string;
}
type AnyInputs = Pick<ApiKeyInputs, "name"> & { readonly [Key in keyof KeyScope]: KeyScope[Key] | undefined };
type AnyOutputs = ApiKeyOutputs & KeyScope;

interface KeyKind<Inputs, Outputs> extends Pick<
  KindDefinition<Inputs, Outputs>,
  "name" | "noun" | "inputs" | "outputs" | "rules"
> {
  readonly scope: "user" | "organization" | "project";
  /** A sentence that says who may create a key. */
  readonly creators: string;
  /** A sentence that says who may revoke a key. */
  readonly revokers: string;
}

const administratorsOnly =
  "Only a personal API key of an administrator of the organization or a key of the organization can revoke it.";

/** A key for everything that a user can access. */
export const apiKey = keyKind<ApiKeyInputs, ApiKeyOutputs>({
  name: "ApiKey",
  noun: "API key",
  inputs: personalInputs,
  outputs: personalOutputs,
  scope: "user",
  creators: "Only a personal API key can create another one: organization and project API keys cannot.",
  revokers: "Only a personal API key of the same user can revoke it.",
});

/** A key for all projects of an organization. */
export const organizationApiKey = keyKind<OrganizationApiKeyInputs, OrganizationApiKeyOutputs>({
  name: "OrganizationApiKey",
  noun: "organization API key",
  inputs: organizationInputs,
  outputs: organizationOutputs,
  scope: "organization",
  creators: "Only a personal API key of an administrator of the organization can create one.",
  revokers: administratorsOnly,
});

/** A key for one project of an organization. */
export const projectApiKey = keyKind<ProjectApiKeyInputs, ProjectApiKeyOutputs>({
  name: "ProjectApiKey",
  noun: "project API key",
  inputs: projectInputs,
  outputs: projectOutputs,
  rules: { projectId: { onChange: "replace" } },
  scope: "project",
  creators:
    "Only a personal API key of a member of the project's organization or a key of the organization can create one: project API keys cannot.",
  revokers: administratorsOnly,
});

function keyKind<Inputs extends AnyInputs, Outputs extends AnyOutputs>({
  rules,
  scope,
  creators,
  revokers,
  ...own
}: KeyKind<Inputs, Outputs>): Kind<Inputs, Outputs> {
  const { noun } = own;
  const scopeOf = (defaults: Defaults, { orgId, projectId }: AnyInputs): KeyScope =>
    scope === "user" ? {} : omitUndefined({ orgId: organizationOf(defaults, orgId), projectId });

  /** The valid keys of the user or the organization. An organization's list includes the keys of its projects. */
  const list = async (
    context: Pick<Context, "read" | "visibility">,
    { orgId }: KeyScope,
  ): Promise<readonly ApiKey[]> => {
    if (scope === "user") return context.read(apiKeys.list());
    // An id without an organization is not the id of an organization key.
    return orgId === undefined ? [] : readOrganization(context, orgId, organizationApiKeys.list(orgId));
  };

  const keysOf = ({ visibility }: Context, keyScope: KeyScope): Collection<ApiKey> => ({
    name: `api-keys/${keyScope.orgId ?? ""}`,
    pages: (reader) => onePage(() => list({ read: (request) => reader.read(request), visibility }, keyScope)),
    keyOf: ({ id: keyId }) => String(keyId),
  });

  /** Whether a listed key is of this kind. A known project counts even if the platform no longer reports it. */
  const isOfKind = ({ project_id }: ApiKey, { projectId }: KeyScope): boolean =>
    scope === "user" || ((project_id ?? projectId) !== undefined) === (scope === "project");

  const find = async (context: Context, state: Partial<AnyOutputs>): Promise<ApiKey | undefined> => {
    const one = await context.readOne(keysOf(context, state), String(state.keyId));
    const found = one !== undefined && isOfKind(one, state) ? one : undefined;
    if (found !== undefined && !context.progress.hasCreated) assertSame(noun, state, found);
    if (found === undefined && scope === "user" && state.createdBy !== undefined) {
      await assertVisibleTo(context, state, state.createdBy);
    }
    return found;
  };

  return defineKind<Inputs, Outputs>({
    ...own,
    rules: { ...rules, name: { onChange: "replace" }, rotateTrigger: rotateTriggerRule },
    defaultName: "name",
    uniqueBy: [],
    replacement: rotationOf("key"),
    scope: {
      // Keys with the same name differ only in their creation time.
      lock: ({ name }) => (typeof name === "string" ? `API keys ${name}` : undefined),
    },
    identifiedBy: scope === "user" ? ["keyId"] : ["orgId", "keyId"],
    listing: {
      of: scope === "user" ? "user" : "organization",
      list: async ({ read }, { orgId }) =>
        (await read(scope === "user" ? apiKeys.list() : organizationApiKeys.list(orgId)))
          .filter((one) => isOfKind(one, {}))
          .map(({ id: keyId, project_id: projectId }) => ({ address: { keyId, ...(projectId && { projectId }) } })),
    },

    create: (declared, defaults) => {
      const keyScope = scopeOf(defaults, declared);
      const { orgId, projectId } = keyScope;
      const { name = "" } = declared;
      return creation({
        what: `create ${noun}`,
        request: orgId === undefined ? apiKeys.create(name) : organizationApiKeys.create(orgId, name, projectId),
        // Keys can have the same name.
        repeatable: false,
        outputs: (answer) => {
          const outputs: AnyOutputs = {
            ...keyScope,
            keyId: answer.id,
            name: answer.name,
            key: answer.key,
            createdAt: answer.created_at,
            ...omitUndefined({ createdBy: answer.created_by }),
          };
          return outputs as Outputs;
        },
        explain: (_, error) => explainedByKey(`The ${noun} ${name} was not created`, creators, error),
      });
    },

    read: async (context, state) => {
      try {
        const found = await find(context, state);
        return found && (outputsOf(found, state) as Outputs);
      } catch (error) {
        // A key may be allowed to create keys but not to list them. Then keep what the creation returned.
        if (context.progress.hasCreated && hasStatus(error, 403)) return state as Outputs;
        throw error;
      }
    },

    remove: async (context, state) => {
      const { orgId, keyId, name } = state;
      // A key may be allowed to revoke keys but not to list them.
      const assertListed = async (): Promise<void> => {
        await find(context, state).catch((error: unknown) => {
          if (!hasStatus(error, 403)) throw error;
        });
      };
      await together([assertListed(), assertNotInUse(context, noun, state)]);
      await context.delete({
        object: `${noun} ${name} (${keyId})`,
        what: `revoke ${noun}`,
        request: orgId === undefined ? apiKeys.revoke(keyId) : organizationApiKeys.revoke(orgId, keyId),
        beforeResend: assertListed,
        exists: async () => (await find(context, state)) !== undefined,
        explain: (error) => explainedByKey(`The ${noun} ${name} (${keyId}) was not revoked`, revokers, error),
      });
    },

    adopted: (context, declared, keyId) => {
      const found = omitUndefined({ orgId: scopeOf(context, declared).orgId, keyId: Number(keyId) });
      return Promise.resolve(/^\d+$/.test(keyId) ? (found as Partial<Outputs>) : undefined);
    },

    secretOnce: true,
    namesakes: (context, declared) => {
      const keyScope = scopeOf(context, declared);
      return namesakes<ApiKey, Outputs>({
        collection: keysOf(context, keyScope),
        matches: (one) =>
          one.name === declared.name &&
          // A key for the whole organization is not a project's key.
          (one.project_id ?? undefined) === keyScope.projectId &&
          // The secret of a key whose creation was not answered is unknown, so such a key was never used.
          (one.last_used_at ?? undefined) === undefined,
        outputs: (one) => outputsOf(one, keyScope) as Outputs,
      });
    },
  });
}

/** The outputs of a listed key, with those of the state that the list does not contain. */
function outputsOf(found: ApiKey, { orgId, projectId, key }: Partial<AnyOutputs>): AnyOutputs {
  return {
    ...omitUndefined({ orgId, projectId: found.project_id ?? projectId, key, createdBy: found.created_by?.id }),
    keyId: found.id,
    name: found.name,
    createdAt: found.created_at,
  };
}

/** Fails if a listed key is not the one in the state: another service may use the same number for another key. */
function assertSame(noun: string, { name, keyId, createdAt }: Partial<ApiKeyOutputs>, found: ApiKey): void {
  if (createdAt === undefined) return;
  const distance = Math.abs(Date.parse(found.created_at) - Date.parse(createdAt));
  // A state that was edited by hand can hold anything.
  const known = typeof name === "string" ? name : found.name;
  if (found.name === known && !(distance > resolution)) return;
  throw invalid(
    `The ${noun} ${known} (${String(keyId)}) is not the one in the state (created at ${createdAt}), but another one of the same number (${found.name}, created at ${found.created_at})`,
    {
      fix: "Does `neon:apiUrl` name another service than before? Correct it. If that service no longer exists, run `pulumi state delete`.",
    },
  );
}

/** Fails if this run uses the key: once it is revoked, the run could delete nothing else. */
async function assertNotInUse(context: Context, noun: string, { name, keyId }: ApiKeyOutputs): Promise<void> {
  // If the platform does not tell which key this is, it refuses the next request as well.
  const { auth_data: inUse } = await context.read(auth.get()).catch(() => ({ auth_data: undefined }));
  if (inUse !== String(keyId)) return;
  throw invalid(`The ${noun} ${name} (${keyId}) was not revoked: this run uses it`, {
    fix: "Use another key for this run. Or remove the resource with `pulumi state delete`, and revoke the key in Neon's console.",
  });
}

/**
 * Fails if an unlisted key belongs to another user: this API key cannot see that user's keys, so the key may still be
 * valid.
 */
async function assertVisibleTo(
  context: Context,
  { name = "", keyId }: Partial<ApiKeyOutputs>,
  userId: string,
): Promise<void> {
  const { id } = await context.read(users.me());
  if (id === userId) return;
  throw invalid(
    `The API key ${name} (${String(keyId)}) belongs to user ${userId}, but neon:apiKey is that of user ${id}, who cannot see it`,
    {
      fix: "Use a personal API key of the owner. To remove the resource from the state without revoking the key, run `pulumi state delete`.",
    },
  );
}

/**
 * Explains a request that was refused because of the API key in use by who may send it. Returns any other error as it
 * is.
 */
function explainedByKey(failed: string, whoMay: string, error: unknown): unknown {
  if (!hasStatus(error, 403, 404)) return error;
  const reason = error.status === 404 ? ": the object does not exist, or this API key cannot see it" : "";
  return explained(`${failed}${reason}`, error, `${whoMay} Use such a key.`);
}
