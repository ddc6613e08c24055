import { allProjects } from "../all-projects";
import type { NeonClient } from "../client";
import { collect } from "../http/pagination";
import { branches } from "../schemas/branch";
import { isAddressable } from "../schemas/wire";

/** The forms of Neon's ids, by kind. A text without its kind's form is a name. */
const idForms = [
  {
    noun: "branch",
    of: ["branchId", "parentId", "sourceBranchId", "baseBranchId", "defaultSuccessorId"],
    form: /^br-/,
    has: 'begins with "br-"',
    lookup: "getBranch({ projectId, name })",
  },
  {
    noun: "project",
    of: ["projectId"],
    form: /^[a-z\d-]*-[a-z\d-]*$/,
    has: "is like `spring-example-302709`",
    lookup: "getProject({ name })",
  },
  {
    noun: "compute",
    of: ["endpointId"],
    form: /^ep-/,
    has: 'begins with "ep-"',
    lookup: "getEndpoints({ projectId })",
  },
  {
    noun: "snapshot",
    of: ["snapshotId"],
    form: /^snap-/,
    has: 'begins with "snap-"',
    lookup: "getSnapshots({ projectId })",
  },
  { noun: "organization", of: ["orgId"], form: /^org-/, has: 'begins with "org-"', lookup: "getOrganizations()" },
] as const;

/** How long to search for the id, in milliseconds. */
const patience = 5_000;

/** The source of a restore that means the branch itself. */
const self = "self";

/** The problem with an argument for an id whose text looks like a name. */
export function nameProblem(argument: string, text: string): string | undefined {
  const found = formOf(argument, text);
  if (found === undefined) return undefined;
  const { noun, has, lookup } = found;
  const article = noun === "organization" ? "an" : "a";
  return `must be the id of ${article} ${noun}, which ${has}, not its name: \`${lookup}\` returns it`;
}

function formOf(argument: string, text: string): (typeof idForms)[number] | undefined {
  if (text === "" || text.includes("/") || !isAddressable(text) || (argument === "sourceBranchId" && text === self))
    return undefined;
  return idForms.find(({ of, form }) => (of as readonly string[]).includes(argument) && !form.test(text));
}

/**
 * A sentence with the id of the object that was named where an id is required. Undefined if one read does not find the
 * object.
 *
 * @param projectId the project in which to search for branches
 */
export async function idOfName(
  client: NeonClient,
  argument: string,
  name: string,
  { projectId, orgId }: { readonly projectId: unknown; readonly orgId: string | undefined },
): Promise<string | undefined> {
  const { noun } = formOf(argument, name) ?? {};
  const deadline = client.clock.now() + patience;
  const named = async (): Promise<readonly string[]> => {
    if (noun === "project") {
      const found = await collect(allProjects(client, { search: name, orgId }, { deadline }));
      return found.filter((one) => one.name === name).map(({ id }) => id);
    }
    if (noun !== "branch" || typeof projectId !== "string" || formOf("projectId", projectId) !== undefined) return [];
    const found = await collect(client.list(branches.list(projectId, { search: name }), { deadline }));
    return found.filter((one) => one.branch.name === name).map(({ branch }) => branch.id);
  };
  // Best effort: the problem is already known, and the id only adds a hint.
  const [id, ...others] = await named().catch(() => []);
  return id === undefined || others.length > 0 ? undefined : `"${name}" is the name of ${noun ?? ""} ${id}`;
}
