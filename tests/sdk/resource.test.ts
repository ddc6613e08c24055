import assert from "node:assert/strict";

import * as pulumi from "@pulumi/pulumi";
import { before, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import * as neon from "../../sdk";
import { samples } from "../support/samples";
import { secretOutputsOf, valueOf } from "./program";
import { Registrations } from "./registrations";

const project = { projectId: "spring-example-302709" };

describe("a resource class", () => {
  const registered = new Registrations();
  before(() => registered.listen());

  for (const [kind, { carries }] of Object.entries(kinds) as [KindName, Carrying][]) {
    const [id, derived] = idOf(kind);
    it(`${kind} registers the type token and the provider text of state files, its URN and the declared arguments`, async () => {
      new (classOf(kind))(`declared ${kind}`, { ...project, more: { some: 1 } });
      const { inputs, type } = await registered.one(`declared ${kind}`);
      assert.equal(type, `pulumi-nodejs:dynamic/neon:${kind}`);
      const text = `exports.handler=()=>require("module").createRequire(process.cwd()+"/_.js")("neon-pulumi/provider/v1").provider("${kind}")`;
      assert.deepEqual(inputs, {
        ...project,
        more: { some: 1 },
        __provider: text,
        __neon: { urn: `urn:pulumi:stack::project::${type}::declared ${kind}` },
      });
      assert.ok(Buffer.byteLength(text) <= 300);
    });

    it(`${kind}.get derives ${Object.keys(derived).join(", ")} from the id`, async () => {
      const found = classOf(kind).get(`known ${kind}`, id);
      assert.equal(await valueOf(found.id), id);
      for (const [name, value] of Object.entries(derived))
        assert.equal(await valueOf(found[name] ?? assert.fail()), value);
    });

    it(`${kind} marks the secret outputs of the provider as secret, in addition to those of the program`, () => {
      const { secrets = [] } = samples[kind];
      assert.deepEqual(
        secretOutputsOf((options) => new (classOf(kind))(`secrets of ${kind}`, {}, options)),
        secrets,
      );
      const additionalSecretOutputs = ["host"];
      assert.deepEqual(
        secretOutputsOf((opts) => new (classOf(kind))(`more of ${kind}`, {}, { ...opts, additionalSecretOutputs })),
        [...secrets, "host"].sort(),
      );
    });

    for (const [output, path = ""] of Object.entries(carries ?? {})) {
      it(`${kind} marks ${output} as secret if ${path}, or what it is in, is given as an output`, () => {
        const [outer = "", inner = ""] = path.split(".");
        const marks = (args: object): boolean =>
          secretOutputsOf((opts) => new (classOf(kind))(`carries ${output}`, args, opts)).includes(output);
        const secret = pulumi.secret("s3cr3t");
        assert.ok(marks({ [outer]: { [inner]: secret } }));
        assert.ok(marks({ [outer]: pulumi.output({ [inner]: secret }) }));
        assert.ok(!marks({ [outer]: { [inner]: "plain", other: secret } }));
      });
    }

    it(`${kind} is recognized by isInstance of its class and of no other`, () => {
      const resource = new (classOf(kind))(`kind of ${kind}`, {});
      // `isType` and `asType` of `@pulumi/policy` know no more than the type token.
      const token = { __pulumiType: `pulumi-nodejs:dynamic/neon:${kind}` };
      for (const one of [resource, token]) {
        const recognized = Object.keys(kinds).filter((name) => classOf(name as KindName).isInstance(one));
        assert.deepEqual(recognized, [kind]);
      }
      for (const other of [undefined, {}, { name: "kind" }]) assert.ok(!classOf(kind).isInstance(other));
    });

    it(`${kind} rejects the option \`import\`, and suggests \`adopt\``, () => {
      assert.throws(
        () => new (classOf(kind))("taken", project, { import: id }),
        (error) => {
          assert.ok(pulumi.RunError.isInstance(error));
          assert.ok(
            error.message.startsWith(
              `${kind} "taken": the resource option \`import\` is not supported by dynamic providers.`,
            ),
          );
          assert.match(error.message, /declare `adopt: "<its id>"`/);
          return true;
        },
      );
    });
  }

  it("can depend on another resource of the same component", async () => {
    class Pair extends pulumi.ComponentResource {
      constructor(name: string) {
        super("test:index:Pair", name);
        const first = new neon.Project(`${name}-first`, {}, { parent: this });
        new neon.Branch(`${name}-second`, { projectId: first.id }, { parent: this });
      }
    }
    new Pair("pair");
    const { inputs } = await registered.one("pair-second");
    assert.equal(inputs["projectId"], "pair-first-id");
    assert.deepEqual(inputs["__neon"], {
      urn: "urn:pulumi:stack::project::test:index:Pair$pulumi-nodejs:dynamic/neon:Branch::pair-second",
    });
  });

  it("tells the provider which arguments this run cannot know, and which options keep its object", async () => {
    const lost = pulumi.unknown as unknown as string;
    const args = {
      projectId: pulumi.output("some-project"),
      parentId: pulumi.output(Promise.resolve(undefined as unknown as string)),
      snapshotId: pulumi.output(lost),
      compute: { suspendTimeoutSeconds: 300, settings: { pgSettings: { role: pulumi.output(lost) } } },
    };
    new neon.Branch("orphaned", args, { protect: true, retainOnDelete: true });
    const { inputs } = await registered.one("orphaned");
    assert.deepEqual(inputs["__neon"], {
      urn: "urn:pulumi:stack::project::pulumi-nodejs:dynamic/neon:Branch::orphaned",
      lost: ["snapshotId", "compute"],
      isProtected: true,
      isRetained: true,
    });
  });

  it("tells the provider which outputs the program declares as secret", async () => {
    const args = { branch: { roleName: pulumi.secret("s3cr3t") } };
    new neon.Project("hidden", args, { additionalSecretOutputs: ["host"] });
    const { inputs } = await registered.one("hidden");
    assert.deepEqual((inputs["__neon"] as { secretOutputs: unknown }).secretOutputs, ["roleName", "host"]);
  });

  it("passes customTimeouts on, and rejects one that is not a duration", async () => {
    new neon.Project("patient", {}, { customTimeouts: { create: "20m", delete: "90s" } });
    const { inputs } = await registered.one("patient");
    assert.deepEqual((inputs["__neon"] as { timeouts: unknown }).timeouts, { create: "20m", delete: "90s" });
    for (const text of ["soon", "5 m", "", 5 as unknown as string]) {
      assert.throws(
        () => new neon.Project("hasty", {}, { customTimeouts: { update: text } }),
        new RegExp(
          `Project "hasty": customTimeouts\\.update must be a duration such as "90s".*, not ${JSON.stringify(text)}`,
        ),
      );
    }
  });

  it("derives `projectId` from the id of a new resource", async () => {
    const created = new neon.Project("known-id");
    assert.equal(await valueOf(created.projectId), await valueOf(created.id));
  });
});

describe("Provider", () => {
  const registered = new Registrations();
  before(() => {
    registered.listen();
    pulumi.runtime.setAllConfig({ "neon:apiUrl": "http://127.0.0.1:9/api/v2", "neon:apiKey": "napi_of_the_stack" });
  });

  it("registers its settings under the names of the configuration", async () => {
    new neon.Provider("own", {
      apiKey: "napi_own",
      orgId: "org-one",
      operationTimeout: "5m",
      logLevel: "info",
      adopt: true,
    });
    const { inputs, type } = await registered.one("own");
    assert.equal(type, "pulumi:providers:pulumi-nodejs");
    assert.deepEqual(plain(inputs), {
      "neon:apiKey": "napi_own",
      "neon:apiUrl": "http://127.0.0.1:9/api/v2",
      "neon:orgId": "org-one",
      "neon:operationTimeout": "5m",
      "neon:logLevel": "info",
      "neon:adopt": "true",
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

  it("is named to the provider process by the resources that use its key, also through their parent", async () => {
    const provider = new neon.Provider("own-key", { apiKey: "napi_own" });
    const ofStack = new neon.Provider("stack-key");
    const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [provider] });
    new neon.Project("by-option", {}, { provider });
    new neon.Project("by-parent", {}, { parent });
    new neon.Project("by-stack", {}, { provider: ofStack });
    const names = ["by-option", "by-parent", "by-stack"];
    const hidden = await Promise.all(names.map(async (name) => (await registered.one(name)).inputs["__neon"]));
    const providers = hidden.map((one) => (one as { readonly provider?: string }).provider);
    assert.deepEqual(providers, ["own-key", "own-key", undefined]);
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
    assert.equal(neon.config.adopt, false);
    for (const adopt of ["true", "1"]) {
      pulumi.runtime.setAllConfig({ "neon:adopt": adopt });
      assert.equal(neon.config.adopt, true);
    }
    pulumi.runtime.setAllConfig({ "neon:apiKey": "napi_x" });
    assert.equal(neon.config.apiUrl, undefined);
    assert.ok(neon.config.apiKey && (await pulumi.isSecret(neon.config.apiKey)));
  });
});

/** An id that `get` of a class takes, as the provider writes it, and the outputs that it derives from it. */
function idOf(kind: KindName): readonly [id: string, derived: object] {
  const { addressNames, id } = kinds[kind];
  // A name can have characters that an id encodes.
  const derived = Object.fromEntries(
    addressNames.map((name) => [
      name,
      name === "keyId" ? 165434 : name.endsWith("Id") ? `a-${name}` : `50% off/${name}`,
    ]),
  );
  return [id(derived), derived];
}

function classOf(kind: KindName): ResourceClass {
  return neon[kind] as unknown as ResourceClass;
}

function plain(inputs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, (value as { value?: unknown } | null)?.value ?? value]),
  );
}

/** What a suite reads of a kind: the paths of inputs whose values its outputs hold. */
type Carrying = { readonly carries?: Readonly<Record<string, string>> };

/** A class as this suite uses it. */
interface ResourceClass {
  new (name: string, args: object, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource;
  get(name: string, id: string): pulumi.CustomResource & Readonly<Record<string, pulumi.Output<unknown>>>;
  isInstance(value: unknown): boolean;
}
