/** Lines around a change. */
const contextLines = 3;

interface Line {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/**
 * The difference between two texts in the unified format of `diff -u`; empty if they are equal.
 *
 * @param name of both files in the header
 */
export function unifiedDiff(name: string, before: string, after: string): string {
  if (before === after) return "";
  const lines = compared(linesOf(before), linesOf(after));
  const label = /^[\w.-]+$/.test(name) ? name : JSON.stringify(name);
  return `--- a/${label}\n+++ b/${label}\n${hunksOf(lines).join("")}`;
}

const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

/** A shortest list of removed and added lines that turns one text into the other (Myers, "An O(ND) Difference Algorithm"). */
function compared(before: readonly string[], after: readonly string[]): Line[] {
  const furthest = new Map([[1, 0]]);
  const rounds: Map<number, number>[] = [];
  for (let distance = 0; ; distance += 1) {
    rounds.push(new Map(furthest));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = isAdded(furthest, diagonal, distance) ? at(furthest, diagonal + 1) : at(furthest, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return pathOf(rounds, before, after);
    }
  }
}

const at = (furthest: ReadonlyMap<number, number>, diagonal: number): number => furthest.get(diagonal) ?? -1;

/** Whether the furthest path to a diagonal ends with an added line, and not with a removed one. */
const isAdded = (furthest: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean =>
  diagonal === -distance || (diagonal !== distance && at(furthest, diagonal - 1) < at(furthest, diagonal + 1));

/** Follows the rounds of the comparison back to the start. */
function pathOf(
  rounds: readonly ReadonlyMap<number, number>[],
  before: readonly string[],
  after: readonly string[],
): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let distance = rounds.length - 1; distance >= 0; distance -= 1) {
    const furthest = rounds[distance] ?? new Map<number, number>();
    const isLineAdded = isAdded(furthest, x - y, distance);
    const previous = x - y + (isLineAdded ? 1 : -1);
    const fromX = distance === 0 ? 0 : at(furthest, previous);
    const fromY = distance === 0 ? 0 : fromX - previous;
    const [startX, startY] = distance === 0 ? [0, 0] : isLineAdded ? [fromX, fromY + 1] : [fromX + 1, fromY];
    for (; x > startX && y > startY; x -= 1, y -= 1) lines.push({ sign: " ", text: before[x - 1] ?? "" });
    if (distance > 0) {
      lines.push(isLineAdded ? { sign: "+", text: after[fromY] ?? "" } : { sign: "-", text: before[fromX] ?? "" });
    }
    [x, y] = [fromX, fromY];
  }
  return lines.reverse();
}

/** Cuts the lines into hunks: changes with the lines around them. */
function hunksOf(lines: readonly Line[]): string[] {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ sign }) => sign !== " "),
  );
  const hunks: string[] = [];
  const next = { "-": 1, "+": 1 };
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (end < lines.length && shown[end] === shown[start]) end += 1;
    const part = lines.slice(start, end);
    const count = (side: "-" | "+"): number => part.filter(({ sign }) => sign === " " || sign === side).length;
    const range = (side: "-" | "+"): string =>
      `${side}${count(side) === 0 ? next[side] - 1 : next[side]},${count(side)}`;
    if (shown[start] === true) {
      hunks.push(`@@ ${range("-")} ${range("+")} @@\n${part.map(({ sign, text }) => `${sign}${text}\n`).join("")}`);
    }
    for (const side of ["-", "+"] as const) next[side] += count(side);
    start = end;
  }
  return hunks;
}
