import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { invalid } from "../api/core/errors";
import { kinds } from "../provider/kinds";
import { AccountReader } from "./account";
import type { ImportOptions } from "./arguments";
import { assertFree, type OutputFile, writeWhole } from "./files";
import { differencesOf, importFileOf, namesIn } from "./import-file";
import { languages } from "./languages";
import { namesOf } from "./names";
import { changesOf, programOf, type Resource, resourcesOf } from "./program";
import { missingMembers } from "./rules";
import { type Findings, type LeftOut, Scan } from "./scan";
import { objectsIn } from "./other-tools";

/** The output streams of a command. */
export interface Console {
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A line about progress or a problem, for the person who runs the command. */
  readonly note: (line: string) => void;
}

/** Interval of the progress lines, in milliseconds. */
const noteEvery = 2_000;

/** Maximum number of ids listed for a reason. */
const maxIds = 3;

/** Maximum number of differing lines of a program that are listed. */
const maxLines = 20;

/**
 * `neon-pulumi import`
 *
 * @returns the exit code
 */
export async function runImport(options: ImportOptions, process: NodeJS.Process, console: Console): Promise<number> {
  const importPath = join(options.out, "import.json");
  const language = options.program === undefined ? undefined : languages[options.program];
  const programPath = language && join(options.out, language.file);
  if (!options.isCheck && !options.isForced) {
    assertFree(importPath);
    if (language && programPath !== undefined) assertFree(programPath, language.nothing);
  }
  const reader = new AccountReader(process, console.note);
  const { clock } = reader;
  const began = clock.now();
  let progress = "reading the account";
  const ended = new AbortController();
  // Print progress on a timer, because all requests may be waiting for the rate limit.
  const notes = (async (): Promise<void> => {
    for (;;) {
      await clock.sleep(noteEvery, ended.signal);
      console.note(`${progress}, ${reader.requests} requests, ${Math.round((clock.now() - began) / 1000)} s`);
    }
  })().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
  const findings = await findingsOf(reader, options, (text) => (progress = text)).finally(() => ended.abort());
  await notes;
  const { found, leftOut } = findings;
  const earlier = existsSync(importPath) ? namesIn(readFileSync(importPath, "utf8")) : undefined;
  const resources = resourcesOf(found, namesOf(found, earlier));
  const files = [
    { path: importPath, text: importFileOf(resources) },
    ...(language && programPath !== undefined
      ? [{ path: programPath, text: language.print(programOf(resources)) }]
      : []),
  ];

  const seconds = ((clock.now() - began) / 1000).toFixed(1);
  console.print(`Found ${countOf(resources)} with ${reader.requests} requests in ${seconds} s.`);
  for (const line of leftOutLines(leftOut)) console.print(line);
  for (const line of absentLines(options, resources, leftOut)) console.print(line);
  for (const line of unreadableLines(resources)) console.print(line);
  const changes = changeLines(resources);
  for (const line of changes) console.print(line);
  if (changes.length === 0 && resources.length > 0) console.print("Taking them over changes none of them.");
  if (options.isCheck) return changes.length + fileLines(files, console) === 0 ? 0 : 1;
  if (resources.length === 0) {
    throw invalid("Nothing was written: there is nothing to take over", {
      fix: "Name other branches, types or projects, or use a key that sees them.",
    });
  }

  writeWhole(files);
  console.print(`Written: ${files.map(({ path }) => relative(process.cwd(), path)).join(", ")}.`);
  for (const line of nextLines(options, importPath)) console.print(line);
  return 0;
}

async function findingsOf(
  reader: AccountReader,
  options: ImportOptions,
  show: (text: string) => void,
): Promise<Findings> {
  const scan = new Scan(reader, options, show);
  if (options.from === undefined) return scan.account();
  const { targets, unknown } = objectsIn(options.from);
  const { types } = options;
  const findings = await scan.read(targets.filter(({ kind }) => types?.includes(kind) ?? true));
  const others = unknown.map(({ type, name, reason }) => ({ kind: type, reason, ids: [name] }));
  return { ...findings, leftOut: [...findings.leftOut, ...others] };
}

function countOf(resources: readonly Resource[]): string {
  const counts = new Map<string, number>();
  for (const { found } of resources) counts.set(found.kind, (counts.get(found.kind) ?? 0) + 1);
  const list = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ");
  const { length } = resources;
  return length === 0 ? "nothing" : `${length} ${length === 1 ? "object" : "objects"} (${list})`;
}

function leftOutLines(leftOut: readonly LeftOut[]): readonly string[] {
  const lines = leftOut.map(({ kind, reason, ids }) => {
    const some = ids.slice(0, maxIds).join(", ");
    const more = ids.length > maxIds ? `, and ${ids.length - maxIds} more` : "";
    return `  ${ids.length} ${kind}: ${reason} (${some}${more})`;
  });
  return lines.length === 0 ? [] : ["Left out:", ...lines];
}

/** Lines about requested types of which the account has no objects. */
function absentLines(
  { types = [] }: ImportOptions,
  resources: readonly Resource[],
  leftOut: readonly LeftOut[],
): readonly string[] {
  const seen = new Set([...resources.map(({ found }) => found.kind), ...leftOut.map(({ kind }) => kind)]);
  return types.filter((type) => !seen.has(type)).map((type) => `There is no ${type} in what was read.`);
}

function unreadableLines(resources: readonly Resource[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { found } of resources) {
    for (const name of missingMembers(found.kind, found.outputs)) {
      const what = `\`${name}\` of ${found.kind}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  const list = [...counts].map(([what, count]) => `${what} (${count})`).join(", ");
  return list === "" ? [] : [`Secrets that nobody can read, and that stay empty: ${list}.`];
}

function changeLines(resources: readonly Resource[]): readonly string[] {
  return resources.flatMap((resource) => {
    const changes = changesOf(resource);
    const { kind, id } = resource.found;
    return changes.length === 0
      ? []
      : [`Taking over the ${kinds[kind].noun} ${id} would change ${changes.join(", ")}.`];
  });
}

/** Compares what exists in the account with the files of an earlier run. Returns the number of lines about differences. */
function fileLines(files: readonly OutputFile[], console: Console): number {
  const earlier = files.filter(({ path }) => existsSync(path));
  const lines = earlier.flatMap((file) => {
    const { path, text } = file;
    const found = readFileSync(path, "utf8");
    if (file !== files[0]) return found === text ? [] : textLines(path, found, text);
    const differences = differencesOf(found, text);
    if (differences === undefined) return [`${path} is no import file.`];
    return [
      ...differences.added.map((key) => `${path} lacks ${key}.`),
      ...differences.gone.map((key) => `${path} has ${key}, which does not exist.`),
    ];
  });
  for (const line of lines) console.print(line);
  if (lines.length === 0) for (const { path } of earlier) console.print(`Nothing differs from ${path}.`);
  return lines.length;
}

/** The lines of a program that this command would remove or add. */
function textLines(path: string, found: string, text: string): readonly string[] {
  const [has, writes] = [found, text].map((one) => one.split("\n"));
  const only = (mark: string, some: readonly string[] = [], others: readonly string[] = []): readonly string[] => {
    const lines = some.filter((line) => !others.includes(line)).map((line) => `  ${mark} ${line.trim()}`);
    return lines.length > maxLines ? [...lines.slice(0, maxLines), `  ${mark} …`] : lines;
  };
  return [`${path} is not what this command would write.`, ...only("-", has, writes), ...only("+", writes, has)];
}

function nextLines(options: ImportOptions, importPath: string): readonly string[] {
  const { program, projects, organizations, branches = [], types, from, out } = options;
  const selected = Object.entries({
    project: projects,
    organization: organizations,
    branches,
    types: types === undefined ? [] : [types.join(",")],
    from: from === undefined ? [] : [from],
    program: program === undefined ? [] : [program],
    out: out === "." ? [] : [out],
  }).flatMap(([option, values]) => values.map((value) => `--${option} ${shellWord(value)}`));
  const check = ["npx --no neon-pulumi import --check", ...selected].join(" ");
  const takeOver =
    program === undefined
      ? [[`pulumi import --file ${shellWord(importPath)}`, "reads all into the state"]]
      : [
          ["pulumi preview", "one line for each resource: adopts it"],
          ["pulumi up", "takes all over, and changes none"],
        ];
  const steps = [
    ...takeOver,
    ["pulumi preview --expect-no-changes", "nothing is left to do"],
    [check, "nothing was added, changed or deleted meanwhile"],
  ] as const;
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return ["Next:", ...steps.map(([command = "", why = ""]) => `  ${command.padEnd(width)}  # ${why}`)];
}

/** A text as one shell word, quoted if necessary. */
function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
