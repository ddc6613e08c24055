import { parseArgs } from "node:util";

import { invalid } from "../api/core/errors";
import { closestName } from "../provider/closest-name";
import type { KindName } from "../provider/frozen-entry";
import { kinds } from "../provider/kinds";
import { type LanguageName, languages } from "./languages";

/** The options of `neon-pulumi import`. */
export interface ImportOptions {
  /** Ids of projects, in addition to those of `organizations`. If both are empty: everything that the key sees. */
  readonly projects: readonly string[];
  readonly organizations: readonly string[];
  /** Patterns of the names of branches, in which `*` is any text. Undefined: all. */
  readonly branches: readonly string[] | undefined;
  /** Undefined: all. */
  readonly types: readonly KindName[] | undefined;
  /** Path of a Terraform state, or of the output of `pulumi stack export`. */
  readonly from: string | undefined;
  /** The folder of the files. */
  readonly out: string;
  /** The language of the program. Undefined: no program is written. */
  readonly program: LanguageName | undefined;
  readonly isCheck: boolean;
  readonly isForced: boolean;
}

/** The parsed arguments: a command, or a text to print. */
export type Parsed = { readonly import: ImportOptions } | { readonly text: "help" | "version" | "mapping" };

export const usage = `Usage: neon-pulumi import [options]
       neon-pulumi mapping

Writes an import file for \`pulumi import --file\`, and a program, from what exists in a Neon account.
The account is that of NEON_API_KEY. No request changes anything.

  --project <id>        read this project; may be repeated
  --organization <id>   read this organization and its projects; may be repeated
                        (default without both: all that the key sees)
  --branches <pattern>  only branches of these names, such as main or "release/*"; may be repeated
  --types <types>       only these types, such as Project,Branch,Database
  --from <file>         only what a Terraform state or the output of \`pulumi stack export\` names
  --program [language]  also write a program: typescript (default), yaml or python
  --out <folder>        where to write import.json and the program (default: this folder)
  --check               write nothing: compare, and exit with 1 if something would change
  --force               replace files that exist
  --help, --version

\`mapping\` prints the names of the Terraform providers, for \`pulumi convert --mappings neon.json\`.
`;

const options = {
  project: { type: "string", multiple: true },
  organization: { type: "string", multiple: true },
  branches: { type: "string", multiple: true },
  types: { type: "string", multiple: true },
  from: { type: "string" },
  program: { type: "string" },
  out: { type: "string" },
  check: { type: "boolean" },
  force: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** @throws NeonError `invalid` if the arguments are wrong */
export function parseArguments(args: readonly string[]): Parsed {
  const { values, positionals } = parsed(args);
  if (values.help === true || args.length === 0) return { text: "help" };
  if (values.version === true) return { text: "version" };
  const [command, ...others] = positionals;
  if (command === "mapping" && others.length === 0) return { text: "mapping" };
  if (command !== "import" || others.length > 0) {
    throw wrong(command === undefined ? "The command is missing" : `"${others[0] ?? command}" is no command`);
  }
  const { project: projects = [], organization: organizations = [], branches, types, from, out = "." } = values;
  const empty = Object.entries({ project: projects, organization: organizations, branches, types, from, out }).find(
    ([, value]) => [value].flat().includes(""),
  );
  if (empty !== undefined) throw wrong(`--${empty[0]} is empty`);
  const narrowing = Object.entries({ project: projects, organization: organizations, branches: branches ?? [] });
  const [ignored] = narrowing.find(([, given]) => given.length > 0) ?? [];
  if (from !== undefined && ignored !== undefined) {
    throw wrong(`--from reads what its file names: it cannot be combined with --${ignored}`);
  }
  return {
    import: {
      projects: [...new Set(projects)],
      organizations: [...new Set(organizations)],
      branches,
      types: types?.flatMap((list) => list.split(",")).map(kindNamed),
      from,
      out,
      program: values.program === undefined ? undefined : languageNamed(values.program),
      isCheck: values.check === true,
      isForced: values.force === true,
    },
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: withLanguage(args), options, allowPositionals: true });
  } catch (error) {
    const unknown = /Unknown option '--([^']*)'/.exec(error instanceof Error ? error.message : "")?.[1];
    if (unknown === undefined)
      throw wrong((error instanceof Error ? error.message : String(error)).split(". ", 1)[0] ?? "");
    const meant = closestName(unknown, Object.keys(options));
    throw wrong(`There is no option --${unknown}${meant === undefined ? "" : `; did you mean --${meant}?`}`);
  }
}

/** The arguments, with the default language added to a `--program` without a value. */
function withLanguage(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const isAlone = arg === "--program" && /^(-|$)/.test(args[index + 1] ?? "");
    return isAlone ? [arg, "typescript"] : [arg];
  });
}

function languageNamed(name: string): LanguageName {
  const names = Object.keys(languages) as LanguageName[];
  const found = names.find((one) => one === name.toLowerCase());
  if (found !== undefined) return found;
  throw wrong(`This command writes no programs in "${name}", only in ${names.join(", ")}`);
}

function kindNamed(text: string): KindName {
  const names = Object.keys(kinds) as KindName[];
  const name = text.trim();
  const found = names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const meant = closestName(name, names);
  throw wrong(
    `There is no type "${name}"${meant === undefined ? `; there are ${names.join(", ")}` : `; did you mean ${meant}?`}`,
  );
}

function wrong(summary: string): Error {
  return invalid(summary, { fix: "`neon-pulumi --help` lists what there is." });
}
