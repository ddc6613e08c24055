import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

import { before, describe, it } from "mocha";
import ts from "typescript";

import { topics } from "../../api/core/remediation";
import { blocksIn, documents, programsIn, type Sample, samplesIn } from "../support/documents";
import { filesIn } from "../support/files";
import { anchorsOf } from "../support/markdown";

const root = process.cwd();

/** Declarations that examples in comments leave out. Examples in documents and in the reference leave out nothing. */
const granted = `
  import type * as neon from "neon-pulumi";
  import type * as pulumi from "@pulumi/pulumi";
  declare global {
    const config: pulumi.Config;
    const project: neon.Project;
    const staging: neon.Branch;
  }
`;

describe("package: the examples in the documents", () => {
  const pages = [...documents(), ...filesIn("docs/reference"), "platform/README.md"];
  const programs = pages.flatMap((file) => programsIn(file.replaceAll("\\", "/")));
  const comments = ["api", "bundle", "platform", "sdk"].flatMap((folder) =>
    handwritten(folder).flatMap((file) => samplesIn(file, /^( +\* )```ts\n([\s\S]*?)^ +\* ```$/gm)),
  );
  let complaints: readonly string[];
  before(() => {
    complaints = check(programs, comments);
  });

  it("are there", () => {
    for (const page of ["README.md", "docs/reference/branch.md"]) assert.ok(programs.some(({ file }) => file === page));
    assert.ok(comments.some(({ file }) => file === "sdk/migration.ts"));
  });

  it("compile against the package as it is built, those in handwritten comments too", () => {
    assert.equal(complaints.join("\n"), "");
  });

  it("begin in the README with the quickstart, word by word", () => {
    const quickstart = readFileSync(join(root, "examples", "quickstart", "index.ts"), "utf8");
    assert.equal(blocksIn("README.md")[0]?.text, quickstart);
  });
});

describe("package: the types", () => {
  it("describe in a comment everything that a program can import, and each of its members", () => {
    const entry = join(root, "dist", "sdk", "index.d.ts");
    const program = ts.createProgram([entry], { module: ts.ModuleKind.Node16, noLib: true, types: [] });
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(program.getSourceFile(entry) ?? assert.fail(entry)) ?? assert.fail();
    const exported = checker.getExportsOfModule(module).map((symbol) => {
      return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    });
    const own = exported.filter(({ declarations = [] }) =>
      declarations.every((one) => one.getSourceFile().fileName.startsWith(join(root, "dist"))),
    );
    assert.ok(own.length > 100, `only ${String(own.length)} exports`);
    const hasNone = ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Constructor;
    const isBare = (symbol: ts.Symbol): boolean =>
      (symbol.flags & hasNone) === 0 && symbol.getDocumentationComment(checker).length === 0;
    const bare = own.flatMap((symbol) => [
      ...(isBare(symbol) ? [symbol.name] : []),
      ...[...(symbol.members?.values() ?? [])].filter(isBare).map((member) => `${symbol.name}.${member.name}`),
    ]);
    assert.deepEqual(bare, []);
  });
});

describe("package: the documents", () => {
  const examples = filesIn("examples").filter((file) => file.endsWith(".md") && !file.includes("node_modules"));
  const reference = filesIn("docs/reference").map((file) => file.replaceAll("\\", "/"));
  const files = [...documents(), ...reference, "platform/README.md", ...examples];
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  /** All of a document but its blocks of code. */
  const proseOf = (file: string): string => (texts.get(file) ?? "").replaceAll(/^```[\s\S]*?^```$/gm, "");
  const lineOf = (file: string, part: string): string =>
    `${file}:${String((texts.get(file) ?? "").split(part, 1)[0]?.split("\n").length)}`;

  it("link to files and headings that exist", () => {
    const broken: string[] = [];
    for (const file of texts.keys()) {
      for (const [link, target = "", anchor] of proseOf(file).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)) {
        if (/^\w+:/.test(target)) continue;
        const path = target === "" ? file : normalize(join(dirname(file), target));
        const isBroken =
          !existsSync(path) ||
          (anchor !== undefined && !(statSync(path).isFile() && anchorsOf(readFileSync(path, "utf8")).has(anchor)));
        if (isBroken) broken.push(`${lineOf(file, link)}: ${link.slice(2, -1)}`);
      }
    }
    assert.deepEqual(broken, []);
  });

  it("explain each stable code of an error in docs/troubleshooting.md", () => {
    const anchors = anchorsOf(texts.get("docs/troubleshooting.md") ?? "");
    assert.deepEqual(
      topics.filter((topic) => !anchors.has(topic)),
      [],
    );
  });

  it("name npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    // Those of an example are its own.
    const ofRepository = [...texts].filter(([file]) => !file.startsWith("examples/"));
    const unknown = ofRepository.flatMap(([file, text]) =>
      [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].flatMap(([command, run, short]) =>
        (run ?? short ?? "") in scripts ? [] : [`${lineOf(file, command)}: ${command}`],
      ),
    );
    assert.deepEqual(unknown, []);
  });

  it("name files of the repository that exist", () => {
    const stale = [...texts.keys()].flatMap((file) =>
      [
        ...proseOf(file).matchAll(/`((?:api|bundle|docs|examples|platform|provider|sdk|tests|tools)\/[\w./-]*)`/g),
      ].flatMap(([quoted, path = ""]) => (existsSync(path) ? [] : [`${lineOf(file, quoted)}: ${path}`])),
    );
    assert.deepEqual(stale, []);
  });
});

/** The sources in a folder, without those that repeat the examples of the reference. */
function handwritten(folder: string): string[] {
  return filesIn(folder)
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !/^sdk\/(data-sources|resources)\//.test(name));
}

/** What the compiler says about samples, in one program, as if they stood in files at the root. */
function check(programs: readonly Sample[], comments: readonly Sample[]): string[] {
  const prelude = join(root, "granted.sample.d.ts");
  const files = new Map<string, { readonly text: string; readonly sample?: Sample }>([[prelude, { text: granted }]]);
  // A program of a user is CommonJS, unless it says otherwise; comments show what can also stand in a module.
  for (const [extension, samples] of [
    ["ts", programs],
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
    // The local platform's package compiles to a folder of its own, which the build of the repository does not make.
    paths: { "neon-platform": [join(root, "dist", "platform", "index.d.ts")] },
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
