// Translates examples in YAML to Python and Go, with Pulumi's generators of programs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { Failure } from "../base/failure.mjs";
import { root } from "../base/paths.mjs";
import { run } from "../base/run.mjs";

const schemaFile = join(root, "plugin", "schema.json");

/** The names of the resources of the schema, such as `Branch`. */
function resourceNames() {
  const { resources } = JSON.parse(readFileSync(schemaFile, "utf8"));
  return Object.keys(resources).map((token) => token.slice(token.lastIndexOf(":") + 1));
}

/**
 * @param {string} generator The path of `generate-sdk`.
 * @param {ReadonlyMap<string, string>} examples In YAML, by name.
 * @returns {Promise<Map<string, { python: string, go: string }>>}
 */
export async function translate(generator, examples) {
  const work = mkdtempSync(join(tmpdir(), "neon-pulumi-programs-"));
  try {
    for (const [name, yaml] of examples) writeFileSync(join(work, `${name}.pp`), asPcl(parse(yaml)));
    const { code, output } = await run(generator, ["programs", schemaFile, work]);
    if (code !== 0) throw new Failure("The examples of the reference cannot be translated.", output);
    const corrections = correctionsFor(resourceNames());
    const written = (/** @type {string} */ file) => readFileSync(join(work, file), "utf8");
    return new Map(
      [...examples.keys()].map((name) => [
        name,
        {
          python: corrected(written(`${name}.py`), corrections.python),
          go: corrected(written(`${name}.go`), corrections.go),
        },
      ]),
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Corrections of generated code that is wrong or unidiomatic. */
const correctionsFor = (/** @type {readonly string[]} */ resources) => ({
  python: /** @type {const} */ ([
    // The generators assume a default name for the module.
    [/^import pulumi_neon as neon$/m, "import neon_pulumi as neon"],
    [/^(import neon_pulumi as neon\n)\1/m, "$1"],
    [/\bfloat\((\d+)\)/g, "$1"],
    [/\bopts = /g, "opts="],
  ]),
  go: /** @type {const} */ ([
    // In Go, `Get…` with the name of a resource reads the resource, so the data source is `Lookup…`.
    [new RegExp(`\\bneon\\.Get(${resources.join("|")})(?=Output)`, "g"), "neon.Lookup$1"],
    // An optional output needs `Elem`.
    [/(\bMemberId:\s+\w+\.MemberId),/g, "$1.Elem(),"],
    // A function without arguments has only an `…Output` form.
    [
      /(\w+), err := (neon\.\w+)\(ctx, map\[string\]interface\{\}\{\}, nil\)\n\s*if err != nil \{\n\s*return err\n\s*\}/g,
      "$1 := $2Output(ctx)",
    ],
    // Outputs have a method for each member. The generated type assertion is wrong for lists.
    [
      /\b(\w+)\.ApplyT\(func\(\1 neon\.\w+\) [^{]*\{\n\s*return .*?\b\1\.(\w+)\)?, nil\n\s*\}\)\.\([\w.]+\)/g,
      "$1.$2()",
    ],
    [/(Args\{\}|\}), nil\)/g, "$1)"],
  ]),
});

/** @param {string} text @param {readonly (readonly [pattern: RegExp, by: string])[]} replacements */
const corrected = (text, replacements) => replacements.reduce((now, [pattern, by]) => now.replace(pattern, by), text);

/** @typedef {Record<string, any>} Values Values parsed from YAML. */

/**
 * Writes a YAML program in the language that Pulumi generates programs from.
 *
 * @param {Values} program
 */
function asPcl({ config = {}, resources = {}, variables = {}, outputs = {} }) {
  const token = (/** @type {string} */ name) => name.replace(/^neon:/, "neon:index:");
  return [
    ...Object.entries(config).map(([name, { type, ...rest }]) => `config ${name} "${type}" ${block(rest)}`),
    ...Object.entries(resources).map(([name, { type, properties = {}, options }]) => {
      const inner = [...attributes(properties), ...(options ? [`options ${block(options)}`] : [])];
      return `resource ${name} "${token(type)}" {\n${inner.join("\n")}\n}`;
    }),
    ...Object.entries(variables).map(([name, value]) => {
      const { function: called, arguments: args = {}, return: member } = value["fn::invoke"];
      return `${name} = invoke("${token(called)}", ${expression(args)})${member ? `.${member}` : ""}`;
    }),
    ...Object.entries(outputs).map(([name, value]) => `output ${name} ${block({ value })}`),
    "",
  ].join("\n");
}

/** @param {Values} values */
const block = (values) => `{\n${attributes(values).join("\n")}\n}`;

/** @param {Values} values */
const attributes = (values) =>
  Object.entries(values).map(
    ([name, value]) => `${/^\w+$/.test(name) ? name : JSON.stringify(name)} = ${expression(value)}`,
  );

/** @param {unknown} value @returns {string} */
function expression(value) {
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const [[name = "", argument] = []] = Object.entries(value);
    return name.startsWith("fn::") ? `${name.slice("fn::".length)}(${expression(argument)})` : block(value);
  }
  const reference = typeof value === "string" && /^\$\{([^}]+)\}$/.exec(value);
  return reference ? String(reference[1]) : JSON.stringify(value);
}
