import { decoded } from "../../api/core/request";
import { platformId } from "../../api/schemas/wire";

/** An id in state: its segments percent-encoded, with slashes between. */
export function idOf(...segments: readonly string[]): string {
  return segments.map(encodedSegment).join("/");
}

/** Replaces half a character, which has no place in an id: a request with such a text is refused elsewhere. */
function encodedSegment(segment: string): string {
  try {
    return encodeURIComponent(segment);
  } catch {
    return encodeURIComponent(segment.replace(/\p{Surrogate}/gu, "\ufffd"));
  }
}

export function segmentsOf(id: string): readonly string[] {
  return id.split("/").map(plainSegment);
}

/** The last segment that `adopt` means: it may be given alone, as it is, or at the end of a whole id in state. */
export function adoptedSegment(adopt: string, ...before: readonly string[]): string {
  const start = `${idOf(...before)}/`;
  return before.length > 0 && adopt.startsWith(start) ? plainSegment(adopt.slice(start.length)) : adopt;
}

/** A segment before it was encoded. One that cannot have been encoded is a name with a percent sign in it. */
function plainSegment(segment: string): string {
  return decoded(segment) ?? segment;
}

/** Names of ids whose form is known. */
const givenByNeon: readonly string[] = ["projectId", "branchId", "endpointId", "orgId", "snapshotId"];

/** The address and id of a kind: an id in state holds these outputs, one after the other; an id that cannot be one is empty. */
export function identifiedBy<Name extends string>(
  ...names: readonly Name[]
): {
  readonly addressNames: readonly Name[];
  readonly address: (id: string) => Readonly<Record<Name, string>>;
  readonly id: (outputs: Readonly<Partial<Record<Name, string>>>) => string;
} {
  return {
    addressNames: names,
    address: (id) => {
      const segments = segmentsOf(id);
      const isPossible = (name: Name, segment: string): boolean =>
        !givenByNeon.includes(name) || platformId.safeParse(segment).success;
      return Object.fromEntries(
        names.map((name, index) => {
          const segment = segments[index] ?? "";
          return [name, isPossible(name, segment) ? segment : ""];
        }),
      ) as Record<Name, string>;
    },
    id: (outputs) => idOf(...names.map((name) => outputs[name] ?? "")),
  };
}
