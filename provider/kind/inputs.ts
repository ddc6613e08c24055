import { z } from "zod";

import { invalid } from "../../api/core/errors";
import { objectId } from "../../api/schemas/wire";
import { Content, type ContentType } from "../content";
import type { Defaults } from "./kind";

export {
  cloudId as cloudIdInput,
  idArgument as idInput,
  ofBranch,
  ofOrganization,
  ofProject,
} from "../../api/lookups/id-argument";

/**
 * Adopts an existing object instead of creating one: the object with this id or, if `true`, the one with the same name.
 * The description follows from the kind.
 */
export const adopt = z.union([z.boolean(), objectId], { error: "must be an id, true or false" }).optional();

/** An input whose change triggers an effect. */
export function trigger(effect: string) {
  return z
    .string()
    .optional()
    .describe(
      `Any string. Changing it, or adding it later, ${effect}. Creating or adopting the resource does not do so, and removing the property has no effect.`,
    );
}

/** An input that is a file. */
export const asset = contentOf("asset", "an asset: a file, a text or a URL");

/** An input that is an archive of files. */
export const archive = contentOf("archive", "an archive: a folder, a zip file or a map of files");

function contentOf(type: ContentType, wanted: string) {
  const other = type === "asset" ? "an archive" : "an asset";
  return z
    .custom<Content>((value) => value instanceof Content && value.type === type, {
      error: ({ input }) => `must be ${wanted}, not ${input instanceof Content ? other : "its name as text"}`,
      // Combinations of other inputs are checked, too.
      abort: false,
    })
    .meta({ content: type });
}

/** The organization of a resource: the declared one, or the one in the provider's settings. */
export function organizationOf(defaults: Defaults, declared: string | undefined): string {
  const orgId = declared ?? defaults.orgId;
  if (orgId !== undefined) return orgId;
  // `check` requires an organization, but the settings can have changed since.
  throw invalid("orgId is required: declare it, or set neon:orgId");
}

/** The only object with a name. Throws if there are several, because a guess could adopt the wrong one. */
export function onlyMatch<Found extends { readonly id: string }>(
  matches: readonly Found[],
  description: string,
  orElse = "",
): Found | undefined {
  if (matches.length < 2) return matches[0];
  const ids = matches.map(({ id }) => id).join(", ");
  throw invalid(`There are ${matches.length} ${description}: ${ids}`, { fix: `Adopt one of them by its id${orElse}.` });
}
