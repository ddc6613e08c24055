/** The targets of links on a page: explicit anchors, and those that a code host gives to headings. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id));
  const seen = new Map<string, number>();
  for (const [, title = ""] of text.matchAll(/^#+ (.+)$/gm)) {
    const slug = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** A table, with columns of numbers aligned to the right. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = heads.map((_, column) => (typeof rows[0]?.[column] === "number" ? "--:" : "---"));
  return [heads, lines, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The cells of the first table that has a column of this name. */
export function tableRows(text: string, column: string): string[][] {
  const lines = text.split("\n").map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const rows = lines.slice(lines.findIndex((cells) => cells.includes(column)) + 2);
  return rows.slice(
    0,
    rows.findIndex((cells) => cells.length === 0),
  );
}
