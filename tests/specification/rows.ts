import assert from "node:assert/strict";
import type { Suite } from "mocha";

const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
const named = (prefix: string, names: string): string[] => names.split(/\s*\n\s*/).map((name) => prefix + name.trim());

/**
 * Everything Part 1 of the specification says, by section: the rows of its tables by their number or first cell, the
 * facts between the tables by a name of ours. A test is the test of the row that its title begins with.
 */
export const rows: Readonly<Record<string, readonly string[]>> = {
  "1.1": numbered("1.1.", 7),
  "1.2": ["1.2 personal", "1.2 organization", "1.2 project-scoped", ...numbered("1.2 rule ", 6)],
  "1.3": named(
    "1.3 project.",
    `id
    name
    platform_id
    region_id
    provisioner
    pg_version
    locked
    cpu_used_sec
    created_at
    updated_at
    proxy_host
    branch_logical_size_limit`,
  ),
  "1.4": named(
    "1.4 operation.",
    `id
    project_id
    branch_id
    endpoint_id
    action
    status
    failures_count
    created_at
    updated_at`,
  ),
  "1.5": named(
    "1.5 ",
    `apply config
    apply storage config
    check availability
    create branch
    create timeline
    delete tenant
    start compute
    suspend compute
    tenant attach
    tenant detach
    tenant reattach
    timeline archive
    timeline unarchive
    action values
    console columns
    console labels`,
  ),
  "1.6": named(
    "1.6 ",
    `scheduling
    running
    finished
    failed
    cancelling
    cancelled
    skipped
    terminal
    first statuses`,
  ),
  "1.7": ["1.7 revoke", "1.7 revoked"],
  "1.8": [
    ...named(
      "1.8 ",
      `headers
      list projects
      list operations
      get operation
      cursor`,
    ),
    ...numbered("1.8 rule ", 5),
    "1.8 mutations",
    ...numbered("1.8 polling ", 4),
  ],
  "1.9": numbered("1.9.", 7),
  "1.10": named(
    "1.10 ",
    `HTTP errors
    operation failure
    events
    keys per account
    polling interval
    limit
    rate limits`,
  ),
  "1.11": ["1.11 base URL", "1.11 one version", "1.11 policy"],
  "1.12": numbered("1.12.", 13),
  "1.13": named(
    "1.13 ",
    `project.locked
    GET /projects
    operation.branch_id
    operation.total_duration_ms
    operation.error and retry_at
    status error
    status failed
    delete tenant
    project-scoped keys
    64-bit token
    last page`,
  ),
};

/** Asserts that every row has a test, and every test a row, in the section that both belong to. */
export function assertEveryRowHasTests(part: Suite): void {
  const tests = Object.fromEntries(
    part.suites.map((section) => [section.title.split(" ", 1)[0] ?? "", section.tests.map(({ title }) => title)]),
  );
  assert.deepEqual(Object.keys(tests), Object.keys(rows), "the sections");
  for (const [section, expected] of Object.entries(rows)) {
    const titles = tests[section] ?? [];
    const isOf = (row: string) => (title: string) => title.startsWith(`${row}: `) || title.startsWith(`${row} `);
    const untested = expected.filter((row) => !titles.some(isOf(row)));
    assert.deepEqual(untested, [], `rows of ${section} without a test`);
    const stray = titles.filter((title) => !expected.some((row) => isOf(row)(title)));
    assert.deepEqual(stray, [], `tests of ${section} without a row`);
  }
}
