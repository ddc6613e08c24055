import { basename, dirname } from "node:path";
import { Comment, Converter, DeclarationReflection, ReferenceType, ReflectionGroup, ReflectionKind } from "typedoc";
import { MarkdownPageEvent } from "typedoc-plugin-markdown";
import { programNames, programText } from "./programs.mjs";

/** @typedef {import("typedoc").ProjectReflection} ProjectReflection */
/** @typedef {import("typedoc").CommentDisplayPart} CommentDisplayPart */

/** The parts of a page, in their order, by the folder of `sdk/` that declares what is in them. */
const parts = new Map([
  ["resources", "Resources"],
  ["components", "Components"],
  ["data-sources", "Data sources"],
]);
const otherPart = "In general";
/** What the index says besides the package's own description. */
const preface =
  'A program creates a resource with `new neon.Branch("name", args, options?)`. Every resource also has Pulumi\'s own outputs ' +
  "`id` and `urn`. For an output that can be `undefined`, `requireOutput` of the resource is one that has a value, or fails and " +
  'says why it has none: `branch.requireOutput("connectionUri")`. ' +
  "`npm run docs` writes these pages from the comments in `sdk/`, most of which `npm run generate` has written.";
/**
 * The nouns on each page: the names of the files that declare what is on it. A noun that is not listed has a page of its own.
 *
 * @type {Record<string, readonly string[]>}
 */
const families = {
  projects: ["project", "operation", "advisor", "preload-library"],
  branches: ["branch", "branch-environment", "branch-schema", "bucket"],
  computes: ["endpoint", "connection-uri"],
  "roles-and-databases": ["role", "database", "data-api"],
  "neon-auth": ["neon-auth", "neon-auth-oauth-provider", "neon-auth-trusted-domain"],
  "api-keys": ["api-key", "credential"],
  access: [
    "project-permission",
    "project-member-role",
    "project-member",
    "jwks-url",
    "vpc-endpoint-assignment",
    "vpc-endpoint-restriction",
  ],
  backups: ["snapshot", "backup-schedule"],
  account: ["organization", "organization-member", "spending-limit", "consumption", "user", "region"],
  "provider-and-types": ["provider", "config", "lookup-options", "required-output"],
};
/** How a page names the languages of `programs`. */
const languages = /** @type {const} */ ({ yaml: "YAML", python: "Python", go: "Go" });
/** What comes first within a part. */
const kinds = [ReflectionKind.Class, ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Interface];

/**
 * A plugin of TypeDoc: puts what is exported on one page for each family of nouns. The noun is the name of the file that
 * declares it, wherever in `sdk/` that is.
 *
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.internationalization.addTranslations("en", { kind_module: "Page" });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const all = Object.values(project.reflections);
    for (const reflection of all.filter(isNoise)) project.removeReflection(reflection);
    for (const reflection of all) simplify(reflection);
  });
  // After TypeDoc has resolved links, for which everything has to stand where it is exported, and grouped members.
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      gather(project);
      arrange(project);
    },
    -1000,
  );
  // Comments cannot have the HTML with which a page folds a block.
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    if (page.contents === undefined) return;
    page.contents = argumentsFirst(page.contents).replaceAll(/^@@(.+)@@$/gm, (_, name) => folded(name));
  });
}

/**
 * What all resources have in the same way: the index says it once.
 *
 * @param {import("typedoc").Reflection} reflection
 */
function isNoise({ kind, name, parent }) {
  const isMember = parent?.kind === ReflectionKind.Class;
  return isMember && (kind === ReflectionKind.Constructor || name === "requireOutput");
}

/**
 * Moves the arguments of each class from a section of their own to before its outputs.
 *
 * @param {string} page
 */
function argumentsFirst(page) {
  const sections = page.split(/^(?=### )/m);
  const titleOf = (/** @type {string} */ section) => /^### (\w+)/.exec(section)?.[1] ?? "";
  const titles = new Set(sections.map(titleOf));
  /** @param {string} section @returns What is below the heading of arguments, and the part of the page that follows. */
  const split = (section) => {
    const [own = "", next] = section.split(/^(?=## )/m);
    return { table: own.split("#### Arguments\n")[1]?.replace(/\s*\*\*\*\s*$/, ""), next: next ?? "" };
  };
  return sections
    .map((section) => {
      const title = titleOf(section);
      if (title.endsWith("Args") && titles.has(title.slice(0, -4))) return split(section).next;
      const declared = sections.find((one) => titleOf(one) === `${title}Args`);
      const table = declared === undefined ? undefined : split(declared).table;
      if (table === undefined) return section;
      const anchor = `<a id="${title.toLowerCase()}args"></a>`;
      return section.replace(/^(?=#### (?!Example))/m, () => `#### Arguments\n\n${anchor}\n${table}\n\n`);
    })
    .join("");
}

/**
 * Moves what is exported below one page for each family, in the order of its nouns.
 *
 * @param {ProjectReflection} project
 */
function gather(project) {
  /** @type {Map<string, DeclarationReflection[]>} */
  const nouns = new Map();
  for (const one of [...(project.children ?? [])]) {
    const noun = basename(fileOf(project, one), ".ts");
    nouns.set(noun, [...(nouns.get(noun) ?? []), one]);
    project.removeChild(one);
  }
  const alone = [...nouns.keys()].filter((noun) => !Object.values(families).flat().includes(noun)).sort();
  for (const [name, members] of [...Object.entries(families), ...alone.map((noun) => [noun, [noun]])]) {
    const children = [...members].flatMap((noun) => nouns.get(noun) ?? []);
    if (children.length === 0) continue;
    const page = new DeclarationReflection(String(name), ReflectionKind.Module, project);
    project.registerReflection(page, undefined, undefined);
    project.addChild(page);
    for (const child of children) {
      child.parent = page;
      page.addChild(child);
    }
  }
}

/**
 * Leaves out how a class is built: what it is derived from is not exported.
 *
 * @param {import("typedoc").Reflection} reflection
 */
function simplify(reflection) {
  if (reflection.isSignature()) delete reflection.overwrites;
  if (!reflection.isDeclaration()) return;
  delete reflection.overwrites;
  delete reflection.extendedTypes;
  // An output of a boolean or a number is spelled so by the compiler.
  if (reflection.type instanceof ReferenceType && reflection.type.name === "OutputInstance") {
    reflection.type.name = "Output";
  }
}

/**
 * Orders what is on each page, and lists it in the index.
 *
 * @param {ProjectReflection} project
 */
function arrange(project) {
  const pages = project.children ?? [];
  for (const page of pages) {
    const members = page.children ?? [];
    const titles = [...new Set([...parts.values(), otherPart])];
    page.groups = titles.flatMap((title) => {
      const group = new ReflectionGroup(title, page);
      group.children = members.filter((member) => partOf(project, member) === title).sort(byKind);
      return group.children.length > 0 ? [group] : [];
    });
    page.comment = new Comment(contents(page.groups));
    for (const member of members) {
      const declared = members.find(({ name }) => name === `${member.name}Args`);
      if (declared !== undefined) describeAsDeclared(member, declared);
      entitle(member);
      showOtherLanguages(member);
    }
  }
  const group = new ReflectionGroup("Pages", project);
  group.children = pages;
  project.groups = [group];
  const { summary } = (project.comment ??= new Comment());
  summary.push({ kind: "text", text: `\n\n${preface}` });
}

/**
 * Says of an output that holds a declared value what its argument says.
 *
 * @param {DeclarationReflection} resource
 * @param {DeclarationReflection} declared
 */
function describeAsDeclared(resource, declared) {
  for (const { name, comment } of resource.children ?? []) {
    const [first, ...others] = comment?.summary ?? [];
    const text = declared.children?.find((argument) => argument.name === name)?.comment?.summary;
    if (comment === undefined || first === undefined || text === undefined) continue;
    const rest = first.text.replace(/^The declared value\.\s*/, "");
    if (rest === first.text) continue;
    comment.summary = [...text, { kind: "text", text: rest === "" ? "" : ` ${rest}` }, ...others];
  }
}

/**
 * Names the members of a class or interface for what they are to a program.
 *
 * @param {DeclarationReflection} member
 */
function entitle(member) {
  for (const group of member.groups ?? []) {
    if (!group.children.every(({ kind }) => kind === ReflectionKind.Property)) continue;
    if (member.kind === ReflectionKind.Class) group.title = "Outputs";
    else if (member.name.endsWith("Args")) group.title = "Arguments";
  }
}

/**
 * Shows the same in other languages below the last example.
 *
 * @param {DeclarationReflection} member
 */
function showOtherLanguages(member) {
  const name = member.name.replaceAll(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
  if (!programNames.includes(name)) return;
  const comments = [member.comment, ...(member.signatures ?? []).map(({ comment }) => comment)];
  const example = comments.flatMap((comment) => comment?.blockTags ?? []).findLast(({ tag }) => tag === "@example");
  example?.content.push({ kind: "text", text: `\n\n@@${name}@@` });
}

/** @param {string} name */
function folded(name) {
  return Object.entries(languages)
    .map(([language, title]) => {
      const text = programText(name, /** @type {import("./programs.mjs").Language} */ (language));
      return `<details>\n<summary>${title}</summary>\n\n\`\`\`${language}\n${text}\`\`\`\n\n</details>`;
    })
    .join("\n\n");
}

/**
 * One line of links: what a program calls first. Types that only describe arguments and answers, and output forms, are reached
 * from there.
 *
 * @param {ReflectionGroup[]} groups
 * @returns {CommentDisplayPart[]}
 */
function contents(groups) {
  const all = groups.flatMap(({ children }) => children).filter((child) => child.isDeclaration());
  const called = all.filter(({ kind }) => kind !== ReflectionKind.Interface && kind !== ReflectionKind.TypeAlias);
  const names = new Set(called.map(({ name }) => `${name}Output`));
  const shown = (called.length > 0 ? called : all).filter(({ name }) => !names.has(name));
  return shown.flatMap((target, index) => {
    /** @type {CommentDisplayPart} */
    const link = { kind: "inline-tag", tag: "@link", text: target.name, target };
    return index === 0 ? [link] : [{ kind: "text", text: ", " }, link];
  });
}

/**
 * @param {import("typedoc").Reflection} one
 * @param {import("typedoc").Reflection} other
 */
function byKind(one, other) {
  const rank = (/** @type {import("typedoc").Reflection} */ { kind }) =>
    kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length;
  return rank(one) - rank(other);
}

/**
 * @param {ProjectReflection} project
 * @param {import("typedoc").Reflection} one
 */
function partOf(project, one) {
  return parts.get(basename(dirname(fileOf(project, one)))) ?? otherPart;
}

/**
 * @param {ProjectReflection} project
 * @param {import("typedoc").Reflection} one
 */
function fileOf(project, one) {
  return project.getSymbolIdFromReflection(one)?.fileName ?? "index.ts";
}
