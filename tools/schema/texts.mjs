// The comments of `sdk/` as descriptions for every language.
import { Failure } from "../base/failure.mjs";
import { commentOf } from "./reflection.mjs";

/** @typedef {import("typedoc").CommentDisplayPart} Part */

/**
 * What the comments say to programs in TypeScript only, and what holds in every language.
 *
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
const replacements = [
  [/the stack's `neon:\w+`, or else /, ""],
  [/ An output without a value is an error: .* is such an output\./, ""],
  [/(?<=\. )`neon:orgId`(?= is not used)/, "The provider's `orgId`"],
  [/`neon:orgId`/g, "the provider's `orgId`"],
  [
    /A promise cannot be marked as secret: .* whose result is secret\./,
    "The `uri` is a secret. A form of this function that returns a plain value loses that mark: use the one that returns an output.",
  ],
  [/`getConnectionUriOutput`/, "`getConnectionUri`"],
  [/`ComputeArgs`/, "the property `compute` of a `Branch`"],
  [/`\{\}` creates one/, "An empty object creates one"],
  [
    /A literal `true` also sets Pulumi's resource option `protect`, unless you set .* yourself: Pulumi then refuses/,
    "Set Pulumi's resource option `protect` as well: Pulumi then refuses",
  ],
];

/** What only a program in TypeScript can have. */
const typeScript = /\b(pulumi|neon)\.[a-z]|=>|\bawait\b|\w<|\w(Output|Args)\b|\b[Pp]romise\b|`\{\}`/;

export class Texts {
  /** @type {Set<RegExp>} */
  used = new Set();

  /**
   * The description of something that has a comment.
   *
   * @param {import("typedoc").DeclarationReflection} described
   * @param {readonly string[]} [values] The only values that are allowed.
   * @returns {{ description: string, deprecationMessage?: string }}
   */
  of(described, values = []) {
    const comment = commentOf(described);
    const description = this.neutral(textOf(comment?.summary ?? []));
    const name = described.getFullName();
    if (description === "") throw new Failure(`${name} in sdk/ has no description.`);
    const deprecation = comment?.blockTags.find(({ tag }) => tag === "@deprecated");
    return {
      description: withValues(description, values),
      ...(deprecation === undefined ? {} : { deprecationMessage: this.neutral(textOf(deprecation.content)) }),
    };
  }

  /** @param {string} text */
  neutral(text) {
    let result = text;
    for (const [pattern, instead] of replacements) {
      const replaced = result.replace(pattern, instead);
      if (replaced !== result) this.used.add(pattern);
      result = replaced;
    }
    if (typeScript.test(result)) {
      throw new Failure(`"${result}" is for programs in TypeScript only. Add a replacement to tools/schema/texts.mjs.`);
    }
    return result.trim();
  }

  /** Fails if a replacement is not needed any more. */
  assertAllReplaced() {
    const unused = replacements.filter(([pattern]) => !this.used.has(pattern)).map(([pattern]) => String(pattern));
    if (unused.length > 0) throw new Failure(`tools/schema/texts.mjs: ${unused.join(", ")} selects nothing.`);
  }
}

/**
 * Links become plain names, and paragraphs single lines.
 *
 * @param {readonly Part[]} parts
 */
function textOf(parts) {
  const text = parts.map((part) => (part.kind === "inline-tag" ? `\`${part.text}\`` : part.text)).join("");
  return text.replaceAll(/(?<!\n)\n(?![\n-])/g, " ").trim();
}

/**
 * @param {string} description
 * @param {readonly string[]} values
 */
function withValues(description, values) {
  if (values.every((value) => description.includes(`\`${value}\``))) return description;
  const names = values.map((value) => `\`${value}\``);
  return `${description} Must be ${names.join(", ").replace(/, (?=[^,]+$)/, " or ")}.`;
}
