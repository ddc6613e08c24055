import { createHash } from "node:crypto";
import { join } from "node:path";

import { projectFile } from "../../api/project-file";
import { backendOf, type BackendFacts, textOf } from "./backend";
import { newId } from "./ids";

/**
 * The Pulumi organization of a stack, for protocols that do not name it. Undefined for a backend without organizations: a
 * folder or a bucket. If nothing names the organization, the stack is told from all others.
 */
export function pulumiOrganizationOf(place: BackendFacts, urn: string): string | undefined {
  return /^https?:/.test(backendOf(place) ?? "") ? (selectedOrganization(place, urn) ?? newId()) : undefined;
}

/**
 * What the workspace says: `pulumi stack select` notes the stack of a program's folder with its organization. Undefined if
 * another stack is selected, or none is.
 */
function selectedOrganization({ home, folder }: BackendFacts, urn: string): string | undefined {
  const [stack, project] = urn.replace(/^urn:pulumi:/, "").split("::");
  const file = projectFile(folder);
  if (file === undefined || project === undefined) return undefined;
  const place = createHash("sha1").update(file).digest("hex");
  const text = textOf(join(home, "workspaces", `${project}-${place}-workspace.json`));
  const [organization, ...selected] = selectedStack(text ?? "").split("/");
  return selected.join("/") === `${project}/${stack ?? ""}` ? organization : undefined;
}

function selectedStack(workspace: string): string {
  try {
    const { stack } = JSON.parse(workspace) as { readonly stack?: unknown };
    return typeof stack === "string" ? stack : "";
  } catch {
    return "";
  }
}
