import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

import { describe, it } from "mocha";
import * as prettier from "prettier";

import { camelKey } from "../../api/core/camel-case";
import type { KindName } from "../../provider/frozen-entry";
import {
  type Attributes,
  terraformDataSources,
  terraformMapping,
  terraformResources,
} from "../../provider/pulumi/terraform";
import { CallError, type Values } from "../support/provider-server";
import { suiteStage } from "../support/stage";

/** A part of Pulumi's schema. */
interface Shape {
  readonly properties?: Readonly<
    Record<string, { readonly $ref?: string; readonly items?: { readonly $ref?: string } }>
  >;
  readonly inputProperties?: Shape["properties"];
  readonly inputs?: Shape;
  readonly outputs?: Shape;
}
interface Schema {
  readonly resources: Readonly<Record<string, Shape>>;
  readonly functions: Readonly<Record<string, Shape>>;
  readonly types: Readonly<Record<string, Shape>>;
}

/** The names of the mapping, as the converter reads them. */
interface Field {
  readonly name?: string;
  readonly fields?: Fields;
  readonly element?: { readonly fields: Fields };
}
type Fields = Readonly<Record<string, Field>>;
interface Mapping {
  readonly name: string;
  readonly version: string;
  readonly provider: { readonly resources: Values; readonly dataSources: Values };
  readonly resources: Readonly<Record<string, { readonly tok: string; readonly fields: Fields }>>;
  readonly dataSources: Readonly<Record<string, { readonly tok: string; readonly fields: Fields }>>;
}

describe("plugin: what comes from Terraform", function () {
  this.timeout(120_000);
  const stage = suiteStage({ door: "plugin" });
  const schema = JSON.parse(readFileSync("plugin/schema.json", "utf8")) as Schema;
  const mapping = terraformMapping("0.1.0") as Mapping;

  /** Asserts that each name leads to a member of a shape, and those of its members to members of that. */
  function assertLead(fields: Fields, shape: Shape, where: string): void {
    const members = {
      ...shape.properties,
      ...shape.inputProperties,
      ...shape.inputs?.properties,
      ...shape.outputs?.properties,
    };
    for (const [attribute, { name = camelKey(attribute), fields: below }] of Object.entries(fields)) {
      const member = members[name];
      assert.ok(member, `${where}.${attribute} leads to ${name}, which does not exist`);
      const type = (member.$ref ?? member.items?.$ref)?.replace("#/types/", "");
      if (below !== undefined) assertLead(below, schema.types[type ?? ""] ?? {}, `${where}.${attribute}`);
    }
  }

  it("is mapped to types and properties that the schema has", () => {
    for (const [type, { tok, fields }] of Object.entries(mapping.resources)) {
      const shape = schema.resources[tok];
      assert.ok(shape, `${type} leads to ${tok}, which does not exist`);
      assertLead(fields, shape, type);
    }
    for (const [type, { tok, fields }] of Object.entries(mapping.dataSources)) {
      const shape = schema.functions[tok];
      assert.ok(shape, `${type} leads to ${tok}, which does not exist`);
      assertLead(fields, shape, type);
    }
  });

  it("is mapped in the bridge's format, with the names below blocks where the converter looks for them", () => {
    assert.equal(mapping.name, "neon");
    assert.deepEqual(Object.keys(mapping.provider.resources), Object.keys(terraformResources));
    assert.deepEqual(Object.keys(mapping.provider.dataSources), Object.keys(terraformDataSources));
    const { neon_branch: branch } = mapping.resources;
    assert.ok(branch);
    assert.equal(branch.fields["id"]?.name, "branchId");
    const compute = branch.fields["endpoint"];
    assert.deepEqual([compute?.name, compute?.fields], ["compute", compute?.element?.fields]);
    assert.equal(compute?.fields?.["min_cu"]?.name, "autoscalingLimitMinCu");
    // The numbers of the bridge: 4 is a string, 5 a list. A list of one item is an object.
    const shapes = mapping.provider.resources["neon_project"] as Values;
    assert.deepEqual(shapes["default_endpoint_settings"], {
      type: 5,
      element: { resource: { id: { type: 4, optional: true } } },
      maxItems: 1,
      optional: true,
    });
  });

  it("has the names that docs/from-terraform.md shows", async () => {
    const page = readFileSync("docs/from-terraform.md", "utf8");
    const section = /(?<=<!-- names -->\n)[^]*(?=<!-- \/names -->)/;
    const current = `\n${await prettier.format(namesTables(), { parser: "markdown" })}\n`;
    if (process.env["UPDATE_TABLE"] === "1") writeFileSync("docs/from-terraform.md", page.replace(section, current));
    else assert.equal(section.exec(page)?.[0], current, "run this test with UPDATE_TABLE=1");
  });

  describe("by the ids that its providers write", () => {
    const read = (kind: KindName, id: string) =>
      stage().server.lookUp(kind, id, { urn: `urn:pulumi:dev::shop::neon:index:${kind}::one` });

    it("is imported with the ids of this package in the state", async () => {
      const { id: projectId, branchId } = await stage().project();
      await stage().project();
      const computes = await stage().computes(projectId, branchId);
      const path = `/projects/${projectId}`;
      const { body: permission } = await stage().platform.call("POST", `${path}/permissions`, {
        email: "ann@example.com",
      });
      const jwks = { jwks_url: "https://auth.example.com/keys", provider_name: "Auth0" };
      const { body: url } = await stage().platform.call("POST", `${path}/jwks`, jwks);
      await stage().settled(projectId);
      const written = (body: unknown): string =>
        String((body as Values)["id"] ?? ((body as Values)["jwks"] as Values)["id"]);
      await stage().platform.call("POST", `${path}/branches/${branchId}/roles`, { role: { name: "100% app" } });
      await stage().settled(projectId);
      const cases: readonly (readonly [kind: KindName, written: string, own: string])[] = [
        ["Project", projectId, projectId],
        ["Branch", branchId, `${projectId}/${branchId}`],
        ["Endpoint", computes[0]?.id ?? "", `${projectId}/${computes[0]?.id ?? ""}`],
        ["ProjectPermission", written(permission), `${projectId}/${written(permission)}`],
        ["JwksUrl", written(url), `${projectId}/${written(url)}`],
        ["Role", `${projectId}/${branchId}/100% app`, `${projectId}/${branchId}/100%25%20app`],
        ["Database", `${projectId}/${branchId}/neondb`, `${projectId}/${branchId}/neondb`],
      ];
      for (const [kind, id, own] of cases) assert.equal((await read(kind, id)).id, own, kind);
    });

    it("is imported from an organization, also where an id has its parts in another order", async () => {
      const orgId = await stage().platform.firstOrganization();
      const { id: projectId } = await stage().project({ org_id: orgId });
      const vpc = `/organizations/${orgId}/vpc/region/aws-us-east-2/vpc_endpoints/vpce-4711`;
      await stage().platform.call("POST", vpc, { label: "office" });
      await stage().platform.call("POST", `/projects/${projectId}/vpc_endpoints/vpce-4711`, { label: "office" });
      const { body } = await stage().platform.call("POST", `/organizations/${orgId}/api_keys`, { key_name: "ci" });
      const key = String((body as unknown as Values)["id"]);
      assert.equal((await read("VpcEndpointAssignment", "vpce-4711")).id, `${orgId}/aws-us-east-2/vpce-4711`);
      assert.equal((await read("VpcEndpointRestriction", `vpce-4711/${projectId}`)).id, `${projectId}/vpce-4711`);
      assert.equal((await read("OrganizationApiKey", key)).id, `${orgId}/${key}`);
    });

    it("fails with the whole form of the id, if no project that the key sees has the object", async () => {
      await assert.rejects(read("Branch", "br-of-nobody-000001"), ({ message }: CallError) =>
        /The branch br-of-nobody-000001 was not found in the \d+ projects that this API key sees\. Use the whole id, such as `<projectId>\/<branchId>`/.test(
          message,
        ),
      );
      await assert.rejects(read("Role", "app"), /<project>|projectId|is not/);
    });

    it("reads one list for each project, however many ids there are", async () => {
      const { id } = await stage().project();
      const { id: other } = await stage().project();
      const branches = [await stage().branch(id), await stage().branch(id), await stage().branch(id)];
      const server = await stage().anotherServer();
      try {
        await stage().platform.clearRequests();
        for (const branch of branches) {
          const urn = `urn:pulumi:dev::shop::neon:index:Branch::${branch.id}`;
          assert.equal((await server.lookUp("Branch", branch.id, { urn })).id, `${id}/${branch.id}`);
        }
        assert.equal((await stage().requests(`/projects/${other}/`)).length, 1);
      } finally {
        await server.stop();
      }
    });
  });
});

/** The tables of docs/from-terraform.md. */
function namesTables(): string {
  const types = [
    ...Object.entries(terraformResources).map(([type, { kind }]) => `| \`${type}\` | \`neon.${kind}\` |`),
    ...Object.entries(terraformDataSources).map(([type, one]) => `| \`data.${type}\` | \`neon.${one.function}\` |`),
  ];
  const attributes = [
    ...Object.entries(terraformResources).flatMap(([type, one]) => rows(`${type}.`, one.attributes)),
    ...Object.entries(terraformDataSources).flatMap(([type, one]) => rows(`data.${type}.`, one.attributes)),
  ];
  const head = ["| Terraform | Here |", "| --- | --- |"];
  return [...head, ...types, "", "| Attribute | Here | |", "| --- | --- | --- |", ...attributes, ""].join("\n");
}

function rows(prefix: string, attributes: Attributes = {}): readonly string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const start = `| \`${prefix}${name}\` |`;
    if (typeof attribute === "string") return [`${start} \`${attribute}\` | |`];
    if ("instead" in attribute) return [`${start} ${attribute.instead} | by hand |`];
    const own = attribute.name === undefined ? [] : [`${start} \`${attribute.name}\` | |`];
    return [...own, ...rows(`${prefix}${name}.`, attribute.of ?? {})];
  });
}
