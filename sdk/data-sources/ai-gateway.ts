// Generated from api/lookups/ai-gateway.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** Where the AI gateway of a branch is. */
export interface AiGatewayResult {
  /** URL of the gateway, without a path: clients append that of their API. */
  readonly baseUrl: string;
}

/** Arguments of `getAiGateway`. */
export interface GetAiGatewayArgs {
  /** Id of the project. */
  readonly projectId: string;
  /** Id of the branch. */
  readonly branchId: string;
}

const getAiGatewaySource = dataSource<GetAiGatewayArgs, AiGatewayResult>("getAiGateway");

/**
 * Reads where the AI gateway of a branch is. Fails if the branch has none. Neon's API for it is in beta.
 *
 * Clients authenticate with the output `apiToken` of a {@link Credential} that has the scope `ai_gateway:invoke`.
 *
 * Neon API: `GET /projects/{project_id}/branches/{branch_id}/ai_gateway`.
 *
 * @example
 * ```ts
 * const project = new neon.Project("shop", { regionId: "aws-us-east-2" });
 * const gateway = neon.getAiGatewayOutput({ projectId: project.id, branchId: project.defaultBranchId });
 * export const baseUrl = gateway.baseUrl;
 * ```
 */
export function getAiGateway(args: GetAiGatewayArgs, options?: LookupOptions) {
  return getAiGatewaySource.invoke(args, options);
}

/** Output form of {@link getAiGateway}: the arguments can be outputs. */
export function getAiGatewayOutput(args: Inputs<GetAiGatewayArgs>, options?: LookupOptions) {
  return getAiGatewaySource.output(args, options);
}
