// `sdk/resources`: a class for each kind, with the interface of its arguments.
import { shortNoun } from "./model.mjs";
import {
  comment,
  declarationOf,
  exampleBlocks,
  interfaceOf,
  lowerFirst,
  namedIn,
  outputMembers,
  placed,
} from "./typescript.mjs";

/** @typedef {import("./model.mjs").Resource} Resource */

/** @param {readonly Resource[]} resources */
export function resourceFiles(resources) {
  const files = new Map(resources.map(({ file }) => [file, resources.filter((one) => one.file === file)]));
  const owners = placed(resources.map(({ file, inputs }) => [file, [inputs]]));
  return [...files].map(([file, kinds]) => /** @type {const} */ ([file, fileOf(file, kinds, owners)]));
}

/**
 * @param {string} file
 * @param {readonly Resource[]} kinds
 * @param {ReadonlyMap<string, string>} owners
 */
function fileOf(file, kinds, owners) {
  const used = new Map(
    kinds.flatMap(({ inputs }) => namedIn(inputs)).map((schema) => [schema.own?.title ?? "", schema]),
  );
  const own = [...used].filter(([title]) => owners.get(title) === file);
  const others = [...used.keys()].filter((title) => owners.get(title) !== file && isMentioned(title));
  const imports = [...new Set(others.map((title) => owners.get(title)))].map(
    (owner) =>
      `import type { ${others
        .filter((title) => owners.get(title) === owner)
        .sort()
        .join(", ")} } from "./${owner}";`,
  );
  /** @param {string} title */
  function isMentioned(title) {
    const direct = [...kinds.map(({ inputs }) => inputs), ...own.map(([, schema]) => ({ ...schema, own: {} }))];
    return direct.some((schema) => JSON.stringify(typesIn(schema)).includes(`"${title}"`));
  }
  return [
    `// Generated from provider/resources/${file}.ts by \`npm run generate\`: do not edit.`,
    `import type * as pulumi from "@pulumi/pulumi";`,
    "",
    `import type { ${kinds.map(({ constant }) => constant).join(", ")} } from "../../provider/resources/${file}";`,
    `import { Resource, type ResourceDefinition } from "../resource";`,
    `import type { SameInputs } from "../type-equality";`,
    ...imports,
    "",
    ...own.flatMap(([, schema]) => [declarationOf(schema, "input"), ""]),
    ...kinds.map(classOf),
  ].join("\n");
}

/** @param {import("./model.mjs").JsonSchema} schema @returns {string[]} */
function typesIn({ properties = {}, items, own }) {
  if (own?.title !== undefined) return [own.title];
  return [...Object.values(properties), ...(items ? [items] : [])].flatMap(typesIn);
}

/** @param {Resource} resource */
function classOf({ name, noun, constant, inputs, outputs, id, carries, about }) {
  const definition = `${lowerFirst(name)}Definition`;
  const an = /^[AEIO]/.test(name) ? "an" : "a";
  const members = Object.entries(outputs.properties ?? {});
  const kinds = members.map(([output, schema]) => [output, outputKind(output, schema)]);
  const absences = members.flatMap(([output, { absence }]) => (absence === undefined ? [] : [[output, absence]]));
  const protecting = Object.keys(inputs.properties ?? {}).find((input) => inputs.properties?.[input]?.protects);
  const data = {
    kind: name,
    id,
    outputs: Object.fromEntries(kinds),
    ...(Object.keys(carries).length > 0 ? { carries } : {}),
    ...(absences.length > 0 ? { absences: Object.fromEntries(absences) } : {}),
  };
  const note = inputs.description === undefined ? "" : ` ${inputs.description}`;
  const encoded = id.at(-1)?.endsWith("Id") ? "" : ", with percent-encoded segments";
  const opts =
    protecting === undefined
      ? "opts"
      : `{ ...(args.${protecting} === true && opts?.retainOnDelete !== true ? { protect: true } : {}), ...opts }`;
  return `${interfaceOf(`${name}Args`, `Arguments of ${an} {@link ${name}}.${note}`, inputs, "input")}

const ${definition}: ResourceDefinition = ${JSON.stringify(data)};

${comment(about.text, { blocks: exampleBlocks(about.examples) })}
export class ${name} extends Resource {
${outputMembers(outputs)}

  /**
   * @param name Logical name of the resource.
   * @param args Arguments of the resource.
   * @param opts Pulumi's resource options. \`import\` needs the provider plugin: without it, declare \`adopt\`.
   */
  constructor(name: string, args: ${name}Args${inputs.required === undefined ? " = {}" : ""}, opts?: pulumi.CustomResourceOptions) {
    super(${definition}, name, args, ${opts});
  }

${comment(`Reads an existing ${shortNoun(noun)} without managing it. The id has the form \`${id.map((part) => `<${part}>`).join("/")}\`${encoded}.`, { indent: 2 })}
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ${name} {
    return Resource.existing(${name}, ${definition}, name, id, opts);
  }

${comment(`Returns whether a value is ${an} \`${name}\`, also one created by another copy of this package.`, { indent: 2 })}
  static override isInstance(value: unknown): value is ${name} {
    return Resource.isOfKind(value, "${name}");
  }
}

true satisfies SameInputs<${name}Args, (typeof ${constant})["inputs"]>;
`;

  /** @param {string} output @param {import("./model.mjs").JsonSchema} schema */
  function outputKind(output, { secret, type }) {
    if (secret) return "secret";
    // What only the platform chooses is known from the id, even in the preview of an update.
    if (output !== id.at(-1) || inputs.properties?.[output]) return "plain";
    return type === "string" ? "fromId" : "numberFromId";
  }
}
