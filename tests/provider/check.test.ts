import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { shapeProblems } from "../../provider/kind/input-problems";
import type { KindName } from "../../provider/frozen-entry";
import { kinds } from "../../provider/kinds";
import { withoutHashes } from "../support/contents";
import { ProviderServer, unknownText, type Values } from "../support/provider-server";
import { itThrough, urnOf } from "../support/door";
import { assertRefused, failsWith, type Refusals } from "../support/expected-errors";
import { suiteStage } from "../support/stage";
import { suite } from "../support/suite";
import { inDays } from "../support/in-days";
import { inProject as project, onBranch as branch, secret } from "../support/invalid-inputs";
import { changed, inputNames, type Sample } from "../support/sample";
import { samples } from "../support/samples";

/** Nothing listens there, and nothing needs to: a check of such inputs sends nothing. */
const nowhere = { "neon:apiKey": "napi_some_key", "neon:apiUrl": "http://127.0.0.1:9/api/v2" };

/** Valid inputs with one value that is not known yet: each input, and each part of those that a change in place declares. */
function withUnknowns({ definition, inPlace, invalid: [valid] }: Sample): readonly Values[] {
  const changes = inPlace(valid, {}).filter(({ to }) => to !== undefined);
  return [
    ...inputNames({ definition }).map((name) => ({ ...valid, [name]: unknownText })),
    ...changes.flatMap(({ input, to }) => unknownParts(to).map((value) => changed(valid, input, value))),
  ];
}

/** A list or an object with one of its parts, at any depth, not known yet. */
function unknownParts(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    [unknownText, ...unknownParts(part)].map((unknown) =>
      Array.isArray(value)
        ? value.map((one: unknown, index) => (String(index) === key ? unknown : one))
        : { ...value, [key]: unknown },
    ),
  );
}

describe("check", () => {
  const server = suite(
    () => ProviderServer.start({ config: nowhere }),
    (started) => started.stop(),
  );

  const check = (kind: KindName, args: Values, olds: Values = {}): ReturnType<ProviderServer["check"]> =>
    server().check(kind, olds, args, { urn: urnOf(kind, "shop") });

  it("rejects all invalid inputs at once", async () => {
    const settings = {
      quota: { activeTimeSeconds: -1, writtenDataBytes: 0.5 },
      auditLogLevel: secret,
      maintenanceWindow: { weekdays: [0, 8], startTime: secret },
    };
    assertRefused((await check("Project", { nmae: secret, settings })).failures, {
      nmae: "there is no such property here; did you mean name?",
      "settings.quota.activeTimeSeconds": "must be at least 0",
      "settings.quota.writtenDataBytes": /./,
      "settings.maintenanceWindow.weekdays.0": "must be at least 1",
      "settings.maintenanceWindow.weekdays.1": "must be at most 7",
      "settings.maintenanceWindow.startTime": 'must be a time of day in UTC such as "09:30"',
      "settings.maintenanceWindow.endTime": "is required",
      "settings.auditLogLevel": 'must be "base" or "extended" or "full"',
    });
  });

  for (const {
    kind,
    invalid: [valid, rejected],
  } of Object.values(samples)) {
    it(`rejects invalid inputs of ${kind}, without quoting them`, async () => {
      for (const [declared, property, reason] of rejected) {
        const { failures } = await check(kind, { ...valid, ...declared });
        assertRefused(failures, { [property]: reason });
        assert.ok(!JSON.stringify(failures).includes(secret));
      }
    });
  }

  for (const {
    kind,
    definition,
    invalid: [valid, rejected],
  } of Object.values(samples)) {
    it(`rejects invalid inputs of ${kind} while nothing else is known`, async () => {
      const unknown = Object.fromEntries(Object.keys(valid).map((name) => [name, unknownText]));
      const schema = definition.inputs();
      for (const [declared, property, reason] of rejected) {
        // Some are invalid only together with what is valid.
        const needed = Object.entries(declared).filter(([, value]) => value !== undefined);
        const alone = shapeProblems(schema, Object.fromEntries(needed)).some((one) => one.property === property);
        if (!alone) continue;
        const { failures } = await check(kind, { ...unknown, ...declared });
        assertRefused(
          failures.filter((one) => one.property === property),
          { [property]: reason },
        );
      }
    });
  }

  it("warns once that nobody answers at the base URL, and asks nobody about other resources", async () => {
    assertRefused((await check("Project", { name: "shop" })).failures, {});
    assertRefused((await check("Branch", { ...branch, branchId: undefined, adopt: true })).failures, {});
    const said = server().lines.filter(({ is, text }) => is === "warning" && text.includes("did not answer"));
    assert.equal(said.length, 1);
    assert.match(said[0]?.text ?? "", /127\.0\.0\.1:9.* check `neon:apiUrl` and the network\.$/);
  });

  it("accepts inputs that this run has lost, which the create refuses, and no others that are missing", async () => {
    for (const [args, lost] of [
      [{ projectId: "late-frost-302709" }, ["branchId"]],
      [{ projectId: "late-frost-302709", branchId: "br-one" }, ["passwordTrigger"]],
    ] as const) {
      const hidden = { __neon: { urn: urnOf("Role", "app"), lost } };
      const { inputs, failures } = await check("Role", { ...args, ...hidden });
      assertRefused(failures, {});
      await assert.rejects(
        server().create("Role", inputs),
        failsWith(new RegExp(`${lost[0]} has no value.*that one failed, or \`--target\` leaves it out`)),
      );
    }
    const hidden = { __neon: { urn: urnOf("Role", "app"), lost: ["projectId"] } };
    assertRefused((await check("Role", hidden)).failures, { branchId: "is required" });
  });

  it("accepts an existing role or trusted domain in a form that a new one cannot have, other URIs, and names of 63 bytes", async () => {
    const longest = `${"é".repeat(31)}x`;
    for (const [kind, args] of [
      ["Role", { ...branch, projectId: unknownText, name: "pgadmin", adopt: true }],
      ["NeonAuthTrustedDomain", { ...branch, projectId: unknownText, domain: "https://shop.example/", adopt: true }],
      ["NeonAuthTrustedDomain", { ...branch, domain: "shop://" }],
      ["NeonAuthTrustedDomain", { ...branch, domain: "https://shop.example/signed-in/" }],
      ["Role", { ...branch, name: longest }],
      ["Database", { ...branch, ownerName: longest, name: longest }],
    ] as const) {
      assertRefused((await check(kind, args)).failures, {});
    }
  });

  for (const sample of Object.values(samples)) {
    it(`accepts values of ${sample.kind} that are not known yet, at every level`, async () => {
      const { defaultName } = kinds[sample.kind];
      for (const args of withUnknowns(sample)) {
        const { inputs, failures } = await check(sample.kind, args);
        assert.deepEqual(failures, [], JSON.stringify(args));
        const { __provider: _, __neon: __, ...rest } = inputs;
        // An object that is adopted by its id keeps its name.
        const name = args["adopt"] === unknownText ? unknownText : "shop";
        const declared = { ...(defaultName === undefined ? {} : { [defaultName]: name }), ...args };
        assert.deepEqual(withoutHashes(rest), withoutHashes(declared));
      }
    });
  }

  it("accepts a limit next to one that is not known yet", async () => {
    const sizes = { autoscalingLimitMinCu: 8, autoscalingLimitMaxCu: unknownText };
    for (const [kind, args] of [
      ["Project", sizes],
      ["Branch", { ...project, compute: sizes }],
      ["Endpoint", { ...branch, type: "read_write", ...sizes }],
    ] as const) {
      assert.deepEqual((await check(kind, args)).failures, []);
    }
  });

  it("rejects a wrong value next to an unknown one", async () => {
    const compute = { autoscalingLimitMinCu: unknownText, autoscalingLimitMaxCu: 0.3 };
    const { failures } = await check("Branch", { projectId: unknownText, compute, expiresAt: "soon" });
    assert.deepEqual(failures.map(({ property }) => property).sort(), ["compute.autoscalingLimitMaxCu", "expiresAt"]);
  });

  it("sets the default name, which the preview shows", async () => {
    for (const [kind, args] of [
      ["Project", {}],
      ["Branch", project],
    ] as const) {
      assert.equal((await check(kind, args)).inputs["name"], "shop");
      assert.equal((await check(kind, { ...args, name: "other" })).inputs["name"], "other");
    }
  });

  it("sets a default name with colons unchanged", async () => {
    const about = { urn: urnOf("Project", "shop::stock") };
    assert.equal((await server().check("Project", {}, {}, about)).inputs["name"], "shop::stock");
  });

  // The engine of a plugin has the timeouts, and validates them.
  const onlyDynamic = itThrough("dynamic");

  onlyDynamic("omits from the inputs what the program omits, the timeouts and the organization", async () => {
    const hidden = { urn: urnOf("Project", "shop") };
    const about = { ...hidden, timeouts: { create: "1h30m" }, organization: "acme" };
    const { inputs, failures } = await server().check("Project", {}, {}, about);
    assert.deepEqual(failures, []);
    const { __provider: _, ...rest } = inputs;
    assert.deepEqual(rest, { name: "shop", __neon: { ...hidden, defaultName: "shop" } });
  });

  for (const text of ["10", "ten minutes", "-5m", "0s", "", "5d"]) {
    onlyDynamic(`rejects ${JSON.stringify(text)} as a timeout, and shows the format`, async () => {
      const about = { urn: urnOf("Project", "shop"), timeouts: { create: "5m", update: text, delete: text } };
      const { failures } = await server().check("Project", {}, {}, about);
      const reason = 'must be a duration such as "90s", "10m" or "1h30m"';
      assertRefused(failures, { "customTimeouts.delete": reason, "customTimeouts.update": reason });
    });
  }

  const sizes = /^sets the size of the first compute when the project is created, and cannot be changed later/;
  const oneWay: readonly { readonly from: Values; readonly to: Values; readonly failures: Refusals }[] = [
    {
      from: { settings: { enableLogicalReplication: true } },
      to: { settings: { enableLogicalReplication: false } },
      failures: { "settings.enableLogicalReplication": "cannot be disabled again once it is enabled" },
    },
    {
      from: { settings: { hipaa: true } },
      to: { settings: { hipaa: false } },
      failures: { "settings.hipaa": "cannot be disabled again once it is enabled" },
    },
    {
      from: { settings: { auditLogLevel: "full" } },
      to: { settings: { auditLogLevel: "extended" } },
      failures: { "settings.auditLogLevel": "can only be raised: it is full and cannot be lowered to extended" },
    },
    {
      from: { autoscalingLimitMaxCu: 2 },
      to: { autoscalingLimitMaxCu: 4 },
      failures: { autoscalingLimitMaxCu: sizes },
    },
    { from: {}, to: { autoscalingLimitMinCu: 1 }, failures: { autoscalingLimitMinCu: sizes } },
  ];
  for (const { from, to, failures } of oneWay) {
    it(`rejects a change that cannot be made: ${Object.keys(failures).join(", ")}`, async () => {
      const old = (await check("Project", from)).inputs;
      assertRefused((await check("Project", from, old)).failures, {});
      assertRefused((await check("Project", {}, old)).failures, {});
      assertRefused((await check("Project", to, old)).failures, failures);
      // A new object may have any of them.
      assertRefused((await check("Project", to)).failures, {});
    });
  }

  it("accepts a change to a value that is not known yet", async () => {
    const old = (await check("Project", { settings: { enableLogicalReplication: true, auditLogLevel: "full" } }))
      .inputs;
    const later = { settings: { enableLogicalReplication: unknownText, auditLogLevel: unknownText } };
    assert.deepEqual((await check("Project", later, old)).failures, []);
  });
});

describe("check of the settings", () => {
  const settings: readonly {
    readonly title: string;
    readonly config: Readonly<Record<string, string>>;
    readonly environment?: Readonly<Record<string, string>>;
    readonly failures: Refusals;
  }[] = [
    {
      title: "everything that is wrong at once",
      config: {
        "neon:apiKey": `${secret} with a space`,
        "neon:apiUrl": "console.neon.tech/api/v2",
        "neon:operationTimeout": "10",
        "neon:logLevel": "loud",
      },
      failures: {
        "neon:apiKey": "contains whitespace or characters that are not allowed in an API key",
        "neon:apiUrl": /^must be a base URL such as https:\/\/console\.neon\.tech\/api\/v2/,
        "neon:operationTimeout": 'must be a duration such as "90s", "10m" or "1h30m"',
        "neon:logLevel": "must be one of off, info, debug",
      },
    },
    {
      title: "what the environment has wrong",
      config: {},
      environment: { NEON_API_KEY: "napi_some_key", NEON_API_HOST: "nowhere", NEON_LOG: "loud" },
      failures: {
        "neon:apiUrl": /^must be a base URL such as /,
        "neon:logLevel": "must be one of off, info, debug",
      },
    },
  ];
  for (const { title, config, environment = {}, failures } of settings) {
    it(`reports ${title} and names the settings`, async () => {
      const server = await ProviderServer.start({ config, environment });
      try {
        const answer = await server.check("Project", {}, {}, { urn: urnOf("Project", "shop") });
        assertRefused(answer.failures, failures);
        assert.ok(!JSON.stringify(answer.failures).includes(secret));
        // Calls that come without a check say the same, in one line.
        await assert.rejects(
          server.create("Project", answer.inputs),
          failsWith(...Object.keys(failures), { without: /\n\s+at / }),
        );
      } finally {
        await server.stop();
      }
    });
  }
});

describe("check of a time", () => {
  const stage = suiteStage();

  const check = (kind: KindName, args: Values, olds: Values = {}): ReturnType<ProviderServer["check"]> =>
    stage().server.check(kind, olds, args, { urn: urnOf(kind, "shop") });

  const [lastYear, nextMonth] = [inDays(-365), inDays(31)];
  const restored = { trigger: "1", sourceBranchId: "br-wispy-meadow-118737", sourceTimestamp: nextMonth };
  for (const [kind, input, reason, args] of [
    ["Branch", "expiresAt", "must be in the future", { expiresAt: lastYear }],
    ["Branch", "expiresAt", "must be at most 30 days from now", { expiresAt: nextMonth }],
    ["Branch", "parentTimestamp", "must not be in the future", { parentTimestamp: nextMonth }],
    ["Branch", "restore.sourceTimestamp", "must not be in the future", { restore: restored }],
    ["Snapshot", "expiresAt", "must be in the future", { branchId: unknownText, expiresAt: lastYear }],
    ["Snapshot", "timestamp", "must not be in the future", { branchId: unknownText, timestamp: nextMonth }],
  ] as const) {
    it(`rejects a time that Neon does not accept as ${input} of a ${kind}, unless it is declared already: ${reason}`, async () => {
      const declared = { ...args, projectId: unknownText };
      assertRefused((await check(kind, declared)).failures, { [input]: reason });
      assertRefused((await check(kind, { ...declared, name: "renamed" }, declared)).failures, {});
    });
  }
});
