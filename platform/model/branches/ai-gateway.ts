import type { ProjectRow } from "../projects/project-row";
import type { BranchRow } from "./branch-row";

/** The address of the gateway of a branch to language models, where nothing listens. */
export function aiGatewayUrl({ proxy_host }: ProjectRow, { id }: BranchRow): string {
  return `https://${id}-api.ai.${proxy_host}`;
}
