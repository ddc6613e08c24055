import assert from "node:assert/strict";

import { before, describe, it } from "mocha";

import { lookups } from "../../api/lookups/index";
import { secretsOf } from "../../provider/kind/outputs";
import { kinds } from "../../provider/kinds";
import { settingNames } from "../../provider/settings/client-settings";
import { pulumiSchema } from "../../tools/generate/schema";
import { words } from "../../tools/generate/types";

const generated = (name: string): string => `neon:index:${name}`;

describe("tools: the schema of the plugin", () => {
  const schema = pulumiSchema() as unknown as Schema;
  /** Every object of the schema: its path, its properties and the required ones. */
  let shapes: readonly (readonly [path: string, properties: Properties, required: readonly string[]])[];
  before(() => {
    const resources = { ...schema.resources, provider: schema.provider };
    shapes = [
      ...Object.entries(schema.types).map(
        ([token, { properties, required = [] }]) => [token, properties, required] as const,
      ),
      ...Object.entries(resources).flatMap(
        ([token, { inputProperties, requiredInputs = [], properties, required = [] }]) => [
          [`${token} inputs`, inputProperties, requiredInputs] as const,
          [`${token} outputs`, properties, required] as const,
        ],
      ),
      ...Object.entries(schema.functions).flatMap(([token, { inputs = { properties: {} }, outputs }]) => [
        [`${token} inputs`, inputs.properties, inputs.required ?? []] as const,
        [`${token} outputs`, outputs.properties, outputs.required ?? []] as const,
      ]),
    ];
  });

  it("has every kind as a resource, with the type of the dynamic provider as its alias", () => {
    assert.deepEqual(Object.keys(schema.resources).sort(), Object.keys(kinds).map(generated).sort());
    for (const name of Object.keys(kinds)) {
      const { aliases } = schema.resources[generated(name)] ?? {};
      assert.deepEqual(aliases, [{ type: `pulumi-nodejs:dynamic/neon:${name}` }]);
    }
  });

  it("has every lookup as a function", () => {
    assert.deepEqual(Object.keys(schema.functions).sort(), Object.keys(lookups).map(generated).sort());
  });

  it("has every input that a field rule names", () => {
    for (const [name, { rules }] of Object.entries(kinds)) {
      const inputs = schema.resources[generated(name)]?.inputProperties;
      assert.ok(inputs, name);
      for (const path of Object.keys(rules)) assert.ok(propertyAt(inputs, path.split(".")), `${name}.${path}`);
    }
  });

  it("has no reference that leads nowhere, and no type that nothing refers to", () => {
    const references = shapes.flatMap(([, properties]) => Object.values(properties).flatMap(referencesIn));
    // Pulumi's own types of files and archives are in none of our schemas.
    const own = references.filter((reference) => !reference.startsWith("pulumi.json"));
    assert.deepEqual([...new Set(own)].sort(), Object.keys(schema.types).sort());
  });

  it("requires only properties that it has", () => {
    for (const [path, properties, required] of shapes) {
      assert.deepEqual(
        required.filter((name) => properties[name] === undefined),
        [],
        path,
      );
    }
  });

  it("describes every resource and every property", () => {
    for (const [token, { description }] of Object.entries(schema.resources)) assert.match(description, /\w/, token);
    for (const [path, properties] of shapes) {
      for (const [name, { description }] of Object.entries(properties)) {
        assert.match(description ?? "", /\w/, `${path} ${name}`);
      }
    }
  });

  it("marks as secrets the secrets of kinds, lookups and settings, and nothing else", () => {
    const marked = shapes.flatMap(([path, properties]) =>
      Object.keys(properties).flatMap((name) => (properties[name]?.secret === true ? [`${path} ${name}`] : [])),
    );
    const expected = [
      "provider inputs apiKey",
      "provider outputs apiKey",
      ...Object.entries(kinds).flatMap(([name, kind]) =>
        secretsOf(kind).map((secret) => `${generated(name)} outputs ${secret}`),
      ),
      // The only secrets that programs declare.
      `${generated("NeonAuth")} inputs emailProviderPassword`,
      `${generated("NeonAuthOauthProvider")} inputs clientSecret`,
      `${generated("Function")} inputs environment`,
      ...Object.entries(lookups).flatMap(([lookup, { secrets }]) =>
        secrets.map((name) => `${generated(lookup)} outputs ${name}`),
      ),
    ];
    assert.deepEqual([...marked].sort(), expected.sort());
  });

  it("has every setting with its environment variable, in the configuration and in the provider", () => {
    for (const settings of [schema.config.variables, schema.provider.inputProperties]) {
      const found = Object.entries(settings).map(([name, { defaultInfo }]) => [
        name,
        ...(defaultInfo?.environment ?? []),
      ]);
      assert.deepEqual(found.sort(), Object.entries(settingNames).sort());
    }
  });

  it("names the place of the plugin's downloads if a release has one", () => {
    const pluginDownloadURL = "https://downloads.example/neon";
    assert.equal(schema.pluginDownloadURL, undefined);
    assert.deepEqual(pulumiSchema({ pluginDownloadURL }), { ...schema, pluginDownloadURL });
  });

  it("is refused while a description tells all languages what holds in TypeScript only", () => {
    const { description } = words({ description: "Host of a {@link Branch},\nor none." }, "Thing.host");
    assert.equal(description, "Host of a `Branch`, or none.");
    for (const text of ["Use `pulumi.interpolate`.", "Call `getRolesOutput`.", "An `Output<string>`.", "`await` it."]) {
      assert.throws(
        () => words({ description: text }, "Thing.host"),
        /Thing\.host.*is for programs in TypeScript only/,
        text,
      );
    }
  });

  it("is refused while something has no description", () => {
    assert.throws(() => words({}, "Thing.host"), /Thing\.host has no description/);
  });

  /** The property at a path, through the types and lists on the way. */
  function propertyAt(properties: Properties, [name = "", ...rest]: readonly string[]): Property | undefined {
    const property = properties[name];
    if (property === undefined || rest.length === 0) return property;
    const [token = ""] = referencesIn(property);
    return propertyAt(schema.types[token]?.properties ?? {}, rest);
  }
});

/** The tokens of the types that a property refers to. */
function referencesIn({ $ref, items, additionalProperties, oneOf = [] }: Property): readonly string[] {
  const own = $ref === undefined ? [] : [$ref.replace(/^#\/types\//, "")];
  const inner = [items, additionalProperties, ...oneOf].filter((one) => one !== undefined);
  return [...own, ...inner.flatMap(referencesIn)];
}

interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
  readonly oneOf?: readonly Property[];
  readonly description?: string;
  readonly secret?: boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

type Properties = Readonly<Record<string, Property>>;

interface Shape {
  readonly properties: Properties;
  readonly required?: readonly string[];
}

interface Resource extends Shape {
  readonly description: string;
  readonly inputProperties: Properties;
  readonly requiredInputs?: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

interface Schema {
  readonly name: string;
  readonly version: string;
  readonly pluginDownloadURL?: string;
  readonly config: { readonly variables: Properties };
  readonly provider: Resource;
  readonly types: Readonly<Record<string, Shape>>;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, { readonly inputs?: Shape; readonly outputs: Shape }>>;
}
