// The examples in TypeScript as a program that runs as it is pasted: descriptions leave out imports and the project.

/** Declarations that examples leave out, in the order in which a program has them. */
const granted = {
  config: "const config = new pulumi.Config();",
  project: 'const project = new neon.Project("shop", { regionId: "aws-eu-central-1" });',
  staging: 'const staging = new neon.Branch("staging", { projectId: project.id, compute: {} });',
} as const;

const packages = { neon: "neon-pulumi", pulumi: "@pulumi/pulumi" } as const;

/** A file of code that examples bundle, as its call names it. */
const bundledFile = "api/index.ts";

/** The file that the functions in the examples of a section bundle, if there is one. */
export function bundledIn(blocks: readonly string[]): readonly string[] {
  if (!blocks.some((block) => block.includes(`code: neon.bundle("${bundledFile}"`))) return [];
  const code = 'export default {\n  fetch: (): Response => new Response("Done"),\n};';
  return [`\`${bundledFile}\` next to the program is the code of the function:\n\n\`\`\`ts\n${code}\n\`\`\``];
}

/**
 * @param blocks the examples of a section, which continue each other
 * @returns the same, of which the first begins with the imports and declarations that all of them need
 */
export function asProgram(blocks: readonly string[]): readonly string[] {
  const [first, ...others] = blocks;
  if (first === undefined) return [];
  const declared = Object.entries(granted).reduceRight((text, [name, declaration]) => {
    const isMissing = uses(text + blocks.join("\n"), name) && !blocks.some((block) => declares(block, name));
    return isMissing ? `${declaration}\n${text}` : text;
  }, "");
  const whole = declared + blocks.join("\n");
  const imports = Object.entries(packages)
    .filter(([name]) => name === "neon" || uses(whole, name))
    .map(([name, from]) => `import * as ${name} from "${from}";\n`);
  return [first.replace(/^```ts\n/, `\`\`\`ts\n${imports.join("")}\n${declared}`), ...others];
}

function uses(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w.])${name}\\.\\w`).test(text);
}

function declares(text: string, name: string): boolean {
  return new RegExp(`\\bconst ${name} =`).test(text);
}
