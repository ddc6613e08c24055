/** An answer that a check objects to. */
export interface Deviation {
  readonly check: string;
  readonly operation: string;
  readonly status: number;
  readonly message: string;
}

/** Where the platform deliberately answers otherwise than a check expects. */
interface Reading {
  readonly check: string;
  readonly statuses: readonly number[];
  /** The text of each problem in the response. Default: any. */
  readonly says?: RegExp;
  readonly why: string;
}

const acceptance = "positive_data_acceptance";

const readings: readonly Reading[] = [
  {
    check: "unsupported_method",
    statuses: [404],
    says: /^unknown route: /,
    why: "A method that a path does not have is an unknown route, 404.",
  },
  {
    check: acceptance,
    statuses: [406, 412, 422, 423],
    why: "The document describes values; whether something is possible as things are is another matter (406, 412, 422, 423).",
  },
  {
    check: "use_after_free",
    statuses: [200],
    says: /\{"spending_limit_cents":null\}/,
    why: "An organization without a spending limit has the limit null.",
  },
  ...["content_type_conformance", "response_schema_conformance", "negative_data_rejection", acceptance].map(
    (check) => ({
      check,
      statuses: [431],
      why: "Node refuses a request with more than 16 KiB of headers, before the platform reads it: 431.",
    }),
  ),
  ...inWords([
    [/: Too big: expected array to have <=100 items$/, "A list in a query names up to 100 objects, also with commas."],
    [/: Too small: expected array to have >=1 items$/, "An empty list in a query names nothing."],
    [/: needs a function or a value, and not both$/, "A masking rule says in one way what it writes."],
    [/: is required with an external provider$/, "An external provider has its own keys, as the newer document says."],
    [/ needs a client_id and a client_secret$/, "Only some services have an application that projects share."],
    [/^database_name is required: the branch has several databases$/, "A check of a database needs one."],
    [
      / cursor: (is not one that a list of \w+ has returned|belongs to a list in another order)$/,
      "A cursor is opaque: one that the same list has not returned is refused.",
    ],
    [/: Too small: expected string to have >=1 characters$| must not be empty$/, "An empty text names nothing."],
    [
      /: must be a compute size in CU: |^autoscaling limits: /,
      "Compute units come in sizes, which the vendor's documentation lists.",
    ],
    [/: must be -1 \(never suspend\), /, "Times of inactivity begin at 60 seconds."],
    [
      /: must be a log sequence number |: must be an ISO 8601 timestamp |_(time|timestamp): must be |allowed_ips: /,
      "Log sequence numbers, times and addresses have forms.",
    ],
    [
      / must not be in the future$| exclude each other$|^expires_at must be /,
      "A place in a history is in the past and said in one way; a branch expires within 30 days.",
    ],
    [/: must be an e-mail address$/, "Permissions are given to e-mail addresses."],
    [/: must be an https URL /, "Keys are fetched over https only."],
    [/: Invalid option: expected one of /, "The values of an enumeration."],
    [
      /: Too (big|small): expected (int|number) to be |: must be between \d+ and \d+$/,
      "The bounds of numbers; and whole numbers are exact up to 2^53.",
    ],
    [
      /name.* (must not exceed|is reserved)|: must be at most 63 bytes long in UTF-8$/,
      "PostgreSQL's names have at most 63 bytes, and some are taken.",
    ],
    [/: must (not be longer than|be 1 to) 256 characters/, "Names of branches have at most 256 characters."],
    [
      / not well-formed Unicode, or a NUL$|NUL character$|: must be well-formed Unicode$/,
      "PostgreSQL's texts hold no NUL.",
    ],
    [/: must not be "\."/, "No request could name what is named by dots alone."],
    [
      /^(provisioner|region|pg_version) .* is (unknown|not supported)/s,
      "Unknown provisioners, regions and versions are errors.",
    ],
    [/^region_id must be the project's own: /, "A compute runs in the region of its project."],
    [
      /^(source_lsn or source_timestamp|preserve_under_name|base_branch_id) is required /,
      "A restore from a branch's own history needs its place and another name.",
    ],
    [
      /^destination_org_id is the organization that has the projects$/,
      "Projects are transferred to another organization.",
    ],
    [
      /^cannot set branch to the same name$|^settings must not be nil$/,
      "So the real platform answers, as its clients know.",
    ],
  ]),
];

/** Why the platform deliberately answers otherwise than a check expects; `undefined` if it does not. */
export function readingOf({ check, status, message }: Deviation): string | undefined {
  const fitting = readings.filter((reading) => reading.check === check && reading.statuses.includes(status));
  const problems = message.split(/; (?=body|query parameter)/);
  const reasons = problems.map((problem) => fitting.find(({ says }) => says?.test(problem) ?? true)?.why);
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** Rules that the document states in words at most: the text of the response, and why it is a 400. */
function inWords(rules: readonly (readonly [says: RegExp, why: string])[]): readonly Reading[] {
  return rules.map(([says, why]) => ({ check: acceptance, statuses: [400], says, why }));
}
