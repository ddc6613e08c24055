/** The files that assert rows of part 1 of docs/specification.md. */
export const files = {
  apiKey: "platform/tests/api-key.test.ts",
  authorization: "platform/tests/authorization.test.ts",
  background: "platform/tests/background-jobs.test.ts",
  backoff: "tests/api/backoff.test.ts",
  branch: "platform/tests/branch.test.ts",
  client: "tests/api/client.test.ts",
  commandLine: "platform/tests/command-line.test.ts",
  console: "platform/tests/console.test.ts",
  contract: "tests/contract/contract.test.ts",
  endpoint: "platform/tests/endpoint.test.ts",
  http: "platform/tests/http.test.ts",
  openapi: "platform/tests/openapi-check.test.ts",
  operation: "platform/tests/operation.test.ts",
  organization: "platform/tests/organization.test.ts",
  pagination: "tests/api/pagination.test.ts",
  project: "platform/tests/project.test.ts",
  rateLimit: "platform/tests/rate-limit.test.ts",
  retry: "tests/api/retry.test.ts",
  roles: "platform/tests/roles-and-databases.test.ts",
  status: "tests/api/status.test.ts",
  transfer: "platform/tests/transfer.test.ts",
  unspecified: "tests/specification/unspecified.test.ts",
  waiter: "tests/api/waiter.test.ts",
} as const;

/** Titles of tests or suites, by file, as the file writes them. */
type Titles = Partial<Readonly<Record<keyof typeof files, string | readonly string[]>>>;

/** The same tests for several rows. */
const each = (prefix: string, names: readonly string[], titles: Titles): Record<string, Titles> =>
  Object.fromEntries(names.map((name) => [prefix + name, titles]));

const revoked = "a revoked key gets 401 from the next request on";
const anyAction = "an operation may have any action, and no branch";
const failedStatus = "fails with status ${status}, and reports the operation, its failures and the platform message";

/** The tests of each row of part 1. */
export const rules: Readonly<Record<string, Titles>> = {
  "1.1.1": {
    contract: [
      "is returned once, and is valid until it is revoked",
      "is read and found in the list",
      "are read one by one, with a terminal status",
    ],
  },
  "1.1.2": { http: "every response is JSON, also an error" },
  "1.1.3": {
    client: "sends the API key, the accepted type, the user agent and a unique request id",
    authorization: "every route returns 401 without a key and with a revoked key",
  },
  "1.1.4": {
    branch: "creates the requested compute and returns the connection URI",
    background: "suspends a compute that is inactive for its timeout, by default 5 minutes",
  },
  "1.1.5": {
    operation: "a request during operations gets 423 and changes nothing",
    contract: "is created for its owner",
  },
  "1.1.6": { apiKey: "the first key is created by the start of the platform, without an expiry" },
  "1.1.7": {
    client: ["accepts a base URL with ${end.length} trailing slashes", "rejects a base URL with ${what}"],
    commandLine: "prints its URLs and a key as one line of JSON and exits with 0 on SIGTERM and SIGINT",
  },

  "1.2 personal": {
    apiKey: ["a key can access the projects of its user, and the list shows its last use", revoked],
    organization: "a member has access from joining to leaving",
  },
  "1.2 organization": {
    apiKey: [
      "only an administrator with a personal key can create an organization key",
      "an organization key can access all projects of the organization and nothing else",
      "an organization key stays valid when its creator leaves the organization",
      "administrators and organization keys can list and revoke keys",
    ],
  },
  "1.2 project-scoped": {
    apiKey: [
      "every member can create a project-scoped key for a project of the organization",
      "a project-scoped key can access its project only and cannot change the organization",
    ],
    transfer: "revokes project-scoped keys and gives access to the keys of the new organization",
  },
  "1.2 rule 1": {
    client: "sends the API key, the accepted type, the user agent and a unique request id",
    apiKey: "every route returns 401 without a valid key in the Authorization header",
  },
  "1.2 rule 2": { apiKey: "returns the secret once, in the response to the creation" },
  "1.2 rule 3": { apiKey: "the list is complete, however many keys there are" },
  "1.2 rule 4": { apiKey: "only an administrator with a personal key can create an organization key" },
  "1.2 rule 5": { apiKey: "a project-scoped key can access its project only and cannot change the organization" },
  "1.2 rule 6": { unspecified: "an API key may have any members besides id, name and created_at" },

  ...each(
    "1.3 project.",
    ["id", "name", "platform_id", "region_id", "provisioner", "pg_version", "locked", "cpu_used_sec"],
    { project: "has the specified members of each project" },
  ),
  ...each("1.3 project.", ["created_at", "updated_at", "proxy_host", "branch_logical_size_limit"], {
    project: "has the specified members of each project",
  }),

  "1.4 operation.id": { openapi: "rejects missing, wrong and unpublished members at any depth" },
  "1.4 operation.project_id": { contract: "are read one by one, with a terminal status" },
  "1.4 operation.branch_id": { branch: "creates the requested compute and returns the connection URI" },
  "1.4 operation.endpoint_id": { branch: "creates the requested compute and returns the connection URI" },
  "1.4 operation.action": { openapi: "rejects missing, wrong and unpublished members at any depth" },
  "1.4 operation.status": {
    openapi: "rejects missing, wrong and unpublished members at any depth",
    status: "lists exactly the statuses of the published client",
  },
  "1.4 operation.failures_count": {
    operation: "failed: locks the project until the faults are deleted, then is retried",
  },
  ...each("1.4 operation.", ["created_at", "updated_at"], {
    openapi: "rejects missing, wrong and unpublished members at any depth",
    operation: "have a duration and the time of the last change",
  }),

  "1.5 apply config": {
    endpoint: "applies the new configuration of an active compute in an operation",
    roles: [
      "create needs one operation, and get and list return the object",
      "are replaced by reset_password when the operation has finished",
      "stay when the name of the database changes, and so does its id",
      "delete hides the object at once and then returns 204",
    ],
  },
  "1.5 apply storage config": { project: "applies a new history retention in an operation" },
  "1.5 check availability": { background: "checks the availability of branches with a compute every hour" },
  "1.5 create branch": { branch: "creates the requested compute and returns the connection URI" },
  "1.5 create timeline": {
    project: "creates a branch, a compute, a role and a database, and returns the connection URI",
  },
  "1.5 delete tenant": {
    unspecified: anyAction,
    project: "hides the project with its contents and reports 404 the second time",
  },
  "1.5 start compute": { endpoint: "change the state between active and idle" },
  "1.5 suspend compute": { background: "suspends a compute that is inactive for its timeout, by default 5 minutes" },
  ...each("1.5 tenant ", ["attach", "detach", "reattach"], { unspecified: anyAction }),
  ...each("1.5 timeline ", ["archive", "unarchive"], { branch: "with archived creates an archived branch" }),
  "1.5 action values": {
    branch: "creates the requested compute and returns the connection URI",
    background: "checks the availability of branches with a compute every hour",
  },
  ...each("1.5 console ", ["columns", "labels"], {
    console: "shows projects, branches, computes and operations, escapes markup and shows no secrets",
  }),

  ...each("1.6 ", ["scheduling", "running"], {
    operation: "the operations of a request run one after another and change the states of their objects",
    waiter: "times out at the deadline with status ${status}",
  }),
  "1.6 finished": { waiter: "succeeds with status ${status}", operation: "${end}: is terminal and never changes" },
  "1.6 failed": {
    waiter: "succeeds if the operation finishes later",
    operation: "failed-then-finished: is retried without intervention",
  },
  "1.6 cancelling": {
    waiter: "times out at the deadline with status ${status}",
    operation: "cancelled: has the status cancelling first",
  },
  "1.6 cancelled": { waiter: failedStatus, operation: "${end}: is terminal and never changes" },
  "1.6 skipped": { waiter: "succeeds with status ${status}", operation: "${end}: is terminal and never changes" },
  "1.6 terminal": {
    operation: "${end}: is terminal and never changes",
    waiter: [
      "succeeds for operations that have already succeeded",
      "fails for an operation that has already failed",
      "fails immediately if one of several operations fails",
    ],
  },
  "1.6 first statuses": { branch: "creates the requested compute and returns the connection URI" },

  "1.7 revoke": { apiKey: revoked, authorization: "every route returns 401 without a key and with a revoked key" },
  "1.7 revoked": { apiKey: revoked },

  "1.8 headers": {
    client: "sends the API key, the accepted type, the user agent and a unique request id",
    http: "every response is JSON, also an error",
  },
  "1.8 list projects": { project: "has pages of 10 by default, newest first" },
  "1.8 list operations": {
    operation: "pagination by timestamp skips none of the operations that were created together",
  },
  "1.8 get operation": {
    contract: "are read one by one, with a terminal status",
    authorization: "${route} finds no object of another project by its id",
  },
  "1.8 cursor": {
    contract: "are listed newest first, through every page, by an encoded timestamp cursor",
    pagination: "reads all pages of operations by a percent-encoded timestamp cursor",
  },
  "1.8 rule 1": { operation: "pagination by timestamp skips none of the operations that were created together" },
  ...each("1.8 rule ", ["2", "3"], {
    pagination: "reads all pages of operations by a percent-encoded timestamp cursor",
  }),
  "1.8 rule 4": {
    operation: [
      "pagination by timestamp skips none of the operations that were created together",
      "a page has only operations older than the cursor, even one in whole seconds",
    ],
  },
  "1.8 rule 5": {
    pagination: ["ends at ${what}", "reads all pages of operations by a percent-encoded timestamp cursor"],
  },
  "1.8 mutations": { contract: "is created with a compute and annotations" },
  "1.8 polling 1": { waiter: "fetches a single operation by id" },
  "1.8 polling 2": {
    waiter: ["lists several operations of a project in one request", "fetches the last pending operation by id"],
  },
  "1.8 polling 3": {
    backoff: "never exceeds 5.25 s between polls for ${operations} operations",
    operation: "a request during operations gets 423 and changes nothing",
    contract: "is created for its owner",
  },
  "1.8 polling 4": {
    waiter: ["succeeds with status ${status}", failedStatus, "succeeds if the operation finishes later"],
  },

  "1.9.1": { client: "sends the API key, the accepted type, the user agent and a unique request id" },
  "1.9.2": {
    apiKey: ["every route returns 401 without a valid key in the Authorization header", revoked],
    client: "§6.9 report a 401 for a list instead of returning no items",
  },
  "1.9.3": { apiKey: revoked, waiter: "fails immediately on a ${status}" },
  "1.9.4": {
    apiKey: [
      "a key can create and revoke keys, and itself",
      "a user cannot list or revoke the personal keys of another user",
      "organization keys and personal keys are listed and revoked separately",
    ],
    authorization: "${route} with ${nameOf(caller)} returns 404 for foreign organizations",
  },
  "1.9.5": { apiKey: "a key can create and revoke keys, and itself" },
  "1.9.6": { console: "shows projects, branches, computes and operations, escapes markup and shows no secrets" },
  "1.9.7": {
    authorization: [
      "${route} with ${nameOf(caller)} returns 404 for foreign projects",
      "${route} with ${nameOf(caller)} returns 404 for foreign organizations",
      "${route} accepts only its kinds of keys",
    ],
  },

  "1.10 HTTP errors": { client: "HTTP errors", retry: "over a real socket" },
  "1.10 operation failure": { waiter: failedStatus },
  "1.10 events": { waiter: "requests per poll" },
  "1.10 keys per account": { apiKey: "the list is complete, however many keys there are" },
  "1.10 polling interval": {
    backoff: [
      "is a share of the age, with a jitter of ±5 %",
      "never exceeds 5.25 s between polls for ${operations} operations",
    ],
  },
  "1.10 limit": { pagination: "requests 100 items per page, or the given page size" },
  "1.10 rate limits": { rateLimit: "applies only with the rateLimit option", retry: "Retry-After" },

  "1.11 base URL": {
    client: [
      "accepts a base URL with ${end.length} trailing slashes",
      "rejects a base URL with ${what}",
      "uses the public service by default",
    ],
  },
  "1.11 one version": { http: "no other version of the API is served" },
  "1.11 policy": { client: "keeps unknown members" },

  "1.12.1": { unspecified: "an API key may have any members besides id, name and created_at" },
  "1.12.2": { unspecified: "a project may have any platform, region, provisioner, size limit and lock" },
  "1.12.3": { unspecified: anyAction },
  "1.12.4": { unspecified: 'an operation may change from ${[first, ...later].join(" to ")}' },
  "1.12.5": { pagination: "ends at ${what}" },
  "1.12.6": {
    contract: "is created with a compute and annotations",
    branch: "without a body creates a child of the default branch, without a compute, named after its id",
  },
  ...each("1.12.", ["7", "8"], {
    contract: "is returned once, and is valid until it is revoked",
  }),
  "1.12.9": { waiter: "requests per poll" },
  "1.12.10": { client: "HTTP errors", retry: "over a real socket" },
  "1.12.11": { retry: "Retry-After" },
  "1.12.12": { client: "sends the API key, the accepted type, the user agent and a unique request id" },
  "1.12.13": {
    unspecified: "a project may have any platform, region, provisioner, size limit and lock",
    pagination: "§6.21 reads all pages of projects by `pagination.cursor`",
  },

  "1.13 project.locked": { unspecified: "a project may have any platform, region, provisioner, size limit and lock" },
  "1.13 GET /projects": {
    unspecified: "a project may have any platform, region, provisioner, size limit and lock",
    pagination: "ends at ${what}",
  },
  "1.13 operation.branch_id": {
    unspecified: anyAction,
    project: "applies a new history retention in an operation",
  },
  "1.13 operation.total_duration_ms": {
    unspecified: anyAction,
    operation: "have a duration and the time of the last change",
  },
  "1.13 operation.error and retry_at": {
    waiter: [failedStatus, "fails with status ${status} without a platform message in a complete sentence"],
    operation: "failed: locks the project until the faults are deleted, then is retried",
  },
  "1.13 status error": {
    waiter: [failedStatus, "treats an unknown status as pending and reports it at the deadline"],
    operation: "unknown: keeps an unpublished status until the faults are deleted",
  },
  "1.13 status failed": { waiter: "status failed" },
  "1.13 delete tenant": { unspecified: anyAction },
  "1.13 project-scoped keys": {
    apiKey: "every member can create a project-scoped key for a project of the organization",
    client: "report the status, request, platform message, code and remediation",
  },
  "1.13 64-bit token": { unspecified: "an API key may have any length" },
  "1.13 last page": { pagination: "ends at ${what}" },
};
