/** Says what is wrong with a value, or with a member of it, if anything is. */
export type Rule = (value: never) => string | { readonly member: string; readonly problem: string } | undefined;

/** Compute sizes in CU. */
const computeSizes: readonly number[] = [
  0.25,
  0.5,
  ...Array.from({ length: 16 }, (_, index) => index + 1),
  ...Array.from({ length: 20 }, (_, index) => 18 + 2 * index),
];
const largestAutoscalingSize = 16;
const widestAutoscalingRange = 8;

const computeSize = (size: number): string | undefined =>
  computeSizes.includes(size)
    ? undefined
    : "must be a compute size in CU: 0.25, 0.5, 1 to 16 in steps of 1, or 18 to 56 in steps of 2";

/** How the limits of autoscaling may be combined. */
export function autoscalingProblem(minCu: number, maxCu: number): string | undefined {
  if (minCu === maxCu) return undefined;
  if (minCu > maxCu) return `the minimum of ${minCu} CU is above the maximum of ${maxCu} CU`;
  if (maxCu > largestAutoscalingSize) {
    return `autoscaling is limited to ${largestAutoscalingSize} CU: for a larger compute, set minimum and maximum to the same size`;
  }
  if (maxCu - minCu <= widestAutoscalingRange) return undefined;
  return `the maximum must be at most ${widestAutoscalingRange} CU above the minimum, but it is ${maxCu - minCu} CU above it`;
}

/** Postgres truncates longer names. In UTF-8. */
const maxNameBytes = 63;

const postgresName = (name: string): string | undefined => {
  if (name === "") return notEmpty(name);
  if (name.includes("\0")) return "must not contain a NUL character";
  if (/\p{Surrogate}/u.test(name)) return "must be well-formed Unicode";
  return Buffer.byteLength(name) <= maxNameBytes ? undefined : `must be at most ${maxNameBytes} bytes long in UTF-8`;
};

/** The name of what a request addresses by it. */
const addressableName = (name: string): string | undefined =>
  name === "." || name === ".." ? 'must not be "." or ".."' : postgresName(name);

const reservedNames: readonly string[] = ["neon_superuser", "cloud_admin", "zenith_admin", "public", "none"];

/** Whether a role may have a name. */
export function reservedNameProblem(name: string): string | undefined {
  return name.startsWith("pg") || reservedNames.includes(name)
    ? `is reserved: the name must not start with "pg" or be one of ${reservedNames.join(", ")}`
    : undefined;
}

const notEmpty = (text: string): string | undefined => (text === "" ? "must not be empty" : undefined);

const matching =
  (pattern: RegExp, problem: string): Rule =>
  (text: string) =>
    pattern.test(text) ? undefined : problem;

const atMost =
  (max: number): Rule =>
  (text: string) =>
    text.length <= max ? undefined : `must not be longer than ${max} characters`;

const between =
  (min: number, max: number) =>
  (value: number): string | undefined =>
    value >= min && value <= max ? undefined : `must be between ${min} and ${max}`;

const oneOf =
  (values: readonly string[]): Rule =>
  (text: string) =>
    values.includes(text) ? undefined : `Invalid option: expected one of ${values.map((one) => `"${one}"`).join("|")}`;

const each =
  <Item>(rule: (item: Item) => string | undefined): Rule =>
  (items: readonly Item[]) =>
    items.map(rule).find((problem) => problem !== undefined);

const httpsUrl = (text: string): string | undefined =>
  !/[\s\p{Cc}]/u.test(text) && URL.canParse(text) && new URL(text).protocol === "https:"
    ? undefined
    : 'must be an https URL such as "https://auth.example.com/.well-known/jwks.json"';

/** ISO 8601 with a time zone, where the document only says that it is a text. */
const zonedTimestamp = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
  'must be an ISO 8601 timestamp with a time zone, such as "2030-01-31T12:00:00Z"',
);
const lsn = matching(/^[0-9A-Fa-f]{1,8}\/[0-9A-Fa-f]{1,8}$/, 'must be a log sequence number such as "0/1DE2850"');
const timeOfDay = matching(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day in UTC such as "09:30"');

const backupFrequencies = ["daily", "weekly", "monthly"];

/** How long a scheduled snapshot is kept at most, and by default: 35 days. */
export const maxRetentionSeconds = 35 * 86_400;

/** Every backup has an hour; a weekly or monthly one, also a day. */
const backup = (entry: {
  readonly frequency: string;
  readonly hour?: number;
  readonly day?: number;
  readonly month?: number;
}): ReturnType<Rule> => {
  const { frequency, hour, day, month } = entry;
  const problems = {
    hour: hour === undefined ? `is required for frequency "${frequency}"` : undefined,
    day: dayProblem(frequency, day),
    month: month === undefined ? undefined : `is not allowed for frequency "${frequency}"`,
  };
  for (const [member, problem] of Object.entries(problems)) if (problem !== undefined) return { member, problem };
  return undefined;
};

function dayProblem(frequency: string, day: number | undefined): string | undefined {
  if (frequency === "daily") return day === undefined ? undefined : `is not allowed for frequency "${frequency}"`;
  if (day === undefined) return `is required for frequency "${frequency}"`;
  return frequency === "weekly" && day > 7 ? "must be at most 7 for a weekly backup, where 1 is Monday" : undefined;
}

/** An empty text in these names nothing. */
const named = [
  ...["key_name", "db_name", "role_name", "database_name", "schema_name", "table_name", "column_name"],
  ...["masking_function", "provider_name", "jwt_audience", "db_anon_role", "webhook_url"],
  ...["client_id", "client_secret", "microsoft_tenant_id"],
  ...["host", "username", "password", "sender_email", "sender_name"],
  ...["createSnapshot.name", "SnapshotUpdateRequest.snapshot.name", "CreateCredentialRequest.name"],
];

/** The name of a branch, where the document has no limits for it. */
const branchName: Rule = (name: string) =>
  name.length >= 1 && name.length <= 256 ? undefined : "must be 1 to 256 characters long";

/**
 * What the vendor's documentation says of requests beyond the document: by the name of a member anywhere, by the name of a
 * member in one object of the document, or by the name of an object.
 */
export const memberRules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(named.map((name) => [name, notEmpty])),
  autoscaling_limit_min_cu: computeSize,
  autoscaling_limit_max_cu: computeSize,
  suspend_timeout_seconds: (seconds: number) =>
    seconds > 0 && seconds < 60 ? "must be -1 (never suspend), 0 (Neon's default) or 60 to 604800 seconds" : undefined,
  weekdays: each(between(1, 7)),
  start_time: timeOfDay,
  end_time: timeOfDay,
  init_source: oneOf(["parent-data", "schema-only"]),
  lsn,
  parent_lsn: lsn,
  source_lsn: lsn,
  base_lsn: lsn,
  preserve_under_name: atMost(256),
  "finalizeRestoreBranch.name": branchName,
  "restoreSnapshot.name": branchName,
  "createSnapshot.timestamp": zonedTimestamp,
  "createSnapshot.expires_at": zonedTimestamp,
  owner_name: postgresName,
  "DatabaseCreateRequest.database.name": postgresName,
  "DatabaseUpdateRequest.database.name": postgresName,
  "RoleCreateRequest.role.name": postgresName,
  "ProjectCreateRequest.project.branch.role_name": addressableName,
  "ProjectCreateRequest.project.branch.database_name": addressableName,
  "EnableNeonAuthIntegrationRequest.database_name": postgresName,
  role_names: each(postgresName),
  db_schemas: each(notEmpty),
  jwks_url: httpsUrl,
  port: between(1, 65_535),
  /** At most one year. */
  ttl_seconds: between(1, 31_536_000),
  frequency: oneOf(backupFrequencies),
  retention_seconds: between(3600, maxRetentionSeconds),
  BackupScheduleItem: backup,
  MaskingRule: (rule: { masking_function?: string; masking_value?: string }) =>
    (rule.masking_function === undefined) === (rule.masking_value === undefined)
      ? "needs a function or a value, and not both"
      : undefined,
};
