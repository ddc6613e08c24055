import { isUserMap, snakeKey } from "../../api/core/camel-case";
import { type Declaration, type Expression, isList, isMembers, type Program, Reference } from "./program";

/** The line width of Python's formatters. */
const width = 88;

/** A program in Python, for a `__main__.py`. */
export function python({ constants, groups }: Program): string {
  const before = [
    "import pulumi",
    "import neon_pulumi as neon",
    "",
    ...constants.map(([name, value]) => `${snakeKey(name)} = ${flat(value)}`),
    "keep = pulumi.ResourceOptions(protect=True)",
  ];
  return [before, ...groups.map((group) => group.map(declaration))].map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function declaration({ variable, isReferenced, kind, name, args }: Declaration): string {
  const start = `${isReferenced ? `${snakeKey(variable)} = ` : ""}neon.${kind}(`;
  const named = Object.entries(args).map(([key, value]) => [`${snakeKey(key)}=`, value, isUserMap(key)] as const);
  const line = [flat(name), ...named.map(([key, value, isMap]) => `${key}${flat(value, isMap)}`), "opts=keep"];
  if (start.length + line.join(", ").length < width) return `${start}${line.join(", ")})`;
  const lines = [flat(name), ...named.map(([key, value, isMap]) => fitted(key, value, 4, isMap)), "opts=keep"];
  return [start, ...lines.map((one) => `    ${one},`), ")"].join("\n");
}

/** Prints an expression after a text: on the same line if it fits, or else with one line per member. */
function fitted(before: string, value: Expression, indent: number, isMap: boolean): string {
  const line = `${before}${flat(value, isMap)}`;
  const items = isList(value)
    ? value.map((item) => ["", item, false] as const)
    : isMembers(value)
      ? Object.entries(value).map(([key, member]) => [`${keyOf(key, isMap)}: `, member, isUserMap(key)] as const)
      : [];
  if (indent + line.length < width || items.length === 0) return line;
  const [open, close] = isList(value) ? "[]" : "{}";
  const inner = items.map(
    ([key, item, isInner]) => `${" ".repeat(indent + 4)}${fitted(key, item, indent + 4, isInner)},`,
  );
  return [`${before}${open ?? ""}`, ...inner, `${" ".repeat(indent)}${close ?? ""}`].join("\n");
}

/** @param isMap whether the members are a map, whose names are the user's */
function flat(value: Expression, isMap = false): string {
  if (value instanceof Reference)
    return [value.variable, value.output]
      .flatMap((one) => one ?? [])
      .map(snakeKey)
      .join(".");
  // A JSON string literal is also a Python string literal.
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (isList(value)) return `[${value.map((item) => flat(item)).join(", ")}]`;
  if (!isMembers(value)) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${keyOf(key, isMap)}: ${flat(member, isUserMap(key))}`);
  return `{${members.join(", ")}}`;
}

function keyOf(name: string, isMap: boolean): string {
  return JSON.stringify(isMap ? name : snakeKey(name));
}
