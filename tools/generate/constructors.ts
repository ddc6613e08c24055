// The constructors of a resource, by language.
import { type JsonSchema, membersOf } from "./json-schema";

const width = 100;

/** @returns code blocks: one in TypeScript, then those of the other languages */
export function constructorsOf(name: string, inputs: JsonSchema, token = `neon:${name}`): readonly [string, string[]] {
  const args = `args${inputs.required === undefined ? "?" : ""}: ${name}Args`;
  return [
    `\`\`\`typescript\nnew neon.${name}(name: string, ${args}, opts?: pulumi.CustomResourceOptions)\n\`\`\``,
    [
      `\`\`\`python\n${pythonConstructor(name, inputs)}\n\`\`\``,
      `\`\`\`go\nneon.New${name}(ctx *pulumi.Context, name string, args *neon.${name}Args, opts ...pulumi.ResourceOption) (*neon.${name}, error)\n\`\`\``,
      `\`\`\`yaml\ntype: ${token}\nproperties: # the arguments\noptions: # Pulumi's resource options\n\`\`\``,
    ],
  ];
}

function pythonConstructor(name: string, inputs: JsonSchema): string {
  const members = membersOf(inputs).map(([member]) => {
    return `${snakeCase(member)}${inputs.required?.includes(member) === true ? "" : "=None"}`;
  });
  const start = `neon.${name}(`;
  const lines = [start];
  for (const [index, parameter] of ["resource_name", "opts=None", "*", ...members].entries()) {
    const last = lines.at(-1) ?? "";
    const text = index === members.length + 2 ? `${parameter})` : `${parameter},`;
    if (last.length + text.length + 1 > width) lines.push(" ".repeat(start.length) + text);
    else lines[lines.length - 1] = index === 0 ? last + text : `${last} ${text}`;
  }
  return lines.join("\n");
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
