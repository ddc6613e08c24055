import { type Declaration, type Expression, isList, isMembers, type Program, Reference } from "./program";

/** The line width of this project's own programs. */
const width = 120;

/** A member with a name shorter than this stays on one line with its text. */
const shortKey = 5;

/** A program in a form that Prettier does not change. */
export function typeScript({ constants, groups }: Program): string {
  const before = [
    'import * as neon from "neon-pulumi";',
    "",
    ...constants.map(([name, value]) => printConstant(name, value)),
    printConstant("keep", { protect: true }),
  ];
  return [before, ...groups.map((group) => group.map(printDeclaration))]
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

/** Prints a statement: on one line, or each property on a line of its own. */
export function printDeclaration(declaration: Declaration): string {
  const printer = new Printer(false);
  const text = printer.declaration(declaration);
  // The width of some characters depends on the formatter. Escaped characters have a fixed width.
  return printer.isUncertain ? new Printer(true).declaration(declaration) : text;
}

/** Prints the definition of a constant. */
export function printConstant(name: string, value: Expression): string {
  return `const ${name} = ${new Printer(false).flat(value)};`;
}

class Printer {
  /** Whether it is uncertain that a line fits. */
  isUncertain = false;
  readonly #isEscaping: boolean;

  constructor(isEscaping: boolean) {
    this.#isEscaping = isEscaping;
  }

  declaration({ variable, isReferenced, kind, name, args: members }: Declaration): string {
    const args: readonly Expression[] = [name, members, new Reference("keep")];
    const start = `${isReferenced ? `const ${variable} = ` : ""}new neon.${kind}(`;
    const line = `${start}${args.map((arg) => this.flat(arg)).join(", ")});`;
    if (!args.some(isNeverFlat) && this.#fits(line)) return line;
    return [start, ...args.map((arg) => `  ${this.#fitted("", arg, 2)},`), ");"].join("\n");
  }

  /** An expression on one line. */
  flat(value: Expression): string {
    if (value instanceof Reference) return [value.variable, value.output].filter(Boolean).join(".");
    if (typeof value === "string") return this.#quoted(value);
    if (isList(value)) return `[${value.map((item) => this.flat(item)).join(", ")}]`;
    if (!isMembers(value)) return String(value);
    const members = Object.entries(value).map(([name, member]) =>
      isShorthand(name, member) ? name : `${this.#key(name)}: ${this.flat(member)}`,
    );
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }

  /** Prints an expression with one line per member. */
  #expanded(value: Expression, indent: number): string {
    const [inner, end] = [" ".repeat(indent + 2), " ".repeat(indent)];
    if (isMembers(value) && Object.keys(value).length > 0) {
      const lines = Object.entries(value).map(([name, member]) => `${inner}${this.#member(name, member, indent + 2)},`);
      return ["{", ...lines, `${end}}`].join("\n");
    }
    if (isList(value) && value.length > 0) {
      const lines = value.map((item) => `${inner}${this.#fitted("", item, indent + 2)},`);
      return ["[", ...lines, `${end}]`].join("\n");
    }
    return this.flat(value);
  }

  #member(name: string, value: Expression, indent: number): string {
    if (isShorthand(name, value)) return name;
    const key = this.#key(name);
    const isText = typeof value === "string";
    // A long text moves to its own line, unless the name is so short that this gains almost nothing.
    if (!isText || key.length < shortKey || this.#fits(`${" ".repeat(indent)}${key}: ${this.flat(value)},`)) {
      return this.#fitted(`${key}: `, value, indent);
    }
    return `${key}:\n${" ".repeat(indent + 2)}${this.flat(value)}`;
  }

  /** Prints an expression after a text: on the same line if it fits, or else on several lines. */
  #fitted(before: string, value: Expression, indent: number): string {
    const line = `${before}${this.flat(value)}`;
    const isFlat = !isNeverFlat(value) && this.#fits(`${" ".repeat(indent)}${line},`);
    return isFlat ? line : `${before}${this.#expanded(value, indent)}`;
  }

  #fits(line: string): boolean {
    const { least, most } = widthOf(line);
    if (least <= width && most > width) this.isUncertain = true;
    return most <= width;
  }

  #key(name: string): string {
    // A plain `__proto__` key would set the prototype.
    if (name === "__proto__") return '["__proto__"]';
    return /^[A-Za-z_$][\w$]*$/.test(name) ? name : this.#quoted(name);
  }

  /** A string literal, in the quotes that need fewer escapes. */
  #quoted(text: string): string {
    const isDouble = text.split('"').length <= text.split("'").length;
    const json = JSON.stringify(text);
    const literal = isDouble
      ? json
      : `'${json
          .slice(1, -1)
          .replaceAll(String.raw`\"`, '"')
          .replaceAll("'", String.raw`\'`)}'`;
    if (!this.#isEscaping) return literal;
    return literal.replace(/[^ -~]/g, (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
}

/**
 * The minimum and maximum width of a line. They differ if Prettier and other tools may measure a character differently.
 */
function widthOf(line: string): { readonly least: number; readonly most: number } {
  const isSequence = joins.test(line);
  let [least, most] = [0, 0];
  for (const character of line) {
    const isWide = wide.test(character) || (emoji.test(character) && !isSequence);
    most += narrow.test(character) ? 1 : 2;
    if (narrow.test(character)) least += 1;
    else if (isWide) least += 2;
  }
  return { least, most };
}

const narrow = /^[ -~\u00a1-\u024f]$/u;
const wide = /^[\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
/** Characters that join several emoji into one. */
const joins = /\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}\p{Emoji_Modifier}]/u;

/**
 * Whether Prettier never prints an expression on one line: it contains a list of objects or lists that each have
 * several members.
 */
function isNeverFlat(value: Expression): boolean {
  if (isMembers(value)) return Object.values(value).some(isNeverFlat);
  if (!isList(value)) return false;
  const isSame = value.every(isMembers) || value.every(isList);
  const hasSeveral = (item: Expression): boolean =>
    (isMembers(item) && Object.keys(item).length > 1) || (isList(item) && item.length > 1);
  return (value.length > 1 && isSame && value.every(hasSeveral)) || value.some(isNeverFlat);
}

function isShorthand(name: string, value: Expression): boolean {
  return value instanceof Reference && value.output === undefined && value.variable === name;
}
