import { z } from "zod";

import type { NeonClient } from "../../api/client";
import { ignoreStatus, invalid, isNotFound, type NeonError, summaryOf } from "../../api/core/errors";
import { organizations } from "../../api/schemas/organization";
import { type Project, projects } from "../../api/schemas/project";
import { auth } from "../../api/schemas/user";

/** The owner of a project, as the state keeps it. */
export const ownerSchema = z.union([z.object({ orgId: z.string() }), z.object({ userId: z.string() })]);
export type Owner = Readonly<z.infer<typeof ownerSchema>>;

/** The owner that the platform reports for a project. */
function ownerOf({ org_id: orgId, owner_id: userId }: Project): Owner | undefined {
  if (orgId !== undefined) return { orgId };
  return userId === undefined ? undefined : { userId };
}

type Read = NeonClient["send"];

/** A check of whether the key can see a project. */
interface Check {
  /**
   * Whether the check has begun. If so, it proves nothing about a later 404, because the key may have lost its access
   * in between.
   */
  hasBegun: boolean;
  readonly result: Promise<Seen>;
}

/** The state of a project that was not found, as a key sees it. */
type Seen = "exists" | "deleted";

/**
 * Knows the owners of projects, and whether this account can see a project at all.
 *
 * The platform answers 404 both for objects that do not exist and for those that a key cannot see. A key can lose sight
 * of a project when its owner transfers it. A 404 is therefore trusted only if the key can see the project, or sees it
 * among the deleted ones.
 */
export class ProjectVisibility {
  readonly #read: Read;
  /** The owners of the projects that the platform has reported in this process. */
  readonly #owners = new Map<string, Owner>();
  /** The projects that this process has seen among the deleted ones. */
  readonly #deleted = new Set<string>();
  /** The latest check of each project. */
  readonly #checks = new Map<string, Check>();

  constructor(read: Read) {
    this.#read = read;
  }

  /** Records the owner of a project that the platform has just reported. */
  learn(project: Project): void {
    const owner = ownerOf(project);
    if (owner !== undefined) this.#owners.set(project.id, owner);
  }

  /**
   * The owner of a project: as the platform last reported it in this process, or as the state says. If neither is
   * known, the platform is asked once. Undefined if it does not answer, because nothing depends on the owner yet.
   */
  async ownerOf(projectId: string, recorded: Owner | undefined): Promise<Owner | undefined> {
    const known = this.#owners.get(projectId) ?? recorded;
    if (known !== undefined) return known;
    try {
      this.learn((await this.#read(projects.get(projectId))).project);
    } catch {
      // A call that needs the owner asks again.
    }
    return this.#owners.get(projectId);
  }

  /**
   * Makes sure that this account can see a project, or that the project is deleted. Only then is an object of the
   * project gone that was not found.
   *
   * @param recorded the owner in the state; undefined if the state has none
   * @throws NeonError that names both accounts
   */
  async assertVisible(projectId: string, recorded: Owner | undefined): Promise<void> {
    await this.#see(projectId, recorded);
  }

  /**
   * Makes sure that a project that was not found is deleted.
   *
   * @param recorded as for {@link assertVisible}
   * @throws NeonError also if the project is found now: it may have been recovered, or the 404 was wrong
   */
  async assertDeleted(projectId: string, recorded: Owner | undefined): Promise<void> {
    if ((await this.#see(projectId, recorded)) === "deleted") return;
    throw invalid(`Project ${projectId} was not found at first, but exists`, { retry: "Run the same command again." });
  }

  #see(projectId: string, recorded: Owner | undefined): Promise<Seen> {
    const owner = this.#owners.get(projectId) ?? recorded;
    return this.#nextCheck(JSON.stringify([projectId, owner]), () => this.#check(projectId, owner));
  }

  /** The result of the next check, which begins when the present one has ended. Callers share it until it begins. */
  #nextCheck(key: string, check: () => Promise<Seen>): Promise<Seen> {
    const last = this.#checks.get(key);
    if (last?.hasBegun === false) return last.result;
    const next: Check = {
      hasBegun: false,
      result: ignoreFailure(last?.result).then(() => {
        next.hasBegun = true;
        return check();
      }),
    };
    this.#checks.set(key, next);
    return next.result;
  }

  async #check(projectId: string, owner: Owner | undefined): Promise<Seen> {
    if (this.#deleted.has(projectId)) return "deleted";
    try {
      this.learn((await this.#read(projects.get(projectId))).project);
      return "exists";
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (!(await this.#isDeleted(projectId, owner))) throw await this.#invisible(projectId, owner, error);
      this.#deleted.add(projectId);
      return "deleted";
    }
  }

  /** The owner of the key, for messages. Undefined if the platform does not tell. */
  keyOwner(): Promise<string | undefined> {
    return this.#read(auth.get()).then(
      ({ account_id: id }) => `account ${id}`,
      () => undefined,
    );
  }

  /**
   * Whether the platform lists the project among the recently deleted ones: those of the owner, or of any account that
   * the key can see, because the project may have been transferred before.
   */
  async #isDeleted(projectId: string, owner: Owner | undefined): Promise<boolean> {
    const orgId = owner !== undefined && "orgId" in owner ? owner.orgId : undefined;
    if (await this.#isDeletedIn(orgId, projectId)) return true;
    const visible = await unlessDenied(this.#read(organizations.list()));
    for (const other of [undefined, ...(visible?.organizations ?? []).map(({ id }) => id)]) {
      if (other !== orgId && (await this.#isDeletedIn(other, projectId))) return true;
    }
    return false;
  }

  /** @param orgId undefined for the account that is meant if a request names no organization */
  async #isDeletedIn(orgId: string | undefined, projectId: string): Promise<boolean> {
    const request = projects.list({ recoverable: true, search: projectId, orgId });
    const page = await unlessDenied(this.#read(request));
    return page?.projects.some(({ id }) => id === projectId) ?? false;
  }

  async #invisible(projectId: string, owner: Owner | undefined, error: unknown): Promise<NeonError> {
    const account = (await this.keyOwner()) ?? "another account";
    const belongs =
      owner === undefined ? "its owner is not recorded in the state" : `it last belonged to ${nameOf(owner)}`;
    return invalid(
      `Project ${projectId} was not found, but this API key may be unable to see it: the key belongs to ${account}, and ${belongs} (${summaryOf(error)})`,
      {
        cause: error,
        fix: "Use a key of the project's owner: it may have been transferred. If it was deleted (only a key of its owner can tell, for 7 days), remove the resource from the state with `pulumi state delete`.",
      },
    );
  }
}

async function ignoreFailure(result: Promise<unknown> | undefined): Promise<void> {
  await result?.catch(() => undefined);
}

function nameOf(owner: Owner): string {
  return "orgId" in owner ? `organization ${owner.orgId}` : `user ${owner.userId}`;
}

/**
 * Undefined if the key is not allowed to read the answer, because it belongs to another account or to one project, or
 * if the request has to name an organization (400).
 */
function unlessDenied<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return ignoreStatus(answer, 400, 401, 403, 404);
}
