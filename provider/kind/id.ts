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

/** How an id in state names an object. */
export interface Identified<Name extends string, Outputs> {
  /** The names of the outputs that an id holds, in this order. */
  readonly addressNames: readonly Name[];
  /** These outputs, from an id; those that it cannot hold are empty. */
  readonly address: (id: string) => Partial<Outputs>;
  /** The id in state of an object. */
  readonly id: (outputs: Partial<Outputs>) => string;
}

/** The id of a kind holds these outputs, one after the other. */
export function identifiedBy<Outputs>(
  names: readonly (keyof Outputs & string)[],
): Identified<keyof Outputs & string, Outputs> {
  return {
    addressNames: names,
    address: (id) => {
      const segments = segmentsOf(id);
      return Object.fromEntries(
        names.map((name, index) => [name, valueOf(name, segments[index] ?? "")]),
      ) as Partial<Outputs>;
    },
    id: (outputs) => idOf(...names.map((name) => String(outputs[name] ?? ""))),
  };
}

/** The output that a segment holds. API keys are numbered. */
function valueOf(name: string, segment: string): string | number {
  if (name === "keyId") return /^\d+$/.test(segment) ? Number(segment) : NaN;
  return !givenByNeon.includes(name) || platformId.safeParse(segment).success ? segment : "";
}
