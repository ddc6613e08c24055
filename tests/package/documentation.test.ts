import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { before, describe, it } from "mocha";
import ts from "typescript";

/** A piece of TypeScript in a document or a comment. */
interface Sample {
  /** The document or source file, from the repository's root. */
  readonly file: string;
  /** The line of the file in which it begins. */
  readonly line: number;
  readonly text: string;
}

const root = process.cwd();

/**
 * What the examples in comments may take for granted. Those in documents are whole: they say themselves what they use.
 */
const granted = `
  import type * as neon from "neon-pulumi";
  import type * as pulumi from "@pulumi/pulumi";
  declare global {
    const config: pulumi.Config;
    const project: neon.Project;
    const branch: neon.Branch;
    const role: neon.Role;
    const database: neon.Database;
  }
`;

describe("package: the examples in the documents", () => {
  const documents = markdown().flatMap((file) => samplesIn(file, /^()```ts\n([\s\S]*?)^```$/gm));
  const comments = ["api", "platform", "sdk"].flatMap((folder) =>
    sources(folder).flatMap((file) => samplesIn(file, /^( +\* )```ts\n([\s\S]*?)^ +\* ```$/gm)),
  );
  let complaints: readonly string[];
  before(() => {
    complaints = check(documents, comments);
  });

  it("are there", () => {
    assert.ok(documents.some(({ file }) => file === "README.md"));
    assert.ok(comments.some(({ file }) => file === "sdk/resources/branch.ts"));
  });

  it("compile against the package as it is built, those in comments too", () => {
    assert.equal(complaints.join("\n"), "");
  });

  it("and the README's first program is the quickstart, word by word", () => {
    const quickstart = readFileSync(join(root, "examples", "quickstart", "index.ts"), "utf8");
    assert.equal(documents.find(({ file }) => file === "README.md")?.text, quickstart);
  });
});

/** The documents that are written by hand. */
function markdown(): string[] {
  const below = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .map((name) => join("docs", name).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && !name.startsWith("docs/reference/"));
  return ["README.md", "CONTRIBUTING.md", "platform/README.md", ...below.sort()];
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .sort();
}

/** @param pattern the text before each line of a sample, then its lines */
function samplesIn(file: string, pattern: RegExp): Sample[] {
  const whole = readFileSync(join(root, file), "utf8");
  return [...whole.matchAll(pattern)].map(({ index, 1: margin = "", 2: lines = "" }) => ({
    file,
    line: whole.slice(0, index).split("\n").length + 1,
    text: lines
      .split("\n")
      .map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line.replace(/^ +\*$/, "")))
      .join("\n"),
  }));
}

/** What the compiler says about samples, in one program, as if they stood in files at the root. */
function check(documents: readonly Sample[], comments: readonly Sample[]): string[] {
  const prelude = join(root, "granted.sample.d.ts");
  const files = new Map<string, { readonly text: string; readonly sample?: Sample }>([[prelude, { text: granted }]]);
  // A program of a user is CommonJS, unless it says otherwise; comments show what can also stand in a module.
  for (const [extension, samples] of [
    ["ts", documents],
    ["mts", comments],
  ] as const) {
    for (const sample of samples) {
      const name = `${sample.file.replaceAll("/", "-")}-${String(sample.line)}.sample.${extension}`;
      files.set(join(root, name), { text: extension === "ts" ? sample.text : asModule(sample.text), sample });
    }
  }
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"],
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => files.has(name) || disk.fileExists(name),
    readFile: (name) => files.get(name)?.text ?? disk.readFile(name),
    getSourceFile: (name, target, ...rest) => {
      const text = files.get(name)?.text;
      return text === undefined ? disk.getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target);
    },
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const message = ts.flattenDiagnosticMessageText(messageText, "\n");
    const sample = file && files.get(file.fileName)?.sample;
    if (!sample) return `${file ? relative(root, file.fileName) : "the program"}: ${message}`;
    const inside = file.getLineAndCharacterOfPosition(start).line;
    return `${sample.file}:${String(sample.line + inside)}: ${message}`;
  });
}

/** An example with the imports that it leaves out, in its first line so that the others keep their numbers. */
function asModule(text: string): string {
  const imports = [
    ["neon", "neon-pulumi"],
    ["pulumi", "@pulumi/pulumi"],
  ].filter(([name = ""]) => !text.includes(`import * as ${name} `));
  return `${imports.map(([name = "", from = ""]) => `import * as ${name} from "${from}";`).join(" ")} ${text}`;
}
