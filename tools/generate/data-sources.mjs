// `sdk/data-sources`: both forms of each lookup, with the interfaces of its arguments and its result.
import { comment, declarationOf, exampleBlocks, interfaceOf, namedIn, typeOf } from "./typescript.mjs";

/** @typedef {import("./model.mjs").DataSource} DataSource */

/** @param {readonly DataSource[]} dataSources */
export function dataSourceFiles(dataSources) {
  const files = new Map(dataSources.map(({ file }) => [file, dataSources.filter((one) => one.file === file)]));
  return [...files].map(([file, lookups]) => /** @type {const} */ ([file, fileOf(file, lookups)]));
}

/**
 * @param {string} file
 * @param {readonly DataSource[]} lookups
 */
function fileOf(file, lookups) {
  const named = new Map(lookups.flatMap(({ answer }) => namedIn(answer)).map((schema) => [schema.own?.title, schema]));
  const options = ["Inputs", "LookupOptions", "NoArgs"].filter(
    (name) => name === "LookupOptions" || lookups.some(({ args }) => isEmpty(args) === (name === "NoArgs")),
  );
  return [
    `// Generated from api/lookups/${file}.ts by \`npm run generate\`: do not edit.`,
    `import { dataSource } from "../data-source";`,
    `import type { ${options.join(", ")} } from "../lookup-options";`,
    "",
    ...[...named.values()].flatMap((schema) => [declarationOf(schema, "result"), ""]),
    ...lookups.map(functionsOf),
  ].join("\n");
}

/** @param {import("./model.mjs").JsonSchema} schema */
function isEmpty({ properties = {} }) {
  return Object.keys(properties).length === 0;
}

/** @param {DataSource} dataSource */
function functionsOf({ name, args, answer, list, secrets, about }) {
  const source = `${name}Source`;
  const type = isEmpty(args) ? "NoArgs" : `${name.charAt(0).toUpperCase()}${name.slice(1)}Args`;
  const result = typeOf((list === undefined ? answer : answer.properties?.[list]) ?? answer, "result");
  const omissible = args.required === undefined && !args.description ? " = {}" : "";
  /** @param {string} form */
  const parameter = (form) => (isEmpty(args) ? "" : `args: ${form}${omissible}, `);
  const given = isEmpty(args) ? "{}" : "args";
  const outputForm = isEmpty(args)
    ? "it waits until the provider's settings are known."
    : `the arguments can be outputs${secrets.length > 0 ? ", and the result is secret" : ""}.`;
  const isOutputExample = (/** @type {string} */ example) => example.includes(`${name}Output(`);
  const others = about.examples.every(isOutputExample) ? [] : about.examples.filter(isOutputExample);
  const own = about.examples.filter((one) => !others.includes(one));
  const rule = args.description ? ` ${args.description}` : "";
  return `${isEmpty(args) ? "" : interfaceOf(type, `Arguments of \`${name}\`.${rule}`, args, "result")}

const ${source} = dataSource<${type}, ${result}>("${name}");

${comment(about.text, { blocks: exampleBlocks(own) })}
export function ${name}(${parameter(type)}options?: LookupOptions) {
  return ${source}.invoke(${given}, options);
}

${comment(`Output form of {@link ${name}}: ${outputForm}`, { blocks: exampleBlocks(others) })}
export function ${name}Output(${parameter(`Inputs<${type}>`)}options?: LookupOptions) {
  return ${source}.output(${given}, options);
}
`;
}
