import { createHash } from "node:crypto";

/** A sequence of numbers from 0 to below 1 that is the same for the same seed. */
export function seededRandom(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed}:${count}`).digest().readUIntBE(0, 6) / 2 ** 48;
  };
}
