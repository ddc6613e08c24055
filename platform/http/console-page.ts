import { html, raw } from "hono/html";

import { progressOf } from "../../api/operations/status";
import { listMembers } from "../model/accounts/organization";
import type { ControlPlane } from "../model/control-plane";
import type { BranchRow, EndpointRow, OperationRow, OrganizationRow, ProjectRow } from "../model/rows";

/** Markup in which all texts are escaped. */
type Html = ReturnType<typeof html>;

const maxOperations = 50;

/** How the console shows the status of an operation. */
function statusLabel(status: string): "OK" | "Scheduling" | "In progress" | "Error" {
  const progress = progressOf(status);
  if (progress === "success") return "OK";
  if (progress === "failure" || progress === "retryable") return "Error";
  return status === "scheduling" ? "Scheduling" : "In progress";
}

const styles = `
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
  table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; width: 100% }
  th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left }
  small { color: #666 }
`;

/** A read-only page with all projects and organizations. It shows no secrets. */
export function consolePage(controlPlane: ControlPlane): Html {
  const projects = controlPlane.tables.projects.list({ deleted_at: null }, "ORDER BY created_at DESC");
  const organizations = controlPlane.tables.organizations.list({}, "ORDER BY created_at");
  return html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Local platform</title>
      <style>
        ${raw(styles)}
      </style>
      <h1>Projects</h1>
      ${projects.length === 0 ? html`<p>No projects yet.</p>` : projects.map((row) => projectSection(controlPlane, row))}
      <h1>Organizations</h1>
      ${table(
        ["Organization", "Id", "Plan", "Members"],
        organizations.map((row) => organizationCells(controlPlane, row)),
      )}
    </html> `;
}

function projectSection({ tables }: ControlPlane, project: ProjectRow): Html {
  const branches = tables.branches.list({ project_id: project.id, deleted_at: null }, "ORDER BY created_at");
  const endpoints = tables.endpoints.list({ project_id: project.id, deleted_at: null }, "ORDER BY created_at");
  const operations = tables.operations.list(
    { project_id: project.id },
    "ORDER BY created_at DESC LIMIT ?",
    maxOperations,
  );
  const names = new Map(branches.map(({ id, name }) => [id, name]));
  return html`<section>
    <h2>${project.name} <small>${project.id}, ${project.region_id}</small></h2>
    ${table(
      ["Branch", "Id", "State", "Compute", "Created"],
      branches.map((branch) => branchCells(branch, endpoints)),
    )}
    ${table(
      ["Operation", "Branch", "Compute", "Status", "Duration", "Date"],
      operations.map((operation) => operationCells(operation, names)),
    )}
  </section> `;
}

function organizationCells(controlPlane: ControlPlane, { id, name, plan }: OrganizationRow): string[] {
  const members = listMembers(controlPlane, id).map(({ user_id, role }) => {
    const { email } = controlPlane.tables.users.get({ id: user_id }) ?? { email: user_id };
    return role === "admin" ? `${email} (administrator)` : email;
  });
  return [name, id, plan, members.join(", ")];
}

function branchCells(branch: BranchRow, endpoints: readonly EndpointRow[]): string[] {
  const labels = [branch.default && "default", branch.protected && "protected"].filter((label) => label !== false);
  const computes = endpoints.filter(({ branch_id }) => branch_id === branch.id);
  return [
    [branch.name, ...labels.map((label) => `(${label})`)].join(" "),
    branch.id,
    branch.current_state,
    computes.map(({ id, current_state }) => `${id}: ${current_state}`).join(", "),
    branch.created_at,
  ];
}

function operationCells(operation: OperationRow, names: ReadonlyMap<string, string>): string[] {
  const { action, branch_id = "", endpoint_id = "", status, total_duration_ms, ended, created_at } = operation;
  const title = action.replaceAll("_", " ");
  const duration = ended ? `${(total_duration_ms / 1000).toFixed(1)} s` : "";
  return [
    title.charAt(0).toUpperCase() + title.slice(1),
    names.get(branch_id) ?? branch_id,
    endpoint_id,
    statusLabel(status),
    duration,
    created_at,
  ];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  return html`<table>
    <tr>
      ${headings.map((heading) => html`<th>${heading}</th>`)}
    </tr>
    ${rows.map(
      (cells) =>
        html`<tr>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr> `,
    )}
  </table>`;
}
