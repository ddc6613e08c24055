import type { Command } from "commander";
import { z } from "zod";

import { inColumns } from "./columns";
import { ask, findPlatform, type RunningPlatform, type Target, withTarget } from "./running-platform";

interface CreateOptions extends Target {
  readonly organization?: string;
  readonly project?: string;
}

const list = z.object({
  keys: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      kind: z.string(),
      owner: z.string(),
      project: z.string().optional(),
      createdAt: z.string(),
      lastUsedAt: z.string().nullable(),
    }),
  ),
});
const created = z.object({ id: z.number(), key: z.string() });
const organizationList = z.object({ organizations: z.array(z.object({ id: z.string(), name: z.string() })) });

/** `neon-platform keys` */
export function addKeysCommand(program: Command): void {
  const keys = program.command("keys").description("create, list and revoke API keys of a running platform");
  withTarget(keys.command("list"))
    .description("list the valid keys")
    .action(async (target: Target) => {
      const { consoleUrl } = await findPlatform(target);
      const rows = list
        .parse(await ask(consoleUrl, "/local/keys"))
        .keys.map((key) => [
          String(key.id),
          key.kind,
          key.name,
          key.project === undefined ? key.owner : `${key.owner}, ${key.project}`,
          `created ${key.createdAt.slice(0, 16)}`,
          key.lastUsedAt === null ? "never used" : `used ${key.lastUsedAt.slice(0, 16)}`,
        ]);
      process.stdout.write(`${inColumns(rows).join("\n")}\n`);
    });
  withTarget(keys.command("create"))
    .description("create a key and print it; the key cannot be shown again")
    .argument("<name>", "name of the key")
    .option(
      "--organization <organization>",
      "name or id of the organization that owns the key (default: none, a personal key)",
    )
    .option("--project <project>", "name or id of the only project that the key can access")
    .action(async (name: string, options: CreateOptions) => {
      const platform = await findPlatform(options);
      const body = { name, ...(await ownerOf(platform, options)) };
      process.stdout.write(`${created.parse(await ask(platform.consoleUrl, "/local/keys", "POST", body)).key}\n`);
    });
  withTarget(keys.command("revoke"))
    .description("revoke a key")
    .argument("<id>", "id of the key, as `keys list` shows it")
    .action(async (id: string, target: Target) => {
      const { consoleUrl } = await findPlatform(target);
      await ask(consoleUrl, `/local/keys/${encodeURIComponent(id)}`, "DELETE");
      process.stdout.write(`Key ${id} is revoked.\n`);
    });
}

/** The members of a request that name the owner of the key. */
async function ownerOf(
  { consoleUrl, status }: RunningPlatform,
  { organization, project }: CreateOptions,
): Promise<{ readonly org_id?: string; readonly project_id?: string }> {
  if (organization === undefined) {
    if (project !== undefined)
      throw new Error("--project needs --organization: only organizations have project-scoped keys");
    return {};
  }
  const { organizations } = organizationList.parse(await ask(consoleUrl, "/local/organizations"));
  const orgId = idOf(organizations, organization, "organization");
  return {
    org_id: orgId,
    ...(project !== undefined && { project_id: idOf(status.projects, project, "project") }),
  };
}

function idOf(all: readonly { readonly id: string; readonly name: string }[], nameOrId: string, what: string): string {
  const found = all.find(({ id }) => id === nameOrId) ?? all.find(({ name }) => name === nameOrId);
  if (found) return found.id;
  throw new Error(`there is no ${what} "${nameOrId}"; there are: ${all.map(({ name }) => name).join(", ")}`);
}
