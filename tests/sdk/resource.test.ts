import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { providerText, typeToken } from "../../sdk/resource";
import { samples } from "../support/samples";
import { secretOutputsOf, valueOf } from "./program";
import { Registrations } from "./registrations";

const projectText =
  'exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("neon-pulumi/provider/v1").provider("Project")';

describe("a resource class", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  it("has the type token that state files contain", () => {
    assert.equal(typeToken("Project"), "pulumi-nodejs:dynamic/neon:Project");
    assert.equal(typeToken("Branch"), "pulumi-nodejs:dynamic/neon:Branch");
  });

  it("has the provider text that state files contain, of at most 300 bytes", async () => {
    assert.equal(providerText("Project"), projectText);
    assert.equal(providerText("Branch"), projectText.replace("Project", "Branch"));
    assert.ok(Buffer.byteLength(projectText) <= 300);
    new neon.Project("text");
    const { inputs } = await registered.one("text");
    assert.equal(inputs["__provider"], projectText);
  });

  it("registers the declared arguments, its URN and the provider text only", async () => {
    new neon.Branch("declared", { projectId: "spring-example-302709", compute: {} });
    const { inputs, type } = await registered.one("declared");
    assert.equal(type, "pulumi-nodejs:dynamic/neon:Branch");
    assert.deepEqual(Object.keys(inputs).sort(), ["__neon", "__provider", "compute", "projectId"]);
    assert.deepEqual(inputs["__neon"], {
      urn: "urn:pulumi:stack::project::pulumi-nodejs:dynamic/neon:Branch::declared",
    });
  });

  it("can depend on another resource of the same component", async () => {
    class Pair extends pulumi.ComponentResource {
      constructor(name: string) {
        super("test:index:Pair", name);
        const project = new neon.Project(`${name}-first`, {}, { parent: this });
        new neon.Branch(`${name}-second`, { projectId: project.id }, { parent: this });
      }
    }
    new Pair("pair");
    const { inputs } = await registered.one("pair-second");
    assert.equal(inputs["projectId"], "pair-first-id");
    assert.deepEqual(inputs["__neon"], {
      urn: "urn:pulumi:stack::project::test:index:Pair$pulumi-nodejs:dynamic/neon:Branch::pair-second",
    });
  });

  it("marks `connectionUri` as secret, in addition to the additionalSecretOutputs of the program", () => {
    const additionalSecretOutputs = ["host"];
    assert.deepEqual(
      secretOutputsOf((options) => new neon.Project("plain", {}, options)),
      ["connectionUri"],
    );
    assert.deepEqual(
      secretOutputsOf((options) => new neon.Project("more", {}, { ...options, additionalSecretOutputs })),
      ["connectionUri", "host"],
    );
  });

  for (const { kind, definition } of Object.values(samples)) {
    it(`${kind} marks the secret outputs of the provider as secret, and no other class recognizes it`, () => {
      const Class = neon[kind] as unknown as {
        new (name: string, args: object, opts: pulumi.CustomResourceOptions): pulumi.CustomResource;
        isInstance: (value: unknown) => boolean;
      };
      let created: pulumi.CustomResource | undefined;
      const secrets = secretOutputsOf((options) => (created = new Class(`secrets of ${kind}`, {}, options)));
      assert.deepEqual(secrets, [...definition.secrets].sort());
      const recognized = Object.values(samples).filter((sample) =>
        (neon[sample.kind] as { isInstance: (value: unknown) => boolean }).isInstance(created),
      );
      assert.deepEqual(
        recognized.map((sample) => sample.kind),
        [kind],
      );
    });
  }

  it("passes customTimeouts on, and rejects one that is not a duration", async () => {
    new neon.Project("patient", {}, { customTimeouts: { create: "20m", delete: "90s" } });
    const { inputs } = await registered.one("patient");
    assert.deepEqual((inputs["__neon"] as { timeouts: unknown }).timeouts, { create: "20m", delete: "90s" });
    assert.throws(
      () => new neon.Project("hasty", {}, { customTimeouts: { update: "soon" } }),
      /Project "hasty": customTimeouts\.update must be a duration .* not "soon"/,
    );
  });

  it("rejects the option `import`, and suggests `adopt`", () => {
    const create = (): unknown => new neon.Branch("taken", { projectId: "p" }, { import: "p/br-x" });
    assert.throws(create, (error) => pulumi.RunError.isInstance(error) && /adopt: "<its id>"/.test(error.message));
  });

  it("recognizes its own instances and no others", () => {
    const project: unknown = new neon.Project("kind");
    assert.ok(neon.Project.isInstance(project));
    assert.ok(!neon.Branch.isInstance(project));
    assert.ok(!neon.Project.isInstance(undefined));
    assert.ok(!neon.Project.isInstance({ name: "kind" }));
  });

  it("get derives `branchId` and `projectId` from the id", async () => {
    const branch = neon.Branch.get("known", "spring-example-302709/br-wispy-meadow-118737");
    assert.equal(await valueOf(branch.branchId), "br-wispy-meadow-118737");
    const project = neon.Project.get("known-project", "spring-example-302709");
    assert.equal(await valueOf(project.projectId), "spring-example-302709");
  });

  it("derives `projectId` from the id of a new resource", async () => {
    const project = new neon.Project("known-id");
    assert.equal(await valueOf(project.projectId), await valueOf(project.id));
  });
});

describe("Provider", () => {
  const registered = new Registrations();
  before(() => {
    registered.listen();
    pulumi.runtime.setAllConfig({ "neon:apiUrl": "http://127.0.0.1:9/api/v2", "neon:apiKey": "napi_of_the_stack" });
  });

  it("registers its settings under the names of the configuration", async () => {
    new neon.Provider("own", { apiKey: "napi_own", orgId: "org-one", operationTimeout: "5m", logLevel: "info" });
    const { inputs, type } = await registered.one("own");
    assert.equal(type, "pulumi:providers:pulumi-nodejs");
    assert.deepEqual(plain(inputs), {
      "neon:apiKey": "napi_own",
      "neon:apiUrl": "http://127.0.0.1:9/api/v2",
      "neon:orgId": "org-one",
      "neon:operationTimeout": "5m",
      "neon:logLevel": "info",
    });
  });

  it("copies omitted settings from the stack's configuration", async () => {
    new neon.Provider("copied");
    assert.deepEqual(plain((await registered.one("copied")).inputs), {
      "neon:apiKey": "napi_of_the_stack",
      "neon:apiUrl": "http://127.0.0.1:9/api/v2",
    });
  });

  it("marks the API key as secret even if it is a plain string", async () => {
    const provider = new neon.Provider("secretive", { apiKey: "napi_plain" });
    assert.ok(await pulumi.isSecret(provider.settings));
  });

  it("recognizes its own instances", () => {
    assert.ok(neon.Provider.isInstance(new neon.Provider("known-provider")));
    assert.ok(!neon.Provider.isInstance({}));
  });
});

describe("config", () => {
  it("reads the stack's configuration on access", async () => {
    pulumi.runtime.setAllConfig({ "neon:apiUrl": "http://127.0.0.1:9/api/v2", "neon:orgId": "org-two" });
    assert.equal(neon.config.apiUrl, "http://127.0.0.1:9/api/v2");
    assert.equal(neon.config.orgId, "org-two");
    assert.equal(neon.config.operationTimeout, undefined);
    pulumi.runtime.setAllConfig({ "neon:apiKey": "napi_x" });
    assert.equal(neon.config.apiUrl, undefined);
    assert.ok(neon.config.apiKey && (await pulumi.isSecret(neon.config.apiKey)));
  });
});

function plain(inputs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, (value as { value?: unknown } | null)?.value ?? value]),
  );
}
