import { ignoreNotFound, invalid, isNotFound, summaryOf } from "../../api/core/errors";
import type { Request } from "../../api/core/request";
import type { Reader } from "../call/collection";

/**
 * A list of what belongs to another object. Undefined if that object does not exist, either: a list that is not found says
 * nothing about what it holds.
 *
 * @param parent reads the object to which the list belongs
 */
export async function listOf<Answer>(
  reader: Pick<Reader, "read">,
  list: Promise<Answer>,
  parent: Request<unknown>,
): Promise<Answer | undefined> {
  try {
    return await list;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if ((await ignoreNotFound(reader.read(parent))) === undefined) return undefined;
    throw invalid(`The list was not found, but what it belongs to exists (${summaryOf(error)})`, {
      cause: error,
      retry: "Run the same command again.",
    });
  }
}
