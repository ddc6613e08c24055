import { explained, hasStatus } from "../../../api/core/errors";
import type { Project } from "../../../api/schemas/project";
import { transfers } from "../../../api/schemas/transfer";
import type { Context } from "../../call/context";

/** How long an offer is valid, in seconds. Short, because it is accepted at once. */
const offerSeconds = 120;

/**
 * Transfers a project to another organization, and waits until it belongs there. An organization's project moves with
 * one request. A user's project takes two: an offer, and its acceptance for the organization.
 *
 * @param read reads the project to find out whether the transfer is done, because the platform's response does not say
 */
export async function transferProject(
  context: Context,
  { id, org_id: source }: Project,
  orgId: string,
  read: () => Promise<Project | undefined>,
): Promise<void> {
  const transfer = {
    what: "transfer project",
    project: id,
    applies: ["orgId"],
    done: async () => (await read())?.org_id === orgId,
    silent: true,
  } as const;
  try {
    if (source !== undefined) {
      await context.change({ ...transfer, request: transfers.betweenOrganizations(source, orgId, [id]) });
      return;
    }
    const offer = await context.change({
      what: "offer project",
      request: transfers.offer(id, offerSeconds),
      // An offer whose response is lost cannot be accepted, because its id is unknown. It expires.
      done: () => Promise.resolve(false),
    });
    if (offer === undefined) return;
    await context.change({ ...transfer, request: transfers.accept(id, offer.id, orgId) });
  } catch (error) {
    if (!hasStatus(error, 400, 403, 404, 406, 422)) throw error;
    throw explained(
      `The project ${id} was not transferred to organization ${orgId}`,
      error,
      "A transfer needs a personal API key of the project's owner, or of an administrator of its organization, who is also a member of the other one. The plan of the other organization must have room for the project, and the project no integrations.",
    );
  }
}
