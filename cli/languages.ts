import type { Program } from "./print/program";
import { python } from "./print/python";
import { typeScript } from "./print/typescript";
import { yaml } from "./print/yaml";

/** A language in which the command writes programs. */
interface Language {
  /** The file that Pulumi runs. */
  readonly file: string;
  readonly print: (program: Program) => string;
  /** Matches code that declares nothing: comments and imports, as in the file that `pulumi new` creates. */
  readonly nothing: RegExp;
}

/** The languages, by their names in `--program`. */
export const languages = {
  typescript: { file: "index.ts", print: typeScript, nothing: /\/\/.*|\/\*[^]*?\*\/|^import\b.*$/gm },
  yaml: { file: "Main.yaml", print: yaml, nothing: /#.*/g },
  python: { file: "__main__.py", print: python, nothing: /"""[^]*?"""|#.*|^(?:import|from)\b.*$/gm },
} as const satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof languages;
