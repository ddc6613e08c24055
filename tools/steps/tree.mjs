import { getJson } from "./query.mjs";

/**
 * @typedef {object} Branch
 * @property {string} id
 * @property {string} name
 * @property {string} [parentId]
 * @property {boolean} isDefault
 * @property {{ type: string, state: string, host: string }[]} computes
 */

/**
 * @typedef {object} Project
 * @property {string} id
 * @property {string} name
 * @property {string} region
 * @property {number} postgres
 */

const mostProjects = 5;

/**
 * The projects of a local platform with their branches, as lines.
 *
 * @param {string} consoleUrl
 */
export async function tree(consoleUrl) {
  const { projects } = await getJson(`${consoleUrl}/console/state`);
  /** @type {string[]} */
  const lines = [];
  for (const project of /** @type {Project[]} */ (projects.slice(0, mostProjects))) {
    const { view } = await getJson(`${consoleUrl}/console/state?path=/projects/${project.id}`);
    lines.push(`${project.name}  ${project.region}, Postgres ${project.postgres}`, ...branchLines(view.branches));
  }
  if (projects.length > mostProjects) lines.push(`and ${projects.length - mostProjects} more projects`);
  return lines.join("\n");
}

/**
 * Branches below their parents.
 *
 * @param {readonly Branch[]} branches
 * @param {string | undefined} [parent]
 * @param {string} [indent]
 * @returns {string[]}
 */
export function branchLines(branches, parent, indent = "") {
  const own = branches.filter(({ parentId }) => parentId === parent);
  return own.flatMap((branch, index) => {
    const isLast = index === own.length - 1;
    const computes = branch.computes.map(({ type, state, host }) =>
      [...(type === "read_only" ? ["replica"] : []), state, host].join(" "),
    );
    const facts = [branch.isDefault ? "default" : "", ...computes].filter((fact) => fact !== "").join(", ");
    const line = `${indent}${isLast ? "└─" : "├─"} ${branch.name}${facts === "" ? "" : `  ${facts}`}`;
    return [line, ...branchLines(branches, branch.id, `${indent}${isLast ? "   " : "│  "}`)];
  });
}
