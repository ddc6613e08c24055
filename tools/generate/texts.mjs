// Descriptions as every language shows them.
import { Failure } from "../base/failure.mjs";

/**
 * What descriptions say to programs in TypeScript only, and what holds in every language.
 *
 * @type {readonly (readonly [pattern: RegExp, instead: string])[]}
 */
const replacements = [
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
   * A description without links, each paragraph on one line.
   *
   * @param {string} text
   */
  neutral(text) {
    let result = text.replaceAll(/\{@link (\w+)\}/g, "`$1`").replaceAll(/(?<!\n)\n(?![\n-])/g, " ");
    for (const [pattern, instead] of replacements) {
      const replaced = result.replace(pattern, instead);
      if (replaced !== result) this.used.add(pattern);
      result = replaced;
    }
    if (typeScript.test(result)) {
      throw new Failure(
        `"${result}" is for programs in TypeScript only. Add a replacement to tools/generate/texts.mjs.`,
      );
    }
    return result.trim();
  }

  /** Fails if a replacement is not needed any more. */
  assertAllReplaced() {
    const unused = replacements.filter(([pattern]) => !this.used.has(pattern)).map(([pattern]) => String(pattern));
    if (unused.length > 0) throw new Failure(`tools/generate/texts.mjs: ${unused.join(", ")} selects nothing.`);
  }
}
