// What TypeDoc knows of a program: names, types and comments.
import { dirname, join } from "node:path";
import {
  Application,
  ArrayType,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  TypeOperatorType,
  UnionType,
} from "typedoc";
import { Failure } from "../base/failure.mjs";

/** @typedef {import("typedoc").DeclarationReflection} Declaration */
/** @typedef {import("typedoc").ProjectReflection} Program */
/** @typedef {import("typedoc").SomeType} Type */

/**
 * Reads a program. `npm run build` has checked its types.
 *
 * @param {string} entry
 * @returns {Promise<Program>}
 */
export async function reflect(entry) {
  const app = await Application.bootstrap({
    entryPoints: [entry],
    tsconfig: join(dirname(entry), "..", "tools", "reference", "tsconfig.json"),
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    logLevel: "Error",
  });
  const program = await app.convert();
  if (program === undefined) throw new Failure(`TypeDoc cannot read ${entry}.`);
  return program;
}

/**
 * What a program exports by this name.
 *
 * @param {Program} program
 * @param {string} name
 */
export function exported(program, name) {
  const found = program.getChildByName([name]);
  if (!found?.isDeclaration()) throw new Failure(`${program.name} does not export ${name}.`);
  return found;
}

/**
 * The member of an interface or class.
 *
 * @param {Declaration} owner
 * @param {string} name
 */
export function memberOf(owner, name) {
  const found = owner.children?.find((member) => member.name === name);
  if (found === undefined) throw new Failure(`${owner.name} in sdk/ does not describe ${name}.`);
  return found;
}

/**
 * The interface that describes the members of a value, also within inputs, outputs, lists and unions.
 *
 * @param {Type | undefined} type
 * @returns {Declaration | undefined}
 */
export function interfaceIn(type) {
  if (type instanceof ArrayType) return interfaceIn(type.elementType);
  if (type instanceof TypeOperatorType) return interfaceIn(type.target);
  if (type instanceof UnionType) return firstInterface(type.types);
  if (type instanceof ReflectionType) return type.declaration;
  if (!(type instanceof ReferenceType)) return undefined;
  const target = type.reflection;
  if (target?.isDeclaration() && target.kind === ReflectionKind.Interface) return target;
  return firstInterface(type.typeArguments ?? []);
}

/**
 * The comment of a declaration. That of an object without a name is at the member whose type it is.
 *
 * @param {Declaration} declaration
 */
export function commentOf(declaration) {
  const { parent, signatures } = declaration;
  return (declaration.kind === ReflectionKind.TypeLiteral ? parent : (signatures?.[0] ?? declaration))?.comment;
}

/** @param {readonly Type[]} types */
function firstInterface(types) {
  return types.map(interfaceIn).find((found) => found !== undefined);
}
