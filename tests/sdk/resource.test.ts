import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import * as neon from "../../sdk";
import { providerText, typeToken } from "../../sdk/resource";
import { samples } from "../support/samples";
import { Registrations } from "./registrations";

const projectText =
  'exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("neon-pulumi/provider/v1").provider("Project")';

describe("a resource class", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  it("has a type token that stands in state files and never changes", () => {
    assert.equal(typeToken("Project"), "pulumi-nodejs:dynamic/neon:Project");
    assert.equal(typeToken("Branch"), "pulumi-nodejs:dynamic/neon:Branch");
  });

  it("has a provider text of at most 300 bytes that never changes", async () => {
    assert.equal(providerText("Project"), projectText);
    assert.equal(providerText("Branch"), projectText.replace("Project", "Branch"));
    assert.ok(Buffer.byteLength(projectText) <= 300);
    new neon.Project("text");
    const { inputs } = await registered.one("text");
    assert.equal(inputs["__provider"], projectText);
  });

  it("sends what is declared, its URN, and nothing of its own besides", async () => {
    new neon.Branch("declared", { projectId: "spring-example-302709", compute: {} });
    const { inputs, type } = await registered.one("declared");
    assert.equal(type, "pulumi-nodejs:dynamic/neon:Branch");
    assert.deepEqual(Object.keys(inputs).sort(), ["__neon", "__provider", "compute", "projectId"]);
    assert.deepEqual(inputs["__neon"], {
      urn: "urn:pulumi:stack::project::pulumi-nodejs:dynamic/neon:Branch::declared",
    });
  });

  it("can depend on another one in the same component", async () => {
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

  it("keeps connection URIs secret, with whatever else the program wants secret", () => {
    const secrets: (readonly string[] | undefined)[] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      ({ opts }) => void secrets.push((opts as pulumi.CustomResourceOptions).additionalSecretOutputs?.toSorted()),
    ];
    new neon.Project("plain", {}, { transformations });
    new neon.Project("more", {}, { transformations, additionalSecretOutputs: ["host"] });
    assert.deepEqual(secrets, [["connectionUri"], ["connectionUri", "host"]]);
  });

  for (const { kind, definition } of Object.values(samples)) {
    it(`keeps secret what the kind ${kind} says is secret, and is recognized by its type`, () => {
      let secrets: readonly string[] = [];
      const transformations: pulumi.ResourceTransformation[] = [
        ({ opts }) => void (secrets = (opts as pulumi.CustomResourceOptions).additionalSecretOutputs ?? []),
      ];
      const Class = neon[kind] as unknown as {
        new (name: string, args: object, opts: pulumi.CustomResourceOptions): pulumi.CustomResource;
        isInstance: (value: unknown) => boolean;
      };
      const made = new Class(`secrets of ${kind}`, {}, { transformations });
      assert.deepEqual(secrets.toSorted(), [...definition.secrets].sort());
      const recognized = Object.values(samples).filter((sample) =>
        (neon[sample.kind] as { isInstance: (value: unknown) => boolean }).isInstance(made),
      );
      assert.deepEqual(
        recognized.map((sample) => sample.kind),
        [kind],
      );
    });
  }

  it("passes custom time-outs on, and refuses what is no duration", async () => {
    new neon.Project("patient", {}, { customTimeouts: { create: "20m", delete: "90s" } });
    const { inputs } = await registered.one("patient");
    assert.deepEqual((inputs["__neon"] as { timeouts: unknown }).timeouts, { create: "20m", delete: "90s" });
    assert.throws(
      () => new neon.Project("hasty", {}, { customTimeouts: { update: "soon" } }),
      /Project "hasty": customTimeouts\.update must be a duration .* not "soon"/,
    );
  });

  it("refuses `import` with a sentence that names `adopt`", () => {
    const making = (): unknown => new neon.Branch("taken", { projectId: "p" }, { import: "p/br-x" });
    assert.throws(making, (error) => pulumi.RunError.isInstance(error) && /adopt: "<its id>"/.test(error.message));
  });

  it("knows its own kind, and no other", () => {
    const project: unknown = new neon.Project("kind");
    assert.ok(neon.Project.isInstance(project));
    assert.ok(!neon.Branch.isInstance(project));
    assert.ok(!neon.Project.isInstance(undefined));
    assert.ok(!neon.Project.isInstance({ name: "kind" }));
  });

  it("looks up what exists by its id", async () => {
    const branch = neon.Branch.get("known", "spring-example-302709/br-wispy-meadow-118737");
    assert.equal(await valueOf(branch.branchId), "br-wispy-meadow-118737");
    const project = neon.Project.get("known-project", "spring-example-302709");
    assert.equal(await valueOf(project.projectId), "spring-example-302709");
  });

  it("tells ids in the preview of a change, where other outputs are not known", async () => {
    const project = new neon.Project("known-id");
    assert.equal(await valueOf(project.projectId), await valueOf(project.id));
  });
});

describe("an explicit provider", () => {
  const registered = new Registrations();
  before(() => {
    registered.listen();
    pulumi.runtime.setAllConfig({ "neon:apiUrl": "http://127.0.0.1:9/api/v2", "neon:apiKey": "napi_of_the_stack" });
  });

  it("has the settings under the names that the engine hands to the provider process", async () => {
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

  it("copies from the stack's configuration what it leaves out, and only that", async () => {
    new neon.Provider("copied");
    assert.deepEqual(plain((await registered.one("copied")).inputs), {
      "neon:apiKey": "napi_of_the_stack",
      "neon:apiUrl": "http://127.0.0.1:9/api/v2",
    });
  });

  it("keeps the key secret whether or not it is given as one", async () => {
    const provider = new neon.Provider("secretive", { apiKey: "napi_plain" });
    assert.ok(await pulumi.isSecret(provider.settings));
  });

  it("is known for one", () => {
    assert.ok(neon.Provider.isInstance(new neon.Provider("known-provider")));
    assert.ok(!neon.Provider.isInstance({}));
  });
});

describe("the configuration", () => {
  it("is what the stack says, read when asked for", async () => {
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

function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => output.apply(resolve as (value: unknown) => void));
}
