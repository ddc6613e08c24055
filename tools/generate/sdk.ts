// `sdk/resources`: a class for each kind. `sdk/data-sources`: both forms of each lookup.
import { type DataSource, type JsonSchema, membersOf, type Resource } from "./model";
import { comment, declarationOf, exampleBlocks, interfaceOf, namedIn, outputMembers, typeOf } from "./typescript";

type File = readonly [name: string, text: string];

/** @param resources a named type of several files is declared in the first of them */
export function resourceFiles(resources: readonly Resource[]): readonly File[] {
  const owners = new Map<string, string>();
  return byFile(resources).map(([file, kinds]) => {
    const used = namedIn(kinds.map(({ inputs }) => inputs));
    for (const title of used.keys()) if (!owners.has(title)) owners.set(title, file);
    const own = [...used].filter(([title]) => owners.get(title) === file);
    const declarations = [...own.map(([, schema]) => `${declarationOf(schema, "input")}\n`), ...kinds.map(classOf)];
    const body = declarations.join("\n");
    const foreign = [...used.keys()].filter(
      (title) => owners.get(title) !== file && new RegExp(`\\b${title}\\b`).test(body),
    );
    const imports = [...new Set(foreign.map((title) => owners.get(title)))].map((owner) => {
      const names = foreign.filter((title) => owners.get(title) === owner).sort();
      return `import type { ${names.join(", ")} } from "./${String(owner)}";\n`;
    });
    const text = `// Generated from provider/resources/${file}.ts by \`npm run generate\`: do not edit.
import type * as pulumi from "@pulumi/pulumi";

import type { ${kinds.map(({ constant }) => constant).join(", ")} } from "../../provider/resources/${file}";
import { Resource, type ResourceDefinition } from "../resource";
import type { SameInputs } from "../type-equality";
${imports.join("")}
${body}`;
    return [file, text] as const;
  });
}

export function dataSourceFiles(dataSources: readonly DataSource[]): readonly File[] {
  return byFile(dataSources).map(([file, lookups]) => {
    const options = [
      ...(lookups.some(({ args }) => !isEmpty(args)) ? ["Inputs"] : []),
      "LookupOptions",
      ...(lookups.some(({ args }) => isEmpty(args)) ? ["NoArgs"] : []),
    ];
    const named = [...namedIn(lookups.map(({ answer }) => answer)).values()];
    const text = `// Generated from api/lookups/${file}.ts by \`npm run generate\`: do not edit.
import { dataSource } from "../data-source";
import type { ${options.join(", ")} } from "../lookup-options";

${[...named.map((schema) => `${declarationOf(schema, "result")}\n`), ...lookups.map(functionsOf)].join("\n")}`;
    return [file, text] as const;
  });
}

export function byFile<One extends { readonly file: string }>(all: readonly One[]) {
  const files = [...new Set(all.map(({ file }) => file))];
  return files.map((name) => [name, all.filter(({ file }) => file === name)] as const);
}

function classOf({ name, noun, constant, inputs, outputs, addressNames, carries, about }: Resource): string {
  const definition = `${lowerFirst(name)}Definition`;
  const an = /^[AEIO]/.test(name) ? "an" : "a";
  const members = membersOf(outputs);
  const absences = members.flatMap(([output, { absence }]) => (absence === undefined ? [] : [[output, absence]]));
  const outputKind = ([output, { secret, type }]: (typeof members)[number]): string => {
    if (secret) return "secret";
    // What only the platform chooses is known from the id, even in the preview of an update.
    if (output !== addressNames.at(-1) || inputs.properties?.[output]) return "plain";
    return type === "string" ? "fromId" : "numberFromId";
  };
  const data = {
    kind: name,
    id: addressNames,
    outputs: Object.fromEntries(members.map((member) => [member[0], outputKind(member)])),
    ...(carries === undefined ? {} : { carries }),
    ...(absences.length > 0 ? { absences: Object.fromEntries(absences) as unknown } : {}),
  };
  const note = inputs.description === undefined ? "" : ` ${inputs.description}`;
  const [protecting] = membersOf(inputs).find(([, { protects }]) => protects) ?? [];
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

${comment(`Reads an existing ${noun} without managing it. ${idForm(addressNames)}`, { indent: 2 })}
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
}

/** What the id of a resource holds. */
export function idForm(addressNames: readonly string[]): string {
  const encoded = addressNames.at(-1)?.endsWith("Id") ? "" : ", with percent-encoded segments";
  return `The id has the form \`${addressNames.map((part) => `<${part}>`).join("/")}\`${encoded}.`;
}

export function isEmpty(schema: JsonSchema): boolean {
  return membersOf(schema).length === 0;
}

function functionsOf({ name, args, answer, list, secrets, about }: DataSource): string {
  const source = `${name}Source`;
  const type = isEmpty(args) ? "NoArgs" : `${name.charAt(0).toUpperCase()}${name.slice(1)}Args`;
  const result = typeOf((list === undefined ? answer : answer.properties?.[list]) ?? answer, "result");
  const omissible = args.required === undefined && !args.description ? " = {}" : "";
  const parameter = (form: string): string => (isEmpty(args) ? "" : `args: ${form}${omissible}, `);
  const given = isEmpty(args) ? "{}" : "args";
  const outputForm = isEmpty(args)
    ? "it waits until the provider's settings are known."
    : `the arguments can be outputs${secrets.length > 0 ? ", and the result is secret" : ""}.`;
  const isOutputExample = (example: string): boolean => example.includes(`${name}Output(`);
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

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
