import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { lookups } from "../../api/lookups/index";
import { secretsOf } from "../../provider/kind/outputs";
import { kinds } from "../../provider/kinds";
import { pulumiSchema } from "../../tools/generate/schema";
import { words } from "../../tools/generate/types";

const generated = (name: string): string => `neon:index:${name}`;

describe("tools: the schema of the plugin", () => {
  const schema = pulumiSchema() as unknown as Schema;

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

  it("marks as secrets the secrets of kinds, lookups and settings, and nothing else", () => {
    const secretsIn = (path: string, properties: Properties = {}): readonly string[] =>
      Object.keys(properties).flatMap((name) => (properties[name]?.secret === true ? [`${path} ${name}`] : []));
    const marked = [
      ...Object.entries(schema.types).flatMap(([token, { properties }]) => secretsIn(token, properties)),
      ...Object.entries({ ...schema.resources, provider: schema.provider }).flatMap(([token, resource]) => [
        ...secretsIn(`${token} inputs`, resource.inputProperties),
        ...secretsIn(`${token} outputs`, resource.properties),
      ]),
      ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) => [
        ...secretsIn(`${token} inputs`, inputs?.properties),
        ...secretsIn(`${token} outputs`, outputs.properties),
      ]),
    ];
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
    assert.deepEqual(marked.sort(), expected.sort());
  });

  it("is refused while a description tells all languages what holds in TypeScript only, or is missing", () => {
    const { description } = words({ description: "Host of a {@link Branch},\nor none." }, "Thing.host");
    assert.equal(description, "Host of a `Branch`, or none.");
    for (const text of ["Use `pulumi.interpolate`.", "Call `getRolesOutput`.", "An `Output<string>`.", "`await` it."]) {
      assert.throws(
        () => words({ description: text }, "Thing.host"),
        /Thing\.host.*is for programs in TypeScript only/,
        text,
      );
    }
    assert.throws(() => words({}, "Thing.host"), /Thing\.host has no description/);
  });

  /** The property at a path, through the types and lists on the way. */
  function propertyAt(properties: Properties, [name = "", ...rest]: readonly string[]): Property | undefined {
    const property = properties[name];
    if (property === undefined || rest.length === 0) return property;
    const [, token = ""] = /#\/types\/([^"]+)/.exec(JSON.stringify(property)) ?? [];
    return propertyAt(schema.types[token]?.properties ?? {}, rest);
  }
});

interface Property {
  readonly secret?: boolean;
}

type Properties = Readonly<Record<string, Property>>;

interface Shape {
  readonly properties: Properties;
}

interface Resource extends Shape {
  readonly inputProperties: Properties;
  readonly aliases?: readonly { readonly type: string }[];
}

interface Schema {
  readonly provider: Resource;
  readonly types: Readonly<Record<string, Shape>>;
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, { readonly inputs?: Shape; readonly outputs: Shape }>>;
}
