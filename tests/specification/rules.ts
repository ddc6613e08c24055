/**
 * The tests of part 1 of docs/specification.md: the titles of tests or suites, as their file writes them, with the rows that
 * they assert, separated by semicolons.
 */
export const rules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "platform/tests/api-key.test.ts": {
    "the first key is created by the start of the platform, without an expiry": "1.1.6",
    "a key can access the projects of its user, and the list shows its last use": "1.2 personal",
    "a revoked key gets 401 from the next request on": "1.2 personal; 1.7 revoke; 1.7 revoked; 1.9.2; 1.9.3",
    "only an administrator with a personal key can create an organization key": "1.2 organization; 1.2 rule 4",
    "an organization key can access all projects of the organization and nothing else": "1.2 organization",
    "an organization key stays valid when its creator leaves the organization": "1.2 organization",
    "administrators and organization keys can list and revoke keys": "1.2 organization",
    "every member can create a project-scoped key for a project of the organization":
      "1.2 project-scoped; 1.13 project-scoped keys",
    "a project-scoped key can access its project only and cannot change the organization":
      "1.2 project-scoped; 1.2 rule 5",
    "every route returns 401 without a valid key in the Authorization header": "1.2 rule 1; 1.9.2",
    "returns the secret once, in the response to the creation": "1.2 rule 2",
    "the list is complete, however many keys there are": "1.2 rule 3; 1.10 keys per account",
    "a key can create and revoke keys, and itself": "1.9.4; 1.9.5",
    "a user cannot list or revoke the personal keys of another user": "1.9.4",
    "organization keys and personal keys are listed and revoked separately": "1.9.4",
  },
  "platform/tests/authorization.test.ts": {
    "every route returns 401 without a key and with a revoked key": "1.1.3; 1.7 revoke",
    "${route} finds no object of another project by its id": "1.8 get operation",
    "${route} with ${nameOf(caller)} returns 404 for foreign organizations": "1.9.4; 1.9.7",
    "${route} with ${nameOf(caller)} returns 404 for foreign projects": "1.9.7",
    "${route} accepts only its kinds of keys": "1.9.7",
  },
  "platform/tests/background-jobs.test.ts": {
    "suspends a compute that is inactive for its timeout, by default 5 minutes": "1.1.4; 1.5 suspend compute",
    "checks the availability of branches with a compute every hour": "1.5 check availability; 1.5 action values",
  },
  "platform/tests/branch.test.ts": {
    "creates the requested compute and returns the connection URI":
      "1.1.4; 1.4 operation.branch_id; 1.4 operation.endpoint_id; 1.5 create branch; 1.5 action values; 1.6 first statuses",
    "with archived creates an archived branch": "1.5 timeline archive; 1.5 timeline unarchive",
    "without a body creates a child of the default branch, without a compute, named after its id": "1.12.6",
  },
  "platform/tests/command-line.test.ts": {
    "prints its URLs and a key as one line of JSON and exits with 0 on SIGTERM and SIGINT": "1.1.7",
  },
  "platform/tests/console/page.test.ts": {
    "shows projects, branches, computes and operations from the server, and escapes what they are called":
      "1.5 console columns; 1.5 console labels; 1.9.6",
  },
  "platform/tests/endpoint.test.ts": {
    "applies the new configuration of an active compute in an operation": "1.5 apply config",
    "change the state between active and idle": "1.5 start compute",
  },
  "platform/tests/http.test.ts": {
    "every response is JSON, also an error": "1.1.2; 1.8 headers",
    "no other version of the API is served": "1.11 one version",
  },
  "platform/tests/openapi-check.test.ts": {
    "rejects missing, wrong and unpublished members at any depth":
      "1.4 operation.id; 1.4 operation.action; 1.4 operation.status; 1.4 operation.created_at; 1.4 operation.updated_at",
  },
  "platform/tests/operation.test.ts": {
    "a request during operations gets 423 and changes nothing": "1.1.5; 1.8 polling 3",
    "failed: locks the project until the faults are deleted, then is retried":
      "1.4 operation.failures_count; 1.13 operation.error and retry_at",
    "have a duration and the time of the last change":
      "1.4 operation.created_at; 1.4 operation.updated_at; 1.13 operation.total_duration_ms",
    "the operations of a request run one after another and change the states of their objects":
      "1.6 scheduling; 1.6 running",
    "${end}: is terminal and never changes": "1.6 finished; 1.6 cancelled; 1.6 skipped; 1.6 terminal",
    "failed-then-finished: is retried without intervention": "1.6 failed",
    "cancelled: has the status cancelling first": "1.6 cancelling",
    "pagination by timestamp skips none of the operations that were created together":
      "1.8 list operations; 1.8 rule 1; 1.8 rule 4",
    "a page has only operations older than the cursor, even one in whole seconds": "1.8 rule 4",
    "unknown: keeps an unpublished status until the faults are deleted": "1.13 status error",
  },
  "platform/tests/organization.test.ts": {
    "a member has access from joining to leaving": "1.2 personal",
  },
  "platform/tests/project.test.ts": {
    "has the specified members of each project":
      "1.3 project.id; 1.3 project.name; 1.3 project.platform_id; 1.3 project.region_id; 1.3 project.provisioner; 1.3 project.pg_version; 1.3 project.locked; 1.3 project.cpu_used_sec; 1.3 project.created_at; 1.3 project.updated_at; 1.3 project.proxy_host; 1.3 project.branch_logical_size_limit",
    "applies a new history retention in an operation": "1.5 apply storage config; 1.13 operation.branch_id",
    "creates a branch, a compute, a role and a database, and returns the connection URI": "1.5 create timeline",
    "hides the project with its contents and reports 404 the second time": "1.5 delete tenant",
    "has pages of 10 by default, newest first": "1.8 list projects",
  },
  "platform/tests/rate-limit.test.ts": {
    "applies only with the rateLimit option": "1.10 rate limits",
  },
  "platform/tests/roles-and-databases.test.ts": {
    "create needs one operation, and get and list return the object": "1.5 apply config",
    "are replaced by reset_password when the operation has finished": "1.5 apply config",
    "stay when the name of the database changes, and so does its id": "1.5 apply config",
    "delete hides the object at once and then returns 204": "1.5 apply config",
  },
  "platform/tests/transfer.test.ts": {
    "revokes project-scoped keys and gives access to the keys of the new organization": "1.2 project-scoped",
  },
  "tests/api/backoff.test.ts": {
    "never exceeds 5.25 s between polls for ${operations} operations": "1.8 polling 3; 1.10 polling interval",
    "is a share of the age, with a jitter of ±5 %": "1.10 polling interval",
  },
  "tests/api/client.test.ts": {
    "sends the API key, the accepted type, the user agent and a unique request id":
      "1.1.3; 1.2 rule 1; 1.8 headers; 1.9.1; 1.12.12",
    "accepts a base URL with ${end.length} trailing slashes": "1.1.7; 1.11 base URL",
    "rejects a base URL with ${what}": "1.1.7; 1.11 base URL",
    "§6.9 report a 401 for a list instead of returning no items": "1.9.2",
    "HTTP errors": "1.10 HTTP errors; 1.12.10",
    "uses the public service by default": "1.11 base URL",
    "keeps unknown members": "1.11 policy",
    "report the status, request, platform message, code and remediation": "1.13 project-scoped keys",
  },
  "tests/api/pagination.test.ts": {
    "reads all pages of operations by a percent-encoded timestamp cursor":
      "1.8 cursor; 1.8 rule 2; 1.8 rule 3; 1.8 rule 5",
    "ends at ${what}": "1.8 rule 5; 1.12.5; 1.13 GET /projects; 1.13 last page",
    "requests 100 items per page, or the given page size": "1.10 limit",
    "§6.21 reads all pages of projects by `pagination.cursor`": "1.12.13",
  },
  "tests/api/retry.test.ts": {
    "over a real socket": "1.10 HTTP errors; 1.12.10",
    "Retry-After": "1.10 rate limits; 1.12.11",
  },
  "tests/api/status.test.ts": {
    "lists exactly the statuses of the published client": "1.4 operation.status",
  },
  "tests/api/waiter.test.ts": {
    "times out at the deadline with status ${status}": "1.6 scheduling; 1.6 running; 1.6 cancelling",
    "succeeds with status ${status}": "1.6 finished; 1.6 skipped; 1.8 polling 4",
    "succeeds if the operation finishes later": "1.6 failed; 1.8 polling 4",
    "fails with status ${status}, and reports the operation, its failures and the platform message":
      "1.6 cancelled; 1.8 polling 4; 1.10 operation failure; 1.13 operation.error and retry_at; 1.13 status error",
    "succeeds for operations that have already succeeded": "1.6 terminal",
    "fails for an operation that has already failed": "1.6 terminal",
    "fails immediately if one of several operations fails": "1.6 terminal",
    "fetches a single operation by id": "1.8 polling 1",
    "lists several operations of a project in one request": "1.8 polling 2",
    "fetches the last pending operation by id": "1.8 polling 2",
    "fails immediately on a ${status}": "1.9.3",
    "requests per poll": "1.10 events; 1.12.9",
    "fails with status ${status} without a platform message in a complete sentence":
      "1.13 operation.error and retry_at",
    "treats an unknown status as pending and reports it at the deadline": "1.13 status error",
    "status failed": "1.13 status failed",
  },
  "tests/contract/contract.test.ts": {
    "is returned once, and is valid until it is revoked": "1.1.1; 1.12.7; 1.12.8",
    "is read and found in the list": "1.1.1",
    "are read one by one, with a terminal status": "1.1.1; 1.4 operation.project_id; 1.8 get operation",
    "is created for its owner": "1.1.5; 1.8 polling 3",
    "are listed newest first, through every page, by an encoded timestamp cursor": "1.8 cursor",
    "is created with a compute and annotations": "1.8 mutations; 1.12.6",
  },
  "tests/specification/unspecified.test.ts": {
    "an API key may have any members besides id, name and created_at": "1.2 rule 6; 1.12.1",
    "an operation may have any action, and no branch":
      "1.5 delete tenant; 1.5 tenant attach; 1.5 tenant detach; 1.5 tenant reattach; 1.12.3; 1.13 operation.branch_id; 1.13 operation.total_duration_ms; 1.13 delete tenant",
    "a project may have any platform, region, provisioner, size limit and lock":
      "1.12.2; 1.12.13; 1.13 project.locked; 1.13 GET /projects",
    'an operation may change from ${[first, ...later].join(" to ")}': "1.12.4",
    "an API key may have any length": "1.13 64-bit token",
  },
};
