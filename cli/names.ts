import { kinds } from "../provider/kinds";
import { ruleOf } from "./rules";
import type { Found } from "./scan";

/** The names of an object in a program. */
export interface Name {
  /** The logical name, unique among resources of the same type. */
  readonly logical: string;
  /** The variable that holds the resource, unique in the program. */
  readonly variable: string;
}

/** The beginning of a name, short enough for a line of the program. */
const shortened = /^.{0,48}/su;

/** Words that cannot be the name of a variable, or that the program uses. */
const reserved: ReadonlySet<string> = new Set(
  `abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do else
  enum eval export extends false finally for from function get if implements import in infinity instanceof interface is keep
  let module namespace nan neon never new null number object of org orgId package private protected public pulumi readonly
  require return set static string super switch symbol this throw true try type typeof undefined unknown var void while with
  yield and assert def del elif except exec global lambda nonlocal not or pass print raise None True False self`.split(
    /\s+/,
  ),
);

/**
 * Names all objects. An object gets its own name, with the names of its parents in front if its own is not unique.
 * Names do not depend on the order of the objects. An object keeps its name from an earlier run.
 *
 * @param found parents before their children
 * @param earlier the names in the import file of an earlier run, by {@link keyOf}
 */
export function namesOf(
  found: readonly Found[],
  earlier: ReadonlyMap<string, Name> = new Map(),
): ReadonlyMap<Found, Name> {
  const kept = new Map(
    found.flatMap((one) => {
      const name = earlier.get(keyOf(one.kind, one.id));
      return name === undefined ? [] : [[one, name] as const];
    }),
  );
  const titles = new Map(found.map((one) => [keyOf(one.kind, one.id), titleOf(one)]));
  const logical = uniqueNames(found, {
    candidates: (one) => {
      const parents = parentsOf(one).flatMap((key) => titles.get(key) ?? []);
      // First the object's own name, then with its nearest parent, then with two parents.
      return [0, 1, 2].map((count) => slug([...parents.slice(0, count).reverse(), titleOf(one)].join("-")));
    },
    kept: new Map([...kept].map(([one, name]) => [one, name.logical])),
    isApart: (one) => one.kind,
    numbered: (name, number) => `${name}-${number}`,
  });
  const variables = uniqueNames(found, {
    candidates: (one) => {
      const { kind } = one;
      const name = variableOf(logical.get(one) ?? "");
      const isWord = /^[a-z]/i.test(name);
      const long = isWord ? `${name}${kind}` : `${lowerFirst(kind)}${name}`;
      return [isWord && !reserved.has(name) ? name : undefined, long];
    },
    kept: new Map([...kept].map(([one, name]) => [one, name.variable])),
    isApart: () => "",
    numbered: (name, number) => `${name}${number}`,
  });
  return new Map(found.map((one) => [one, { logical: logical.get(one) ?? "", variable: variables.get(one) ?? "" }]));
}

interface Naming {
  /** Possible names of an object, the best one first. */
  readonly candidates: (one: Found) => readonly (string | undefined)[];
  /** Names from an earlier run, which stay. */
  readonly kept: ReadonlyMap<Found, string>;
  /** The scope of an object's name: names are unique in each scope. */
  readonly isApart: (one: Found) => string;
  readonly numbered: (name: string, number: number) => string;
}

/**
 * Gives each object its first candidate that no other object wants at the same level. If there is none, numbers the
 * last candidate.
 */
function uniqueNames(found: readonly Found[], naming: Naming): ReadonlyMap<Found, string> {
  const { candidates, kept, isApart, numbered } = naming;
  const names = new Map(kept);
  const taken = new Set([...kept].map(([one, name]) => `${isApart(one)}/${name}`));
  let left = found
    .filter((one) => !kept.has(one))
    .map((one) => ({ one, wanted: candidates(one), space: isApart(one) }));
  const levels = Math.max(0, ...left.map(({ wanted }) => wanted.length));
  for (let level = 0; level < levels; level += 1) {
    const keyAt = ({ wanted, space }: (typeof left)[number]): string | undefined => {
      const name = wanted[level] ?? "";
      return name === "" ? undefined : `${space}/${name}`;
    };
    const counts = new Map<string, number>();
    for (const entry of left) counts.set(keyAt(entry) ?? "", (counts.get(keyAt(entry) ?? "") ?? 0) + 1);
    left = left.filter((entry) => {
      const key = keyAt(entry);
      if (key === undefined || counts.get(key) !== 1 || taken.has(key)) return true;
      taken.add(key);
      names.set(entry.one, entry.wanted[level] ?? "");
      return false;
    });
  }
  for (const { one, wanted, space } of left) {
    const base = wanted.findLast((name) => name !== undefined && name !== "") ?? one.kind;
    let name = base;
    for (let number = 2; taken.has(`${space}/${name}`); number += 1) name = numbered(base, number);
    taken.add(`${space}/${name}`);
    names.set(one, name);
  }
  return names;
}

/** The keys of the objects that an object belongs to, the nearest first. */
function parentsOf({ kind, id, outputs }: Found): readonly string[] {
  const { projectId, branchId } = outputs;
  const parents = [
    ...(typeof branchId === "string" ? [keyOf("Branch", kinds.Branch.id({ projectId, branchId }))] : []),
    ...(typeof projectId === "string" ? [keyOf("Project", kinds.Project.id({ projectId }))] : []),
  ];
  return parents.filter((key) => key !== keyOf(kind, id));
}

export function keyOf(kind: string, id: string): string {
  return `${kind} ${id}`;
}

/** The name of an object, or its kind if the name has no usable character. */
function titleOf({ kind, outputs }: Found): string {
  return slug(ruleOf(kind).title(outputs)) || slug(kinds[kind].noun);
}

/** A text with only letters, digits, underscores and dashes. */
function slug(text: string): string {
  const plain = text.normalize("NFC").replace(/[^\p{L}\p{M}\p{Nd}_]+/gu, "-");
  return (shortened.exec(plain)?.[0] ?? "").replace(/^-+|-+$/g, "");
}

/** Converts a logical name to a variable name in ASCII letters, such as `pr-twelve` to `prTwelve`. */
function variableOf(name: string): string {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "");
  const words = plain.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word, index) => (index === 0 ? lowerFirst(word) : upperFirst(word))).join("");
}

function upperFirst(text: string): string {
  const [first = "", ...others] = text;
  return first.toUpperCase() + others.join("");
}

function lowerFirst(text: string): string {
  const [first = "", ...others] = text;
  return first.toLowerCase() + others.join("");
}
