import { decoded } from "../../api/core/request";
import { platformId } from "../../api/schemas/wire";

/** An id in the state: percent-encoded segments with slashes between them. */
export function idOf(...segments: readonly string[]): string {
  return segments.map(encodedSegment).join("/");
}

/**
 * Encodes a segment. A lone surrogate cannot be encoded, so it is replaced: a request with such a text is refused
 * elsewhere.
 */
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

/**
 * The last segment of the id that `adopt` names. A program may pass this segment alone and unencoded, or the whole id
 * from the state.
 */
export function adoptedSegment(adopt: string, ...before: readonly string[]): string {
  const start = `${idOf(...before)}/`;
  return before.length > 0 && adopt.startsWith(start) ? plainSegment(adopt.slice(start.length)) : adopt;
}

/** Decodes a segment. If it cannot have been encoded, it is a name with a percent sign and stays as it is. */
function plainSegment(segment: string): string {
  return decoded(segment) ?? segment;
}

/** Outputs with ids that Neon assigns: their form is known. */
const givenByNeon: readonly string[] = ["projectId", "branchId", "endpointId", "orgId", "snapshotId"];

/** Conversion between an id in the state and the outputs in it. */
export interface Identified<Name extends string, Outputs> {
  /** The names of the outputs that an id consists of, in this order. */
  readonly addressNames: readonly Name[];
  /** Parses an id into these outputs. An output whose segment cannot be its value is empty. */
  readonly address: (id: string) => Partial<Outputs>;
  /** The object's id in the state. */
  readonly id: (outputs: Partial<Outputs>) => string;
}

/** The id of a kind consists of these outputs, one segment each. */
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

/** The output that a segment holds. Only ids of API keys are numbers. */
function valueOf(name: string, segment: string): string | number {
  if (name === "keyId") return /^\d+$/.test(segment) ? Number(segment) : NaN;
  return !givenByNeon.includes(name) || platformId.safeParse(segment).success ? segment : "";
}
