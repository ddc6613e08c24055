import type { PlatformClient } from "../../api/client";
import { ignoreStatus, invalid, isNotFound, type PlatformError, summaryOf } from "../../api/errors";
import { organizations } from "../../api/schemas/organization";
import { type Project, projects } from "../../api/schemas/project";
import { auth, users } from "../../api/schemas/user";

export type Owner = { readonly orgId: string } | { readonly userId: string };

/** The owner that the platform reports for a project. */
function ownerOf({ org_id: orgId, owner_id: userId }: Project): Owner | undefined {
  if (orgId !== undefined) return { orgId };
  return userId === undefined ? undefined : { userId };
}

type Read = PlatformClient["send"];

/**
 * What is known of the projects that resources stand in: whose they are, and whether this account can see them at all.
 *
 * The platform answers 404 for what is not there and for what a key does not see. So a 404 is believed only if the key
 * belongs to an account that could see the project.
 */
export class ProjectVisibility {
  readonly #read: Read;
  readonly #owners = new Map<string, Owner>();
  /** The projects of which a 404 was checked in this process. */
  readonly #checked = new Map<string, Promise<void>>();

  constructor(read: Read) {
    this.#read = read;
  }

  /** The platform has just reported this project. */
  learn(project: Project): void {
    const owner = ownerOf(project);
    if (owner !== undefined) this.#owners.set(project.id, owner);
  }

  /** Whose a project is, asked once in a process. Undefined if the platform does not tell: nothing depends on it now. */
  async ownerOf(projectId: string): Promise<Owner | undefined> {
    const known = this.#owners.get(projectId);
    if (known !== undefined) return known;
    try {
      this.learn((await this.#read(projects.get(projectId))).project);
    } catch {
      // What needs the answer asks again.
    }
    return this.#owners.get(projectId);
  }

  /**
   * Makes sure that this account can see a project, or could if it were there: only then is something in it gone that is
   * not found.
   *
   * @param owner whose the project is, as the state says; undefined for a state that does not say it
   * @throws PlatformError that names both accounts
   */
  async assertVisible(projectId: string, owner: Owner | undefined): Promise<void> {
    const known = owner ?? this.#owners.get(projectId);
    const key = JSON.stringify([projectId, known]);
    const checked = this.#checked.get(key) ?? this.#check(projectId, known);
    this.#checked.set(key, checked);
    // Only what was found out is kept, not a request that failed.
    await checked.catch((error: unknown) => {
      this.#checked.delete(key);
      throw error;
    });
  }

  async #check(projectId: string, owner: Owner | undefined): Promise<void> {
    try {
      this.learn((await this.#read(projects.get(projectId))).project);
      return;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (owner === undefined ? await this.#isDeleted(projectId) : await this.#includes(owner)) return;
      throw await this.#invisible(projectId, owner, error);
    }
  }

  /** Whose the key is, for messages. */
  keyOwner(): Promise<string> {
    return this.#read(auth.get()).then(
      ({ account_id: id }) => `account ${id}`,
      () => "another account",
    );
  }

  /** Whether everything of this owner is visible to the key. */
  async #includes(owner: Owner): Promise<boolean> {
    if ("userId" in owner) return (await unlessDenied(this.#read(users.me())))?.id === owner.userId;
    return (await unlessDenied(this.#read(organizations.get(owner.orgId)))) !== undefined;
  }

  /** Whether the platform lists the project among those of this account that were deleted a short while ago. */
  async #isDeleted(projectId: string): Promise<boolean> {
    const answer = await unlessDenied(this.#read(organizations.list()));
    if (answer === undefined) return false;
    for (const orgId of [undefined, ...answer.organizations.map(({ id }) => id)]) {
      const page = await unlessDenied(this.#read(projects.list({ recoverable: true, search: projectId, orgId })));
      if (page === undefined) return false;
      if (page.projects.some(({ id }) => id === projectId)) return true;
    }
    return false;
  }

  async #invisible(projectId: string, owner: Owner | undefined, error: unknown): Promise<PlatformError> {
    const account = await this.keyOwner();
    const belongs = owner === undefined ? "its owner is not recorded in the state" : `it belongs to ${nameOf(owner)}`;
    return invalid(
      `Project ${projectId} was not found, but this API key may be unable to see it: the key belongs to ${account}, and ${belongs} (${summaryOf(error)})`,
      {
        cause: error,
        fix: `Use a key of the project's owner. If the project was deleted, remove the resource from the state with \`pulumi state delete\`.`,
      },
    );
  }
}

function nameOf(owner: Owner): string {
  return "orgId" in owner ? `organization ${owner.orgId}` : `user ${owner.userId}`;
}

/** What a key may be unable to read, because it belongs to another account or to one project. */
function unlessDenied<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return ignoreStatus(answer, 401, 403, 404);
}
