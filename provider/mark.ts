import { createHash, randomBytes } from "node:crypto";

/** What an object made by an attempt carries: whose it is, and which attempt made it. */
export interface Mark {
  /** A hash of the resource's URN: the URN itself is nobody else's business. */
  readonly owner: string;
  /** A number of this attempt alone. */
  readonly attempt: string;
}

/** Whose objects are those of this resource. */
export function ownerOf(urn: string): string {
  return createHash("sha256").update(urn).digest("hex").slice(0, 24);
}

/** A mark for a new attempt. */
export function newMark(urn: string): Mark {
  return { owner: ownerOf(urn), attempt: randomBytes(8).toString("hex") };
}

/** A mark as it is stored. */
export function markText({ owner, attempt }: Mark): string {
  return `${owner}.${attempt}`;
}

/** A stored mark, if it is one of ours. */
export function parseMark(text: string | undefined): Mark | undefined {
  const [owner, attempt, ...rest] = (text ?? "").split(".");
  return owner && attempt && rest.length === 0 ? { owner, attempt } : undefined;
}
