// Measures the alternatives of record 0001: `npm run build && node docs/decisions/0001-measure.cjs`.
// Each alternative runs in its own process, with Pulumi's mocks instead of an engine.
const { spawnSync } = require("node:child_process");
const { log } = require("node:console");
const { argv, execPath } = require("node:process");

/** Creates a `pulumi.dynamic.Resource`, which serializes the given provider. */
const serialized = (provider) => (pulumi, name) => {
  new (class extends pulumi.dynamic.Resource {})(provider, name, {});
};

const alternatives = {
  "the provider object, by value": () => serialized(require("neon-pulumi/provider/v1").provider("Branch")),
  "seven thin methods that require the entry": () =>
    serialized({
      configure: (request) => require("neon-pulumi/provider/v1").provider("Branch").configure(request),
      check: (olds, news) => require("neon-pulumi/provider/v1").provider("Branch").check(olds, news),
      diff: (id, olds, news) => require("neon-pulumi/provider/v1").provider("Branch").diff(id, olds, news),
      create: (inputs) => require("neon-pulumi/provider/v1").provider("Branch").create(inputs),
      read: (id, stored) => require("neon-pulumi/provider/v1").provider("Branch").read(id, stored),
      update: (id, olds, news) => require("neon-pulumi/provider/v1").provider("Branch").update(id, olds, news),
      delete: (id, stored) => require("neon-pulumi/provider/v1").provider("Branch").delete(id, stored),
    }),
  "hand-written": () => {
    const { Branch } = require("neon-pulumi");
    return (_, name) => new Branch(name, { projectId: "p" });
  },
};

async function measure(make) {
  const pulumi = require("@pulumi/pulumi");
  const texts = [];
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      texts.push(inputs.__provider);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
  make(pulumi, "measured");
  await pulumi.runtime.waitForRPCs();
  return texts[0]?.length;
}

async function main() {
  const alternative = alternatives[argv[2]];
  if (alternative !== undefined) {
    const bytes = await measure(alternative());
    if (bytes !== undefined) log(`${bytes} bytes`);
    return;
  }
  for (const name of Object.keys(alternatives)) {
    const { stdout, stderr } = spawnSync(execPath, [argv[1], name], { encoding: "utf8" });
    const [, module, reason] = /module '([^']+)'[^]*could not be serialized because\s+(.+)/.exec(stderr) ?? [];
    log(`${name}: ${stdout.trim() || `not serializable: ${module ?? ""}: ${reason ?? stderr}`}`);
  }
}

void main();
