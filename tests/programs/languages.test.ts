import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, it } from "mocha";

import { writeFiles } from "../support/files";
import { suiteFolder } from "../support/folder";
import { goModule, type LanguageProgram, pythonMetadata, suiteGenerator, suiteLanguage } from "../support/languages";
import { suiteStacks } from "../support/stack";

const goProgram = (greeting: string): string => `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ctx.Export("greeting", pulumi.String("${greeting} "+config.Require(ctx, "name")))
		return nil
	})
}
`;

/** A program in each language that greets the name of its configuration. */
const programs: readonly ((greeting: string) => LanguageProgram)[] = [
  (greeting) => ({
    name: "yaml",
    // The host that is built here does not get what is declared as `config`.
    files: {
      "Main.yaml": `configuration: { name: { type: string } }\noutputs: { greeting: "${greeting} \${name}" }\n`,
    },
  }),
  (greeting) => ({
    name: "python",
    files: {
      "__main__.py": `import pulumi\npulumi.export("greeting", "${greeting} " + pulumi.Config().require("name"))\n`,
    },
  }),
  (greeting) => ({ name: "go", files: { "main.go": goProgram(greeting) } }),
];

for (const program of programs) {
  const { name } = program("");
  describe(`programs in ${name}`, () => {
    suiteLanguage(name);
    const newStack = suiteStacks();

    it("run with the CLI, and run again after an edit", async () => {
      const stack = await newStack({ language: program("Hello"), config: { name: "world" } });
      await stack.up();
      assert.deepEqual(stack.outputs(), { greeting: "Hello world" });
      stack.writeFiles(program("Bye").files);
      await stack.up();
      assert.deepEqual(stack.outputs(), { greeting: "Bye world" });
    });
  });
}

/** Writes the schema of a package with one resource, and returns its file. */
function writeSchema(folder: string, properties: unknown): string {
  const file = join(folder, "schema.json");
  const resources = { "shop:index:Shelf": { inputProperties: properties, properties, required: ["size"] } };
  const go = { importBasePath: "example.com/shop/sdk" };
  writeFileSync(file, JSON.stringify({ name: "shop", version: "1.2.3", resources, language: { go } }));
  return file;
}

const size = { size: { type: "integer" } };

describe("generate-sdk", () => {
  const generateSdk = suiteGenerator();
  const folder = suiteFolder("neon-pulumi-sdk-");

  const cases = [
    ["nodejs", "shelf.ts", "pulumi.Output<number>"],
    ["python", join("pulumi_shop", "shelf.py"), "pulumi.Output[_builtins.int]"],
    ["go", join("sdk", "shelf.go"), "pulumi.IntOutput"],
  ] as const;
  for (const [language, file, type] of cases) {
    it(`writes a schema's classes for ${language}`, async () => {
      const written = join(folder, language);
      await generateSdk(language, writeSchema(folder, size), written);
      assert.ok(readFileSync(join(written, file), "utf8").includes(type));
    });
  }

  it("writes nothing of a schema with an error, and says where it is", async () => {
    const written = join(folder, "nothing");
    const schema = writeSchema(folder, { size: { $ref: "#/types/shop:index:Size" } });
    await assert.rejects(generateSdk("nodejs", schema, written), /resources\/shop:index:Shelf\/properties\/size/);
    assert.ok(!existsSync(written));
  });
});

/** Programs that use the SDK in a folder. */
const users: readonly ((sdk: string) => LanguageProgram)[] = [
  () => ({
    name: "python",
    files: {
      "__main__.py": "import pulumi\nimport pulumi_shop\npulumi.export('size', pulumi_shop.ShelfArgs(size=3).size)\n",
    },
  }),
  (sdk) => ({
    name: "go",
    files: {
      ...goModule("program", { "example.com/shop": sdk }),
      "main.go": `package main

import (
	"example.com/shop/sdk"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		ctx.Export("size", (&sdk.ShelfArgs{Size: pulumi.Int(3)}).Size)
		return nil
	})
}
`,
    },
  }),
];

for (const program of users) {
  const { name } = program("");
  describe(`programs in ${name}`, () => {
    suiteLanguage(name);
    const generateSdk = suiteGenerator();
    const newStack = suiteStacks();
    const sdk = suiteFolder("neon-pulumi-sdk-");

    it("use a generated SDK", async () => {
      if (name !== "yaml") await generateSdk(name, writeSchema(sdk, size), sdk);
      writeFiles(sdk, { ...goModule("example.com/shop"), ...pythonMetadata("pulumi_shop", "1.2.3") });
      const stack = await newStack({ language: program(sdk), environment: { PYTHONPATH: sdk } });
      await stack.up();
      assert.deepEqual(stack.outputs(), { size: 3 });
    });
  });
}
