import { HttpError, isNotFound, messageOf, NeonError, summaryOf } from "../api/core/errors";
import type { Project } from "../api/schemas/project";
import type { KindName } from "../provider/frozen-entry";
import { kinds } from "../provider/kinds";
import { importable } from "../provider/lifecycle/import";
import type { Listed, Listing, Scope } from "../provider/kind/listing";
import type { Values } from "../provider/values";
import type { AccountReader } from "./account";
import type { ImportOptions } from "./arguments";
import { inParallel } from "./in-parallel";
import { ruleOf } from "./rules";

/** An object that is imported. */
export interface Found {
  readonly kind: KindName;
  /** The id of the object in a Pulumi state. */
  readonly id: string;
  readonly outputs: Values;
  /** The inputs that an import declares. */
  readonly inputs: Values;
}

/** An object to read, with its known outputs. */
export interface Target {
  readonly kind: KindName;
  readonly known: Values;
}

/** Objects of one kind that are left out for one reason. */
export interface LeftOut {
  /** The name of the kind, or the type of a resource of another tool. */
  readonly kind: string;
  readonly reason: string;
  readonly ids: readonly string[];
}

/** The result of a scan. */
export interface Findings {
  readonly found: readonly Found[];
  readonly leftOut: readonly LeftOut[];
}

/** Number of parallel reads: enough to use the whole rate limit, with few open connections. */
const lanes = 16;

/** How much later than its branch a copied object may be created, in milliseconds: some timestamps are rounded. */
const copyTime = 10_000;

const copied = "a new branch has a copy of what its parent has";

/** Statuses of reads that the platform refuses, for example because the account lacks a feature or role. */
const refusals: readonly number[] = [400, 402, 403, 404, 405, 409, 412, 422, 501];

/** A branch that is read. */
interface BranchToRead {
  readonly scope: Required<Pick<Scope, "projectId" | "branchId">>;
  readonly listed: Listed;
}

/** Finds the objects of an account. */
export class Scan {
  readonly #reader: AccountReader;
  readonly #options: ImportOptions;
  readonly #show: (text: string) => void;
  readonly #leftOut = new Map<string, { readonly kind: KindName; readonly reason: string; readonly ids: string[] }>();
  /** The patterns of `--branches` that a branch matches. */
  readonly #matched = new Set<string>();
  /** Lists of objects on branches. Those on a parent show which objects of its children are copies. */
  readonly #lists = new Map<string, Promise<readonly Listed[]>>();

  /** @param show shows the progress */
  constructor(reader: AccountReader, options: ImportOptions, show: (text: string) => void) {
    this.#reader = reader;
    this.#options = options;
    this.#show = show;
  }

  /** Reads the objects that the options select. */
  async account(): Promise<Findings> {
    const { projects: named, organizations: chosen } = this.#options;
    const isAll = named.length === 0 && chosen.length === 0;
    const { organizations, projects, shared } = isAll
      ? await this.#reader.everything()
      : { organizations: chosen, projects: await this.#projects(named, chosen), shared: [] };
    for (const { id } of shared) {
      this.#leave({ kind: "Project", id }, "another account shares them; `--project <id>` reads them");
    }
    const ids = new Set(projects.map(({ id }) => id));
    const targets: Target[] = this.#wants("Project")
      ? projects.map(({ id: projectId }) => ({ kind: "Project", known: { projectId } }))
      : [];
    if (isAll) targets.push(...(await this.#listed("user", {})));
    // The lists of an organization's key do not contain the organization itself.
    const whole = new Set(isAll ? [...organizations, ...organizationsOf(projects)] : organizations);
    for (const orgId of whole) targets.push(...(await this.#listed("organization", { orgId })));
    for (const orgId of organizationsOf(projects)) {
      if (!whole.has(orgId)) targets.push(...(await this.#keysOf(orgId)));
    }
    const isOther = ({ kind, known }: Target): boolean =>
      kind === "ProjectApiKey" && !ids.has(String(known["projectId"]));
    const selected = new Set<string>();
    const inProjects = await inParallel(projects, 4, (project) => this.#project(project, selected));
    for (const pattern of this.#options.branches ?? []) {
      if (!this.#matched.has(pattern)) this.#leave({ kind: "Branch", id: pattern }, "no name matches the pattern");
    }
    const found = await this.read([...targets.filter((one) => !isOther(one)), ...inProjects.flat()]);
    // Objects of a branch that is not selected are not selected either.
    const isSelected = ({ outputs }: Found): boolean =>
      this.#options.branches === undefined ||
      outputs["branchId"] === undefined ||
      selected.has(idOf("Branch", outputs));
    return { ...found, found: found.found.filter(isSelected) };
  }

  /** The named projects, and the projects of the organizations. */
  async #projects(named: readonly string[], organizations: readonly string[]): Promise<readonly Project[]> {
    const lists = await Promise.all([
      inParallel(named, lanes, (id) => this.#reader.project(id)),
      ...organizations.map((orgId) => this.#reader.projects(orgId)),
    ]);
    return [...new Map(lists.flat().map((project) => [project.id, project])).values()];
  }

  /** Reads objects. */
  async read(asked: readonly Target[]): Promise<Findings> {
    const [keys, members] = [asked.some(isKey), asked.some(({ kind }) => kind === "OrganizationMember")];
    const identity = keys || members ? await this.#reader.identity() : undefined;
    const targets = this.#withoutKeyInUse(asked, identity?.keyId);
    let done = 0;
    const read = await inParallel(targets, lanes, async (target) => {
      const found = await this.#object(target);
      done += 1;
      this.#show(`${done} of ${targets.length} objects read`);
      return found;
    });
    const isOwn = (one: Found): boolean => identity !== undefined && one.outputs["userId"] === identity.accountId;
    const objects = read.filter((one) => one !== undefined);
    for (const one of objects.filter(isOwn))
      this.#leave(one, "it is the key's own user, who would lose access by a delete");
    const found = objects.filter((one) => !isOwn(one));
    const branches = new Set(found.filter(({ kind }) => kind === "Branch").map(({ id }) => id));
    const isPart = ({ kind, outputs: { projectId, branchId, type } }: Found): boolean =>
      kind === "Endpoint" && type === "read_write" && branches.has(kinds.Branch.id({ projectId, branchId }));
    for (const part of found.filter(isPart)) this.#leave(part, "they are the `compute` of their branches");
    return { found: found.filter((one) => !isPart(one)), leftOut: [...this.#leftOut.values()] };
  }

  /** The objects in a project, without the project itself. Adds the selected branches to `selected`. */
  async #project({ id: projectId, name }: Project, selected: Set<string>): Promise<readonly Target[]> {
    const [inProject, listed, computes] = await Promise.all([
      this.#listed("project", { projectId }, ["Branch"]),
      this.#list("Branch", { projectId }),
      this.#wants("Branch") ? this.#list("Endpoint", { projectId }) : [],
    ]);
    const { branches: patterns } = this.#options;
    const asked = listed.filter(({ branch: { name: branchName = "" } = {} }) => {
      const matching = patterns?.filter((pattern) => matches(branchName, pattern));
      for (const pattern of matching ?? []) this.#matched.add(pattern);
      return matching === undefined || matching.length > 0;
    });
    const branches: BranchToRead[] = [];
    for (const one of asked) {
      const scope = { projectId, branchId: String(one.address["branchId"]) };
      selected.add(idOf("Branch", scope));
      if (one.leftOut === undefined) branches.push({ scope, listed: one });
      else if (this.#wants("Branch")) this.#leave({ kind: "Branch", id: idOf("Branch", scope) }, one.leftOut);
    }
    // If its compute is known, reading a branch takes no requests for its roles and databases.
    const connections = new Map(computes.map(({ compute }) => [compute?.branchId, compute]));
    const own: Target[] = this.#wants("Branch")
      ? branches.map(({ scope }) => ({ kind: "Branch", known: { ...connections.get(scope.branchId), ...scope } }))
      : [];
    let done = 0;
    const onBranches = await inParallel(branches, lanes, async (branch) => {
      const targets = await this.#branch(branch);
      done += 1;
      this.#show(`project ${name}: ${done} of ${branches.length} branches`);
      return targets;
    });
    return [...inProject, ...own, ...onBranches.flat()];
  }

  /** The objects on a branch, without those that are copies. */
  async #branch({ scope, listed }: BranchToRead): Promise<readonly Target[]> {
    const targets: Target[] = [];
    for (const [kind, { of, isCopied }] of this.#kindsOf("branch", "root branch", "Neon Auth")) {
      if (of === "root branch" && listed.branch?.parentId !== undefined) continue;
      if (of === "Neon Auth" && (await this.#onBranch("NeonAuth", scope)).length === 0) continue;
      const onBranch = await this.#onBranch(kind, scope);
      const copies = isCopied === true ? await this.#copies(kind, scope, listed, onBranch) : [];
      targets.push(...this.#targets(kind, scope, onBranch, copies));
    }
    if (this.#wants("DataApi")) {
      const databases = await this.#onBranch("Database", scope);
      targets.push(
        ...databases.map(({ address: { name } }) => ({
          kind: "DataApi" as const,
          known: { ...scope, databaseName: name },
        })),
      );
    }
    return [...targets, ...(await this.#objects({ scope, listed }))];
  }

  /**
   * The objects in the buckets of a branch, except in copied buckets. Read only with `--types`, because they are
   * application data and may be many.
   */
  async #objects({ scope, listed }: BranchToRead): Promise<readonly Target[]> {
    if (!this.#wants("BucketObject")) return [];
    const all = await this.#onBranch("Bucket", scope);
    const copies = await this.#copies("Bucket", scope, listed, all);
    const targets: Target[] = [];
    for (const { address } of all.filter((one) => !copies.includes(one))) {
      const bucket = { ...scope, bucketName: String(address["name"]) };
      if (this.#options.types === undefined) {
        const id = idOf("Bucket", { ...scope, ...address });
        this.#leave(
          { kind: "BucketObject", id },
          "the objects of a bucket are data; `--types BucketObject` reads them",
        );
      } else {
        targets.push(...this.#targets("BucketObject", bucket, await this.#list("BucketObject", bucket)));
      }
    }
    return targets;
  }

  /** The listed objects that the branch has copied from its parent. */
  async #copies(
    kind: KindName,
    { projectId }: BranchToRead["scope"],
    { branch }: Listed,
    onBranch: readonly Listed[],
  ): Promise<readonly Listed[]> {
    if (branch?.parentId === undefined || onBranch.length === 0) return [];
    const until = Date.parse(branch.copiedAt) + copyTime;
    const old = onBranch.filter(({ createdAt }) => createdAt === undefined || Date.parse(createdAt) <= until);
    if (old.length === 0) return [];
    const scope = { projectId, branchId: branch.parentId };
    const ofParent = new Set(
      (await this.#onBranch(kind, scope)).map(({ address }) => idOf(kind, { ...scope, ...address })),
    );
    return old.filter(({ address }) => ofParent.has(idOf(kind, { ...scope, ...address })));
  }

  /** The objects of a kind on a branch. */
  #onBranch(kind: KindName, scope: BranchToRead["scope"]): Promise<readonly Listed[]> {
    const key = [kind, scope.projectId, scope.branchId].join("/");
    const known = this.#lists.get(key) ?? this.#list(kind, scope);
    this.#lists.set(key, known);
    return known;
  }

  /** The objects that belong directly to a parent. */
  async #listed(of: Listing["of"], scope: Scope, except: readonly KindName[] = []): Promise<readonly Target[]> {
    const wanted = this.#kindsOf(of).filter(([kind]) => !except.includes(kind));
    const lists = await Promise.all(
      wanted.map(async ([kind]) => this.#targets(kind, scope, await this.#list(kind, scope))),
    );
    return lists.flat();
  }

  async #keysOf(orgId: string): Promise<readonly Target[]> {
    if (!this.#wants("ProjectApiKey")) return [];
    return this.#targets("ProjectApiKey", { orgId }, await this.#list("ProjectApiKey", { orgId }));
  }

  #kindsOf(...of: readonly Listing["of"][]): readonly (readonly [KindName, Listing])[] {
    return (Object.keys(kinds) as KindName[]).flatMap((kind) => {
      const { listing } = kinds[kind];
      return listing !== undefined && of.includes(listing.of) && this.#wants(kind) ? [[kind, listing] as const] : [];
    });
  }

  #targets(kind: KindName, scope: Scope, listed: readonly Listed[], copies: readonly Listed[] = []): readonly Target[] {
    const targets: Target[] = [];
    for (const one of listed) {
      const known = { ...scope, ...one.address };
      const reason = copies.includes(one) ? copied : one.leftOut;
      if (reason === undefined) targets.push({ kind, known });
      else this.#leave({ kind, id: idOf(kind, known) }, reason);
    }
    return targets;
  }

  async #list(kind: KindName, scope: Scope): Promise<readonly Listed[]> {
    const { list } = kinds[kind].listing ?? {};
    if (list === undefined) return [{ address: {} }];
    try {
      return await list(this.#reader, scope as Required<Scope>);
    } catch (error) {
      this.#leave({ kind, id: Object.values(scope).join("/") }, refusalOf(error));
      return [];
    }
  }

  async #object({ kind: name, known }: Target): Promise<Found | undefined> {
    const kind = kinds[name];
    let outputs: Values | undefined;
    try {
      outputs = await this.#reader.outputs(name, known);
    } catch (error) {
      this.#leave({ kind: name, id: idOf(name, known) }, isNotFound(error) ? gone : refusalOf(error));
      return undefined;
    }
    if (outputs === undefined) {
      // Without a list, it was not known that the object exists, so its absence is not reported.
      if (kind.listing?.list !== undefined || name === "Project") {
        this.#leave({ kind: name, id: idOf(name, known) }, gone);
      }
      return undefined;
    }
    const inputs = importable(kind, outputs);
    const problem = kind.inputs().safeParse(inputs).error?.issues[0];
    if (problem !== undefined) {
      const where = problem.path.join(".");
      this.#leave({ kind: name, id: kind.id(outputs) }, `no program can declare them: ${where} ${problem.message}`);
      return undefined;
    }
    const { unsettled } = ruleOf(name);
    const missing = unsettled?.(outputs);
    if (missing !== undefined) this.#leave({ kind: name, id: kind.id(outputs) }, missing);
    return { kind: name, id: kind.id(outputs), outputs, inputs };
  }

  /** Leaves out the key in use: a program that manages the key it runs with can revoke its own access. */
  #withoutKeyInUse(targets: readonly Target[], keyId: string | undefined): readonly Target[] {
    const isInUse = (one: Target): boolean => isKey(one) && String(one.known["keyId"]) === keyId;
    for (const { kind, known } of targets.filter(isInUse))
      this.#leave({ kind, id: idOf(kind, known) }, "it is the key in use");
    return targets.filter((one) => !isInUse(one));
  }

  #wants(kind: KindName): boolean {
    return this.#options.types?.includes(kind) ?? true;
  }

  #leave({ kind, id }: { readonly kind: KindName; readonly id: string }, reason: string): void {
    const key = `${kind} ${reason}`;
    const group = this.#leftOut.get(key) ?? { kind, reason, ids: [] };
    this.#leftOut.set(key, group);
    group.ids.push(id);
  }
}

const gone = "they do not exist, or were deleted while the account was read";

/** The reason why objects could not be read. Any error that is not a refusal ends the scan. */
function refusalOf(error: unknown): string {
  if (error instanceof TypeError) return `no request can address them: ${messageOf(error)}`;
  const isRefusal = HttpError.isInstance(error)
    ? refusals.includes(error.status)
    : NeonError.isInstance(error) && ["invalid", "unknown-route"].includes(error.kind);
  if (!isRefusal) throw error;
  return `they could not be read: ${HttpError.isInstance(error) ? `HTTP ${error.status}, ${error.reason}` : summaryOf(error)}`;
}

function isKey({ kind }: Target): boolean {
  return kinds[kind].addressNames.includes("keyId");
}

function idOf(kind: KindName, known: Values): string {
  return kinds[kind].id(known);
}

function organizationsOf(projects: readonly Project[]): readonly string[] {
  return [...new Set(projects.flatMap(({ org_id: orgId }) => (orgId === undefined ? [] : [orgId])))];
}

/** Whether a name matches a pattern, in which `*` is any text. */
function matches(name: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`, "su").test(name);
}
