import { createHash } from "node:crypto";

/** A random number generator like `Math.random` that returns the same sequence for the same seed. */
export function seededRandom(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed}:${count}`).digest().readUIntBE(0, 6) / 2 ** 48;
  };
}
