import type { ApiKeysListResponseItem } from "@neondatabase/api-client";

import type { Values } from "../dynamic-server";
import type { Stage } from "../stage";

/** Where keys like this one are listed: those of a user, or of an organization. */
function pathOf({ orgId }: Values): string {
  return typeof orgId === "string" ? `/organizations/${orgId}/api_keys` : "/api_keys";
}

/** Revokes a key as somebody else would. */
export async function revokeKey(stage: Stage, outputs: Values): Promise<void> {
  await stage.platform.call("DELETE", `${pathOf(outputs)}/${String(outputs["keyId"])}`);
}

/** Whether a key is valid. */
export async function keyExists(stage: Stage, outputs: Values): Promise<boolean> {
  const { body } = await stage.platform.call("GET", pathOf(outputs));
  return (body as unknown as ApiKeysListResponseItem[]).some(({ id }) => id === outputs["keyId"]);
}
