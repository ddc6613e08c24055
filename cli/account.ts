import { allProjects, allSharedProjects } from "../api/all-projects";
import { NeonClient } from "../api/client";
import { asSentence, hasStatus, invalid, isNotFound, summaryOf } from "../api/core/errors";
import { collect, pages } from "../api/http/pagination";
import { organizations } from "../api/schemas/organization";
import { type Project, projects } from "../api/schemas/project";
import { auth } from "../api/schemas/user";
import type { Reader } from "../provider/call/collection";
import { Lists } from "../provider/call/lists";
import type { Services } from "../provider/call/services";
import { ProjectVisibility } from "../provider/call/visibility";
import type { KindName } from "../provider/frozen-entry";
import { kinds } from "../provider/kinds";
import { Work } from "../provider/lifecycle/work";
import { dependenciesOf, noEngine } from "../provider/pulumi/dependencies";
import { providerProcess } from "../provider/pulumi/process";
import type { Settings } from "../provider/settings/client-settings";
import { attemptLine } from "../provider/settings/connect";
import type { Values } from "../provider/values";

/** Far above the default of 100, to read an account in few requests. */
const pageSize = 400;

/** Everything that a key sees. */
interface Everything {
  readonly organizations: readonly string[];
  readonly projects: readonly Project[];
  /** Projects that other accounts share with the user. */
  readonly shared: readonly Project[];
}

/** Reads the account of a command. It sends only read requests, and never reads a password. */
export class AccountReader implements Reader {
  readonly settings: Settings;
  readonly read: Reader["read"];
  readonly pages: Reader["pages"];
  readonly #client: NeonClient;
  readonly #services: Services;
  readonly #visibility: ProjectVisibility;
  #requests = 0;

  /**
   * @param log writes a line of the log that `NEON_LOG` enables
   * @throws NeonError if a setting is missing or wrong
   */
  constructor(process: NodeJS.Process, log: (line: string) => void) {
    const { services } = providerProcess(dependenciesOf(process), noEngine(), { log });
    const account = services.account();
    if ("problems" in account) {
      const list = account.problems.map(({ property, reason }) => `${property} ${reason}`).join("; ");
      throw invalid(asSentence(list), { fix: "Set NEON_API_KEY, and NEON_API_HOST for another service." });
    }
    this.settings = account.settings;
    const { apiKey, apiUrl, logRequests } = account.settings;
    this.#client = new NeonClient({
      apiKey,
      apiUrl,
      onAttempt: (attempt) => {
        this.#requests += 1;
        if (logRequests) log(attemptLine(attempt));
      },
    });
    this.read = (request) => this.#client.send(request);
    this.pages = (request) => pages(request, (page) => this.#client.send(page), { pageSize });
    this.#visibility = new ProjectVisibility(this.read);
    const own = {
      ...account,
      client: this.#client,
      visibility: this.#visibility,
      lists: new Lists(this.#client),
    };
    this.#services = { ...services, account: () => own };
  }

  /** The number of requests sent so far. */
  get requests(): number {
    return this.#requests;
  }

  get clock(): NeonClient["clock"] {
    return this.#client.clock;
  }

  /**
   * The outputs of an object, without secrets; undefined if it does not exist.
   *
   * @param known the address of the object, and its other known outputs
   */
  async outputs(name: KindName, known: Values): Promise<Values | undefined> {
    const kind = kinds[name];
    const call = { urn: "", declaredBefore: [], isRetained: false, replaced: {} };
    const work = new Work({ kind, services: this.#services }, call, "preview", { values: known });
    return kind.read(work, known);
  }

  /** @throws NeonError that names the key's account, if the key sees no such project */
  async project(projectId: string): Promise<Project> {
    try {
      return (await this.read(projects.get(projectId))).project;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw invalid(
        `Project ${projectId} was not found: it does not exist, or this API key, which belongs to ${await this.#owner()}, cannot see it (${summaryOf(error)})`,
        { cause: error, fix: "Use a key of the project's owner." },
      );
    }
  }

  /**
   * Everything that the key sees: its organizations, projects inside and outside of them, and shared projects.
   *
   * @throws NeonError that names the key's account, if it sees no project
   */
  async everything(): Promise<Everything> {
    const organizations = (await this.organizations()).map(({ id }) => id);
    const lists = await Promise.all([
      // Some keys must name an organization, and only users have shared projects.
      this.#unlessRefused(collect(allProjects(this.#client, {}, { pageSize })), organizations.length > 0),
      this.#unlessRefused(collect(allSharedProjects(this.#client, {})), true),
      ...organizations.map((orgId) => this.projects(orgId)),
    ]);
    const [own, shared, ...ofOrganizations] = lists;
    const all = new Map([...own, ...ofOrganizations.flat()].map((project) => [project.id, project]));
    if (all.size === 0) throw await this.#nothingSeen(undefined);
    return { organizations, projects: [...all.values()], shared: shared.filter(({ id }) => !all.has(id)) };
  }

  /**
   * The projects of an organization.
   *
   * @throws NeonError that says what the key sees, if it does not see the organization
   */
  async projects(orgId: string): Promise<readonly Project[]> {
    return collect(allProjects(this.#client, { orgId }, { pageSize })).catch(async (error: unknown) => {
      // A foreign organization returns one of these statuses.
      if (!hasStatus(error, 400, 403, 404)) throw error;
      throw await this.#nothingSeen(orgId, error);
    });
  }

  /**
   * The id of the API key in use, if the platform reports it, and the id of the user or organization that owns the key.
   */
  async identity(): Promise<{ readonly keyId: string | undefined; readonly accountId: string }> {
    const { auth_data: keyId, account_id: accountId } = await this.read(auth.get());
    return { keyId, accountId };
  }

  async #unlessRefused(list: Promise<Project[]>, canBeRefused: boolean): Promise<readonly Project[]> {
    return list.catch((error: unknown) => {
      if (canBeRefused && hasStatus(error, 400, 403, 404)) return [];
      throw error;
    });
  }

  async #nothingSeen(orgId: string | undefined, cause?: unknown): Promise<Error> {
    const own = orgId === undefined ? [] : await this.organizations();
    const others = own.filter(({ id }) => id !== orgId).map(({ id, name }) => `${id} (${name})`);
    const where = orgId === undefined ? "" : ` in organization ${orgId}`;
    const why = cause === undefined ? "" : ` (${summaryOf(cause)})`;
    return invalid(`This API key, which belongs to ${await this.#owner()}, sees no project${where}${why}`, {
      cause,
      fix:
        others.length === 0
          ? "Use a key of the account that has the projects, or name the project with --project."
          : `Name one of its organizations with --organization: ${others.join(", ")}.`,
    });
  }

  /** The organizations of the key's user. Empty if the key belongs to an organization. */
  async organizations(): Promise<readonly { readonly id: string; readonly name: string }[]> {
    try {
      return (await this.read(organizations.list())).organizations;
    } catch (error) {
      if (!hasStatus(error, 400, 403, 404)) throw error;
      return [];
    }
  }

  async #owner(): Promise<string> {
    return (await this.#visibility.keyOwner()) ?? "another account";
  }
}
