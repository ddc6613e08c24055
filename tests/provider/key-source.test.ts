import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { currentDoor, itThrough, urnOf } from "../support/door";
import { suiteStage } from "../support/stage";
import { ProviderServer, type ProviderServerOptions } from "../support/provider-server";

const stage = suiteStage({ isServed: false });
const onlyDynamic = itThrough("dynamic");
const wrong = "napi_of_nobody_at_all_0123456789";
const inState = "then run `pulumi up --refresh=false`: `refresh` and `destroy` use the settings of the last `up`.";

/** Has a provider do something with a key that the platform refuses. */
async function refused<Result>(
  options: Pick<ProviderServerOptions, "environment"> & { readonly apiKey?: string },
  act: (server: ProviderServer) => Promise<Result>,
): Promise<Result> {
  const { environment, apiKey } = options;
  const { apiUrl } = stage().platform;
  const config = { apiUrl, ...(apiKey === undefined ? {} : { apiKey }) };
  const server = await ProviderServer.start({ config, ...(environment && { environment }) });
  try {
    return await act(server);
  } finally {
    await server.stop();
  }
}

async function checked(server: ProviderServer, provider?: string): Promise<string> {
  const urn = urnOf("Project", "shop");
  const args = provider === undefined ? {} : { __neon: { urn, provider } };
  const [failure] = (await server.check("Project", {}, args, { urn })).failures;
  assert.ok(failure);
  return `${failure.property}: ${failure.reason}`;
}

async function looksUp(server: ProviderServer, provider?: string): Promise<string> {
  const urn = urnOf("Project", "shop");
  const args = provider === undefined ? {} : { __neon: { urn, provider } };
  const error = await server.lookUp("Project", "late-frost-302709", { urn }, args).then(
    () => assert.fail("it was found"),
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}

/** A message without the link to its entry, which ends it. */
function advised(message: string): string {
  return message.replace(/ See neon-pulumi\/docs\/troubleshooting\.md#[\w-]+\.$/, "");
}

describe("key source › of an API key that the platform refuses", () => {
  it("is the configuration if that has a key, because it outranks the environment", async () => {
    await refused({ apiKey: wrong, environment: { NEON_API_KEY: "napi_other" } }, async (server) => {
      const problem = await checked(server);
      assert.match(
        problem,
        /^neon:apiKey: was rejected: .*\. Set the key with `pulumi config set --secret neon:apiKey`$/,
      );
      assert.ok(!problem.includes("NEON_API_KEY"));
      const message = await looksUp(server);
      assert.ok(
        advised(message).endsWith(`Set the key with \`pulumi config set --secret neon:apiKey\`, ${inState}`),
        message,
      );
    });
  });

  it("is the variable of the environment if the configuration has no key", async () => {
    await refused({ environment: { NEON_API_KEY: wrong } }, async (server) => {
      const advice = "The key is that of the environment variable NEON_API_KEY. Set a valid one there";
      assert.ok((await checked(server)).endsWith(advice));
      const message = await looksUp(server);
      assert.ok(advised(message).endsWith(`${advice}.`), message);
    });
  });

  it("can be the variable that `envVarMappings` names", async () => {
    await refused({ environment: { NEON_API_KEY: wrong, THEIR_KEY: wrong, OTHER: "napi_other" } }, async (server) => {
      const advice =
        "The key is that of the environment variable THEIR_KEY if `envVarMappings` of the provider names it, and otherwise that of NEON_API_KEY. Set a valid one there";
      assert.ok((await checked(server)).endsWith(advice));
      assert.ok(advised(await looksUp(server)).endsWith(`${advice}.`));
    });
  });

  onlyDynamic("is the `apiKey` of an explicit provider, which is named", async () => {
    await refused({ apiKey: wrong }, async (server) => {
      const advice = 'The key is the `apiKey` of Provider "other" in the program. Declare a valid one there';
      const problem = await checked(server, "other");
      assert.ok(problem.startsWith('`apiKey` of Provider "other": was rejected: '), problem);
      assert.ok(problem.endsWith(advice), problem);
      const message = await looksUp(server, "other");
      assert.ok(advised(message).endsWith(`${advice}, ${inState}`), message);
      assert.ok(!message.includes("neon:apiKey"));
    });
  });

  onlyDynamic("is still the explicit provider in a refresh, which runs no program", async () => {
    const urn = urnOf("Project", "named");
    const created = await refused({ apiKey: stage().platform.apiKey }, async (server) => {
      const { inputs } = await server.check("Project", {}, { __neon: { urn, provider: "other" } }, { urn });
      return await server.create("Project", inputs, { urn });
    });
    await refused({ apiKey: wrong }, (server) =>
      assert.rejects(
        server.read("Project", created.id, created.outputs, { urn }),
        /`apiKey` of Provider "other" in the program/,
      ),
    );
  });

  onlyDynamic("is missing for a resource that does not use the provider of the program, which is named", async () => {
    await refused({}, async (server) => {
      const urn = urnOf("Project", "shop");
      const args = { __neon: { urn, unusedProviders: ["other"] } };
      const [failure] = (await server.check("Project", {}, args, { urn })).failures;
      assert.match(
        failure?.reason ?? "",
        /^is missing: .*, or set NEON_API_KEY\. This resource does not use Provider "other": pass it in the option `provider`$/,
      );
    });
  });

  if (currentDoor() === "plugin") {
    it("is missing for the default provider of a program, which resources without a provider use", async () => {
      await refused({}, async (server) => {
        const [failure] = await server.checkConfig({ apiUrl: stage().platform.apiUrl });
        assert.match(
          failure?.reason ?? "",
          /or set NEON_API_KEY\. Resources and functions without the option `provider` use it/,
        );
      });
    });
  }
});
