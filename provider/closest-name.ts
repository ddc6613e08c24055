import { distance } from "fastest-levenshtein";

/** The name that was probably meant by a misspelled one, if one is close. */
export function closestName(wrong: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  const [closest] = names
    .map((name) => ({ name, steps: distance(plain(name), plain(wrong)) }))
    .sort((one, other) => one.steps - other.steps);
  return closest !== undefined && closest.steps <= 2 ? closest.name : undefined;
}
