import { progressOf } from "../../api/operations/status";
import type { ControlPlane } from "../model/control-plane";
import { membersOf } from "../model/organization";
import type { BranchRow, EndpointRow, OperationRow, OrganizationRow, ProjectRow } from "../model/rows";

const mostOperations = 50;

/** What the console calls the statuses of operations. */
function label(status: string): "OK" | "Scheduling" | "In progress" | "Error" {
  const progress = progressOf(status);
  if (progress === "success") return "OK";
  if (progress === "failure" || progress === "retryable") return "Error";
  return status === "scheduling" ? "Scheduling" : "In progress";
}

/** The console: one page that shows what there is. It changes nothing and holds no secrets. */
export function consolePage(plane: ControlPlane): string {
  const projects = plane.tables.projects.list({ deleted_at: null }, "ORDER BY created_at DESC");
  const sections = projects.map((project) => projectSection(plane, project)).join("");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Local platform</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
  table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; width: 100% }
  th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left }
  small { color: #666 }
</style>
<h1>Projects</h1>
${sections || "<p>None yet.</p>"}
<h1>Organizations</h1>
${table(
  ["Organization", "Id", "Plan", "Members"],
  plane.tables.organizations.list({}, "ORDER BY created_at").map((row) => organizationCells(plane, row)),
)}
</html>
`;
}

function projectSection({ tables }: ControlPlane, project: ProjectRow): string {
  const branches = tables.branches.list({ project_id: project.id, deleted_at: null }, "ORDER BY created_at");
  const endpoints = tables.endpoints.list({ project_id: project.id, deleted_at: null }, "ORDER BY created_at");
  const operations = tables.operations.list(
    { project_id: project.id },
    "ORDER BY created_at DESC LIMIT ?",
    mostOperations,
  );
  const names = new Map(branches.map(({ id, name }) => [id, name]));
  return `<section>
<h2>${escaped(project.name)} <small>${escaped(project.id)}, ${escaped(project.region_id)}</small></h2>
${table(
  ["Branch", "Id", "State", "Compute", "Created"],
  branches.map((branch) => branchCells(branch, endpoints)),
)}
${table(
  ["Operation", "Branch", "Compute", "Status", "Duration", "Date"],
  operations.map((operation) => operationCells(operation, names)),
)}
</section>
`;
}

function organizationCells(plane: ControlPlane, { id, name, plan }: OrganizationRow): string[] {
  const members = membersOf(plane, id).map(({ user_id, role }) => {
    const { email } = plane.tables.users.get({ id: user_id }) ?? { email: user_id };
    return role === "admin" ? `${email} (administrator)` : email;
  });
  return [name, id, plan, members.join(", ")];
}

function branchCells(branch: BranchRow, endpoints: readonly EndpointRow[]): string[] {
  const marks = [branch.default && "default", branch.protected && "protected"].filter((mark) => mark !== false);
  const computes = endpoints.filter(({ branch_id }) => branch_id === branch.id);
  return [
    [branch.name, ...marks.map((mark) => `(${mark})`)].join(" "),
    branch.id,
    branch.current_state,
    computes.map(({ id, current_state }) => `${id}: ${current_state}`).join(", "),
    branch.created_at,
  ];
}

function operationCells(operation: OperationRow, names: ReadonlyMap<string, string>): string[] {
  const { action, branch_id = "", endpoint_id = "", status, total_duration_ms, ended, created_at } = operation;
  const words = action.replaceAll("_", " ");
  const duration = ended ? `${(total_duration_ms / 1000).toFixed(1)} s` : "";
  return [
    words.charAt(0).toUpperCase() + words.slice(1),
    names.get(branch_id) ?? branch_id,
    endpoint_id,
    label(status),
    duration,
    created_at,
  ];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table>${[row(heads, "th"), ...rows.map((cells) => row(cells, "td"))].join("\n")}</table>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Names are anybody's text. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
