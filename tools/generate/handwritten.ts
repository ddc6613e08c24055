// The classes, components and functions of `sdk/` that are written by hand, with their comments. They exist for
// programs of Node.js only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

import { type JsonSchema, membersOf } from "./json-schema";
import { root } from "./root";
import type { Description } from "./words";

/** The class or function whose page describes a file. */
const pages: Readonly<Record<string, string>> = {
  "sdk/migration.ts": "Migration",
  "sdk/components/branch-environment.ts": "BranchEnvironment",
  "sdk/components/bucket-folder.ts": "BucketFolder",
  "sdk/bundle.ts": "bundle",
  "bundle/options.ts": "bundle",
};

interface Declaration {
  readonly name: string;
  readonly about: Description;
}

/** A type that a program can import. */
export interface HandwrittenType extends Declaration {
  /** The class or function whose page has the type. */
  readonly page: string;
  readonly members: JsonSchema;
}

/** A class or a function that a program can import. */
export interface HandwrittenCall extends Declaration {
  /** The code of a call, with the types of its parameters. */
  readonly signature: string;
  /** The arguments of a class, or the parameters of a function. */
  readonly args: JsonSchema;
  /** The outputs of a class. A function has none. */
  readonly outputs?: JsonSchema;
}

/** @param inputsOf the inputs of a generated class. Handwritten types pick some of them. */
export function handwritten(inputsOf: (className: string) => JsonSchema) {
  const types = new Map<string, HandwrittenType>();
  const called: HandwrittenCall[] = [];
  for (const [file, page] of Object.entries(pages)) {
    const source = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.ESNext, true);
    const aliases = new Map(
      source.statements.filter(ts.isTypeAliasDeclaration).map((one) => [one.name.text, one.type]),
    );
    const schemaOf = (type: ts.TypeNode | undefined): JsonSchema => typed(type, aliases);
    const membersAs = (nodes: readonly Member[]): JsonSchema => objectOf(nodes.map((node) => member(node, schemaOf)));
    for (const statement of source.statements) {
      const isExported = ts.canHaveModifiers(statement) && has(statement, ts.SyntaxKind.ExportKeyword);
      if (isExported && ts.isInterfaceDeclaration(statement)) {
        const bases = (statement.heritageClauses ?? []).flatMap((clause) => clause.types);
        const inherited = bases.flatMap(({ typeArguments }) => picked(typeArguments, inputsOf));
        const own = statement.members.filter(ts.isPropertySignature).map((node) => member(node, schemaOf));
        types.set(statement.name.text, { ...declaration(statement), page, members: objectOf([...inherited, ...own]) });
      } else if (isExported && ts.isTypeAliasDeclaration(statement) && ts.isTypeReferenceNode(statement.type)) {
        const members = objectOf(picked(statement.type.typeArguments, inputsOf));
        types.set(statement.name.text, { ...declaration(statement), page, members });
      } else if (ts.isClassDeclaration(statement) && statement.name?.text === page) {
        const { name } = declaration(statement);
        const [created] = statement.members.filter(ts.isConstructorDeclaration);
        const outputs = membersAs(statement.members.filter(ts.isPropertyDeclaration));
        const args = types.get(`${name}Args`)?.members ?? {};
        types.delete(`${name}Args`);
        called.push({ ...declaration(statement), signature: `new neon.${name}${parameters(created)}`, args, outputs });
      } else if (ts.isFunctionDeclaration(statement) && statement.name?.text === page) {
        const about = declaration(statement);
        const result = statement.type?.getText() ?? "";
        const signature = `neon.${about.name}${parameters(statement)}: ${result}`;
        called.push({ ...about, signature, args: membersAs([...statement.parameters]) });
      }
    }
  }
  return { calls: called, types: [...types.values()] };
}

type Member = ts.PropertySignature | ts.PropertyDeclaration | ts.ParameterDeclaration;
type NamedMember = readonly [name: string, schema: JsonSchema, isRequired: boolean];

function declaration(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration,
) {
  const docs = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc);
  const examples = (docs?.tags ?? [])
    .filter(({ tagName }) => tagName.text === "example")
    .map(({ comment }) => text(comment));
  return { name: node.name?.text ?? "", about: { text: text(docs?.comment), examples } };
}

function member(node: Member, schemaOf: (type: ts.TypeNode | undefined) => JsonSchema): NamedMember {
  const comment = ts.isParameter(node)
    ? ts.getJSDocParameterTags(node)[0]?.comment
    : ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.comment;
  const hasDefault = !ts.isPropertySignature(node) && node.initializer !== undefined;
  const isOptional = node.questionToken !== undefined || hasDefault || mayBeAbsent(node.type);
  return [
    node.name.getText(),
    { ...schemaOf(node.type), description: text(comment).replaceAll("\n", " ") },
    !isOptional,
  ];
}

function objectOf(members: readonly NamedMember[]): JsonSchema {
  return {
    properties: Object.fromEntries(members.map(([name, schema]) => [name, schema] as const)),
    required: members.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
  };
}

/** The members of a generated class's arguments that `Pick<BranchArgs, "name" | "ttl">` names. */
function picked(
  [from, names]: readonly ts.TypeNode[] = [],
  inputsOf: (name: string) => JsonSchema,
): readonly NamedMember[] {
  const schema = inputsOf(from?.getText().replace(/Args$/, "") ?? "");
  const wanted = new Set(literals(names));
  const all = membersOf(schema).filter(([name]) => wanted.has(name));
  return all.map(([name, one]) => [name, one, schema.required?.includes(name) === true]);
}

function literals(type: ts.TypeNode | undefined): readonly string[] | undefined {
  const nodes = type && ts.isUnionTypeNode(type) ? type.types : [type];
  const values = nodes.map(
    (one) => one && ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) && one.literal.text,
  );
  return values.every((value) => typeof value === "string") ? values : undefined;
}

/** The type of a member in the terms of a JSON schema. A type that JSON does not have is shown as code. */
function typed(type: ts.TypeNode | undefined, aliases: ReadonlyMap<string, ts.TypeNode>): JsonSchema {
  const again = (other: ts.TypeNode | undefined): JsonSchema => typed(other, aliases);
  const values = literals(type);
  if (values !== undefined) return { enum: values };
  const code = type?.getText() ?? "";
  if (code === "pulumi.asset.Archive") return { content: "archive" };
  if (["string", "boolean", "number"].includes(code)) return { type: code };
  if (type && ts.isTypeOperatorNode(type)) return again(type.type);
  if (type && ts.isParenthesizedTypeNode(type)) return again(type.type);
  if (type && ts.isArrayTypeNode(type)) return { items: again(type.elementType) };
  if (type && ts.isUnionTypeNode(type)) {
    return { anyOf: type.types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword).map(again) };
  }
  if (type && ts.isTypeReferenceNode(type)) {
    const [first, second] = type.typeArguments ?? [];
    const name = type.typeName.getText();
    if (["pulumi.Input", "pulumi.Output", "Readonly"].includes(name)) return again(first);
    if (name === "Record") return { additionalProperties: again(second) };
    const alias = aliases.get(name);
    if (alias !== undefined && literals(alias) !== undefined) return again(alias);
    return { own: { title: name } };
  }
  return { type: `\`${code.replaceAll(/\s+/g, " ")}\`` };
}

/** Whether a type is `pulumi.Output<string | undefined>`. */
function mayBeAbsent(type: ts.TypeNode | undefined): boolean {
  return /^pulumi\.Output<.*\| undefined>$/.test(type?.getText() ?? "");
}

function parameters(node: ts.SignatureDeclaration | undefined): string {
  const all = (node?.parameters ?? []).map((one) => {
    const isOptional = one.questionToken !== undefined || one.initializer !== undefined;
    return `${one.name.getText()}${isOptional ? "?" : ""}: ${one.type?.getText() ?? ""}`;
  });
  return `(${all.join(", ")})`;
}

function has(node: ts.HasModifiers, kind: ts.ModifierSyntaxKind): boolean {
  return ts.getModifiers(node)?.some((one) => one.kind === kind) === true;
}

function text(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return ts.getTextOfJSDocComment(comment) ?? "";
}
