// Which resources and data sources send an operation: follows the code from each of them to the requests in api/schemas/.
import { join, relative } from "node:path";
import ts from "typescript";
import { root } from "../base/paths.mjs";

/**
 * What sends an operation.
 *
 * @typedef {object} Sender
 * @property {string} name As in a program, such as `Branch`, `getBranch`, or `branches.recover` of the client.
 * @property {string} route With `{}` for each variable segment, such as `GET /projects/{}`.
 */

/** Where requests, lookups and kinds are declared. What else these call, such as the client, is not followed. */
const followed = /^(api\/(schemas|lookups)\/|api\/all-projects\.ts$|provider\/resources\/)/;

/** What one declaration for three kinds sends in some of them only. @type {Readonly<Record<string, RegExp>>} */
const notSent = {
  ApiKey: / \/organizations\//,
  OrganizationApiKey: / \/api_keys/,
  ProjectApiKey: / \/api_keys/,
};

/** All resources, then all data sources, then the functions of the client, with what each sends. @returns {Sender[]} */
export function senders() {
  const files = ["provider/kinds.ts", "api/lookups/index.ts", "api/index.ts"].map((name) => join(root, name));
  const options = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config,
    ts.sys,
    root,
  ).options;
  // What is followed is in these sources: the types of packages and of the language are not read.
  const alone = { ...options, noEmit: true, noLib: true, types: [] };
  const host = ts.createCompilerHost(alone);
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) =>
      text.startsWith(".") ? ts.resolveModuleName(text, file, alone, host) : { resolvedModule: undefined },
    );
  const program = ts.createProgram(files, alone, host);
  const [kinds, lookups, client] = files.map((name) => program.getSourceFile(name));
  if (!kinds || !lookups || !client) throw new Error("the sources of the coverage page are missing");
  const code = new Code(program.getTypeChecker());
  return [
    ...membersOf(kinds, "kinds").flatMap(([name, node]) => code.sentBy(name, node)),
    ...membersOf(lookups, "lookups").flatMap(([name, node]) => code.sentBy(name, node)),
    ...code.requestsOf(client),
  ].filter(({ name, route }) => notSent[name]?.test(route) !== true);
}

class Code {
  #checker;

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.#checker = checker;
  }

  /** The requests that are reached from a node. @param {string} name @param {ts.Node} from @returns {Sender[]} */
  sentBy(name, from) {
    /** @type {Set<string>} */
    const routes = new Set();
    /** @type {Set<ts.Node>} */
    const seen = new Set();
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (seen.has(node) || ts.isTypeNode(node)) return;
      seen.add(node);
      const route = this.#routeOf(node);
      if (route !== undefined) routes.add(route);
      for (const target of this.#targetsOf(node)) visit(target);
      // Of `branches.get`, the object holds other requests.
      const isMember = ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression);
      if (isMember && this.#targetsOf(node.name).length > 0) visit(node.name);
      else ts.forEachChild(node, visit);
    };
    visit(from);
    return [...routes].map((route) => ({ name, route }));
  }

  /** Every request that a file exports, as `branches.get`. @param {ts.SourceFile} file @returns {Sender[]} */
  requestsOf(file) {
    const module = this.#checker.getSymbolAtLocation(file);
    return (module ? this.#checker.getExportsOfModule(module) : []).flatMap((exported) =>
      this.#declarationsOf(exported).flatMap((declaration) =>
        ts.isVariableDeclaration(declaration) &&
        declaration.initializer !== undefined &&
        ts.isObjectLiteralExpression(declaration.initializer)
          ? declaration.initializer.properties.flatMap((property) =>
              this.sentBy(`${exported.name}.${property.name?.getText() ?? ""}`, property),
            )
          : [],
      ),
    );
  }

  /** The declarations that an identifier names, if they are to be followed. @param {ts.Node} node */
  #targetsOf(node) {
    if (!ts.isIdentifier(node)) return [];
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node);
    return symbol ? this.#declarationsOf(symbol) : [];
  }

  /** @param {ts.Symbol} symbol */
  #declarationsOf(symbol) {
    const named = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : this.#checker.getAliasedSymbol(symbol);
    return (named.declarations ?? []).filter(
      (declaration) =>
        followed.test(relative(root, declaration.getSourceFile().fileName).replaceAll("\\", "/")) &&
        !ts.isInterfaceDeclaration(declaration) &&
        !ts.isTypeAliasDeclaration(declaration) &&
        !ts.isPropertySignature(declaration),
    );
  }

  /** The route of `request("GET", …)`, and of an object with a method and a path. @param {ts.Node} node */
  #routeOf(node) {
    const [method, path] = methodAndPathOf(node);
    if (method === undefined || path === undefined || !ts.isStringLiteral(method)) return undefined;
    const text = this.#pathOf(path);
    return text === undefined ? undefined : `${method.text} ${text}`;
  }

  /** @param {ts.Expression} node @returns {string | undefined} */
  #pathOf(node) {
    if (ts.isStringLiteral(node)) return node.text;
    if (ts.isTaggedTemplateExpression(node)) {
      const { template } = node;
      return ts.isNoSubstitutionTemplateLiteral(template)
        ? template.text
        : [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join("{}");
    }
    // A function that builds the path.
    if (!ts.isCallExpression(node)) return undefined;
    for (const declaration of this.#targetsOf(node.expression)) {
      /** @type {ts.Expression | undefined} */
      let found;
      /** @param {ts.Node} inner */
      const search = (inner) => {
        if (ts.isTaggedTemplateExpression(inner)) found ??= inner;
        else ts.forEachChild(inner, search);
      };
      search(declaration);
      if (found !== undefined) return this.#pathOf(found);
    }
    return undefined;
  }
}

/** @param {ts.Node} node @returns {(ts.Expression | undefined)[]} */
function methodAndPathOf(node) {
  if (ts.isCallExpression(node) && node.expression.getText() === "request") return [...node.arguments];
  if (!ts.isObjectLiteralExpression(node)) return [];
  return ["method", "path"].map((name) => {
    const found = node.properties.find((property) => property.name?.getText() === name);
    return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
  });
}

/** The members of an object that a file declares. @param {ts.SourceFile} file @param {string} name */
function membersOf(file, name) {
  const declaration = file.statements
    .flatMap((statement) => (ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : []))
    .find((one) => one.name.getText() === name);
  const object = declaration?.initializer;
  if (object === undefined || !ts.isObjectLiteralExpression(object)) throw new Error(`${file.fileName} has no ${name}`);
  return object.properties.map(
    (property) => /** @type {const} */ ([property.name?.getText() ?? "", /** @type {ts.Node} */ (property)]),
  );
}
