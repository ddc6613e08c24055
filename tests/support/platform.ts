import type {
  AnnotationData,
  AvailablePreloadLibrary,
  BackupScheduleItem,
  Branch,
  Bucket,
  ConnectionDetails,
  CredentialMeta,
  Database,
  Endpoint,
  GeneralError,
  Invitation,
  MemberWithUser,
  Operation,
  Organization,
  Project,
  ProjectListItem,
  RegionResponse,
  Role,
  Snapshot,
} from "@neondatabase/api-client";
import type { CustomDomain, NeonFunction, NeonFunctionDeployment, Trigger } from "@neon/sdk";
import assert from "node:assert/strict";
import { isEnded } from "../../api/operations/status";
import { basePath } from "../../platform/http/api";
import { type LoggedRequest, type Platform, type PlatformOptions, startPlatform } from "../../platform/index";
import { assertConforms, isPublished, requestDifferencesFrom } from "./openapi";
import { hasPostgresByDefault, testPostgres } from "./postgres-files";
import { send } from "./send";
import { suite } from "./suite";
import { until } from "./until";

/** A response of the platform. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Its members depend on the request. Every response is checked against the published document. */
  readonly body: AnswerBody;
}

/** Every member of any response, with its published type. */
export type AnswerBody = GeneralError & {
  readonly project: Project;
  readonly projects: ProjectListItem[];
  readonly branch: Branch;
  readonly branches: Branch[];
  readonly annotation: AnnotationData;
  readonly annotations: Record<string, AnnotationData | undefined>;
  readonly count: number;
  readonly endpoint: Endpoint;
  readonly endpoints: Endpoint[];
  readonly role: Role;
  readonly roles: Role[];
  readonly database: Database;
  readonly databases: Database[];
  readonly bucket: Bucket;
  readonly buckets: Bucket[];
  readonly function: NeonFunction;
  readonly functions: NeonFunction[];
  readonly deployment: NeonFunctionDeployment;
  readonly trigger: Trigger;
  readonly triggers: Trigger[];
  readonly custom_domains: CustomDomain[];
  readonly credentials: CredentialMeta[];
  readonly token_id: string;
  readonly api_token: string;
  readonly s3_secret_access_key: string;
  readonly logs: LogLine[];
  readonly snapshot: Snapshot;
  readonly snapshots: Snapshot[];
  readonly schedule: BackupScheduleItem[];
  readonly operation: Operation;
  readonly operations: Operation[];
  readonly connection_uris: ConnectionDetails[];
  readonly uri: string;
  readonly password: string;
  readonly libraries: AvailablePreloadLibrary[];
  readonly sql: string;
  readonly json: { readonly tables: unknown[] };
  readonly diff: string;
  readonly reason: string;
  readonly url: string;
  readonly method: string;
  readonly s3_endpoint: string;
  readonly organizations: Organization[];
  readonly members: MemberWithUser[];
  readonly invitations: Invitation[];
  readonly regions: RegionResponse[];
  readonly pagination: { readonly cursor: string; readonly next: string } | undefined;
};

/** A line of the logs of a branch. */
interface LogLine {
  readonly message: string;
  readonly scope_name: string;
  readonly severity_text: string;
  readonly severity_number: number;
}

/** A response of a local route. */
interface LocalAnswer<Shape> {
  readonly status: number;
  readonly body: Shape;
}

/** Options of a request. */
interface CallOptions {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Skips the comparison with the published document, which takes longer than the request. */
  readonly unchecked?: boolean;
}

/** A platform in another process. */
export type PlatformAddress = Pick<Platform, "apiUrl" | "consoleUrl" | "apiKey" | "postgres" | "caFile" | "close">;

/** A local platform for tests, reached over a real socket. */
export class TestPlatform {
  readonly platform: Platform | PlatformAddress;
  /** The expected differences between requests of this package and the published document, which a test causes. */
  readonly causedDifferences: RegExp[] = [];
  #isScripted = false;
  #latest = 0;
  /** The differences between requests of this package and the published document. */
  readonly #differences = new Set<string>();

  constructor(platform: Platform | PlatformAddress) {
    this.platform = platform;
  }

  get apiUrl(): string {
    return this.platform.apiUrl;
  }

  get apiKey(): string {
    return this.platform.apiKey;
  }

  /** Sends a request. The published document must allow the response, unless a fault answers the request. */
  async call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const { key = this.platform.apiKey, headers = {}, unchecked = this.#isScripted } = options;
    const response = await send(`${this.platform.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    const answered: unknown = response.text === "" ? undefined : parsed(response.text);
    if (!unchecked && isPublished(method, path)) {
      assertConforms(method, path, response.status, answered);
      // Only the cursor of operations has microseconds.
      assert.doesNotMatch(response.text.replace(/"cursor":"[^"]*"/, ""), /T[\d:]{8}\.\d{6}Z/, `${method} ${path}`);
    }
    return { status: response.status, headers: response.headers, body: answered as AnswerBody };
  }

  /** Waits until no operation of a project is in progress, and returns all of them, newest first. */
  async settled(projectId: string): Promise<Operation[]> {
    let operations: Operation[] = [];
    await until(async () => {
      ({ operations } = (await this.call("GET", `/projects/${projectId}/operations`)).body);
      return operations.every(({ status }) => isEnded(status));
    });
    return operations;
  }

  /** Creates a project, and waits until it is ready. */
  async project(asked: object = {}): Promise<AnswerBody> {
    const { status, body } = await this.call("POST", "/projects", { project: asked });
    assert.equal(status, 201, body.message);
    await this.settled(body.project.id);
    return body;
  }

  /** Adds a fault. */
  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    if ("status" in fault) this.#isScripted = true;
    const { status, text } = await this.#local("POST", "/local/faults", fault);
    assert.equal(status, 201, text);
  }

  /** Deletes all faults, and resumes the operations that they hold. */
  async clearFaults(): Promise<void> {
    await this.#local("DELETE", "/local/faults");
    this.#isScripted = false;
  }

  /** The requests after the one with this number, oldest first. Default: all. */
  async requests(after = 0): Promise<LoggedRequest[]> {
    // Reading thousands of requests in memory is faster than sending them as JSON.
    if ("requests" in this.platform) return [...this.platform.requests(after)];
    const { text } = await this.#local("GET", "/local/requests");
    return (JSON.parse(text) as LoggedRequest[]).filter(({ number }) => number > after);
  }

  /** The number of the latest request. */
  async latestRequest(): Promise<number> {
    this.#latest = (await this.requests(this.#latest)).at(-1)?.number ?? this.#latest;
    return this.#latest;
  }

  async clearRequests(): Promise<void> {
    await this.#checkRequests();
    await this.#local("DELETE", "/local/requests");
  }

  /** Sends a request to a local route. */
  async local<Shape = unknown>(method: string, path: string, body?: unknown): Promise<LocalAnswer<Shape>> {
    const { status, text } = await this.#local(method, `/local${path}`, body);
    return { status, body: JSON.parse(text) as Shape };
  }

  /** The organization that the user of {@link apiKey} administers from the start. */
  async firstOrganization(): Promise<string> {
    const [first] = (await this.call("GET", "/users/me/organizations")).body.organizations;
    assert.ok(first);
    return first.id;
  }

  /** Creates an organization. Default of the administrator: the user of {@link apiKey}. */
  async organization(asked: object = {}): Promise<string> {
    const { status, body } = await this.local<GeneralError & { id: string }>("POST", "/organizations", {
      name: "Another organization",
      ...asked,
    });
    assert.equal(status, 201, body.message);
    return body.id;
  }

  /** Adds the user of an address to an organization, or changes the role of a member. */
  async member(organizationId: string, email: string, role: "admin" | "member" = "member"): Promise<void> {
    const path = `/organizations/${organizationId}/members`;
    const { status, body } = await this.local<GeneralError>("POST", path, { email, role });
    assert.equal(status, 200, body.message);
  }

  /** Removes a member from an organization. */
  async leave(organizationId: string, email: string): Promise<void> {
    const { status, body } = await this.local<GeneralError>("DELETE", `/organizations/${organizationId}/members`, {
      email,
    });
    assert.equal(status, 200, body.message);
  }

  /** Creates a personal key for the user of an address, who gets an account if there is none. */
  async signIn(email: string): Promise<string> {
    const { status, body } = await this.local<GeneralError & { apiKey: string }>("POST", "/sign-in", { email });
    assert.equal(status, 201, body.message);
    return body.apiKey;
  }

  /** Closes the platform. Fails if this package has sent a request that the published document does not allow. */
  async close(): Promise<void> {
    try {
      await this.#checkRequests();
    } finally {
      await this.platform.close();
    }
    const differences = [...this.#differences].filter(
      (one) => !this.causedDifferences.some((caused) => caused.test(one)),
    );
    assert.deepEqual(differences, [], "requests that the published document does not have");
  }

  async #checkRequests(): Promise<void> {
    for (const { method, path, body, userAgent } of await this.requests()) {
      // Uploads have no published document.
      if (!userAgent.startsWith("neon-pulumi") || !path.startsWith(basePath)) continue;
      const url = path.replace(basePath, "").replace("[secret]", "secret");
      for (const difference of requestDifferencesFrom(method, url, body)) this.#differences.add(difference);
    }
  }

  async #local(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    return await send(`${this.platform.consoleUrl}${path}`, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }
}

/** Starts a platform whose operations end at once by default. The caller closes it. */
export async function startTestPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  return new TestPlatform(
    await startPlatform({ operationTime: "10ms", postgres: hasPostgresByDefault && testPostgres(), ...options }),
  );
}

/** A platform for the calling suite: started before its tests, closed after them. */
export function suitePlatform(options: PlatformOptions = {}): () => TestPlatform {
  return suite(
    () => startTestPlatform(options),
    (platform) => platform.close(),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
