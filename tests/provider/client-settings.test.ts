import fc from "fast-check";
import { describe, it } from "mocha";
import assert from "node:assert/strict";
import { milliseconds } from "../../api/core/duration";
import { defaultOperationTimeout, publicApiUrl } from "../../api/index";
import {
  resolveSettings,
  type SettingName,
  settingNames,
  type SettingProblem,
  type Settings,
} from "../../provider/settings/client-settings";
import { attemptLine, connect } from "../../provider/settings/connect";
import { errorOf } from "../api/scripted-client";
import { ScriptedServer } from "../support/scripted-server";

type Values = Partial<Record<SettingName, string>>;

const resolved = (configured: Values, environment: Record<string, string | undefined> = {}) =>
  resolveSettings((name) => configured[name], environment);

function settingsOf(configured: Values, environment?: Record<string, string | undefined>): Settings {
  const result = resolved(configured, environment);
  assert.ok("settings" in result, JSON.stringify(result));
  return result.settings;
}

function problemsOf(configured: Values, environment?: Record<string, string | undefined>): readonly SettingProblem[] {
  const result = resolved(configured, environment);
  assert.ok("problems" in result);
  return result.problems;
}

describe("resolveSettings", () => {
  const configured = {
    apiKey: "configured",
    apiUrl: "https://configured.example/api/v2",
    orgId: "org-configured",
    operationTimeout: "1m",
    logLevel: "info",
    adopt: "true",
  };
  const environment = {
    NEON_API_KEY: "from-environment",
    NEON_API_HOST: "https://environment.example/api/v2",
    NEON_ORG_ID: "org-environment",
    NEON_OPERATION_TIMEOUT: "2m",
    NEON_LOG: "off",
    NEON_ADOPT: "0",
  };

  it("reads environment variables for settings that are not configured", () => {
    assert.deepEqual(settingsOf({}, environment), {
      apiKey: "from-environment",
      apiUrl: "https://environment.example/api/v2",
      orgId: "org-environment",
      operationTimeout: 120_000,
      logRequests: false,
      adopt: false,
    });
  });

  it("prefers the configuration to environment variables, for each setting on its own", () => {
    for (const name of Object.keys(settingNames) as SettingName[]) {
      const { apiKey, apiUrl, orgId, operationTimeout, logRequests, adopt } = settingsOf(
        { [name]: configured[name] },
        environment,
      );
      assert.equal(apiKey === "configured", name === "apiKey");
      assert.equal(apiUrl === configured.apiUrl, name === "apiUrl");
      assert.equal(orgId === configured.orgId, name === "orgId");
      assert.equal(operationTimeout === 60_000, name === "operationTimeout");
      assert.equal(logRequests, name === "logLevel");
      assert.equal(adopt, name === "adopt");
    }
  });

  it("uses defaults for all settings except the API key", () => {
    assert.deepEqual(settingsOf({ apiKey: "key" }), {
      apiKey: "key",
      apiUrl: publicApiUrl,
      orgId: undefined,
      operationTimeout: defaultOperationTimeout,
      logRequests: false,
      adopt: false,
    });
  });

  it("ignores empty environment variables", () => {
    const empty = Object.fromEntries(Object.keys(environment).map((name) => [name, ""]));
    assert.deepEqual(settingsOf({ apiKey: "key" }, empty), settingsOf({ apiKey: "key" }));
    const problem = "is missing: set it with `pulumi config set --secret neon:apiKey`, or set NEON_API_KEY";
    assert.deepEqual(problemsOf({}, empty), [{ setting: "apiKey", problem }]);
  });

  it("logs requests at the levels info and debug", () => {
    const logged = ["off", "info", "debug"].map((logLevel) => settingsOf({ apiKey: "key", logLevel }).logRequests);
    assert.deepEqual(logged, [false, true, true]);
  });

  it("adopts at true and 1, from the configuration and the environment", () => {
    for (const [value, expected] of [
      ["true", true],
      ["1", true],
      ["false", false],
      ["0", false],
    ] as const) {
      assert.equal(settingsOf({ apiKey: "key", adopt: value }).adopt, expected, value);
      assert.equal(settingsOf({ apiKey: "key" }, { NEON_ADOPT: value }).adopt, expected, value);
    }
    assert.equal(settingsOf({ apiKey: "key", adopt: "false" }, { NEON_ADOPT: "true" }).adopt, false);
  });

  for (const [setting, values, problem] of [
    [
      "apiKey",
      ["two words", "line\nbreak", "schlüssel"],
      "contains whitespace or characters that are not allowed in an API key",
    ],
    [
      "apiUrl",
      ["", "console.neon.tech", "ftp://console.neon.tech/api/v2", "https://console.neon.tech", "https://x/api/v2?a=b"],
      `must be a base URL such as ${publicApiUrl}, including the version`,
    ],
    [
      "operationTimeout",
      ["", "10", "ten minutes", "0s", "-5m", "5 days", "1m30", "s"],
      'must be a duration such as "90s", "10m" or "1h30m"',
    ],
    ["logLevel", ["", "verbose", "INFO", "constructor", "__proto__"], "must be one of off, info, debug"],
    ["adopt", ["", "yes", "True", "2", "constructor"], "must be true or false"],
  ] as const) {
    it(`reports what an invalid ${setting} must be`, () => {
      for (const value of values) {
        assert.deepEqual(
          problemsOf({ apiKey: "key", [setting]: value }),
          [{ setting, problem }],
          JSON.stringify(value),
        );
      }
    });
  }

  it("never includes the API key in a problem", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), (key, other) => {
        const values = { apiKey: `napi_${key}`, apiUrl: other, operationTimeout: other, logLevel: other };
        const result = resolved(values);
        if ("problems" in result) assert.ok(!JSON.stringify(result).includes("napi_"));
      }),
    );
  });
});

describe("milliseconds", () => {
  for (const [text, expected] of [
    ["90s", 90_000],
    ["10m", 600_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    ["0.5s", 500],
    ["", undefined],
    ["10", undefined],
    ["m", undefined],
    ["0s", undefined],
    ["0h0m", undefined],
    ["-1m", undefined],
    ["1m30", undefined],
    ["1d", undefined],
    ["1e3s", undefined],
    ["1,5h", undefined],
    ["Infinity", undefined],
    ["ten minutes", undefined],
  ] as const) {
    it(`${expected === undefined ? "rejects" : "parses"} "${text}"${expected === undefined ? "" : ` as ${expected} ms`}`, () => {
      assert.equal(milliseconds(text), expected);
    });
  }

  it("adds up the parts of a duration", () => {
    fc.assert(
      fc.property(fc.nat(99), fc.nat(59), fc.integer({ min: 1, max: 59 }), (hours, minutes, seconds) => {
        assert.equal(milliseconds(`${hours}h${minutes}m${seconds}s`), ((hours * 60 + minutes) * 60 + seconds) * 1000);
      }),
    );
  });
});

describe("connect", () => {
  const settings = settingsOf({ apiKey: "one" });

  it("returns one client per API key and base URL", () => {
    const client = connect(settings, () => undefined);
    assert.equal(
      connect({ ...settings, orgId: "org-1", operationTimeout: 1 }, () => undefined),
      client,
    );
    assert.notEqual(
      connect({ ...settings, apiKey: "two" }, () => undefined),
      client,
    );
    assert.notEqual(
      connect({ ...settings, apiUrl: "https://other.example/api/v2" }, () => undefined),
      client,
    );
  });

  it("logs each HTTP attempt if logRequests is set", async () => {
    const server = await ScriptedServer.start([{ status: 404, body: { message: "no" } }]);
    try {
      for (const logRequests of [true, false]) {
        const lines: string[] = [];
        const client = connect(
          { ...settings, apiKey: `napi_${logRequests}`, apiUrl: server.apiUrl, logRequests },
          (line) => lines.push(line),
        );
        await errorOf(client.send({ method: "GET", path: "/x", schema: undefined as never }));
        if (logRequests) assert.match(lines.join("\n"), /^neon: GET \/x 404 \d+ ms [0-9a-f-]{36}$/);
        else assert.deepEqual(lines, []);
      }
    } finally {
      await server.close();
    }
  });

  it("logs the network error if there was no response", () => {
    const attempt = { method: "GET", path: "/x", milliseconds: 7, requestId: "r" } as const;
    assert.equal(attemptLine({ ...attempt, error: "reset" }), "neon: GET /x no response (reset) 7 ms r");
    assert.equal(attemptLine(attempt), "neon: GET /x no response (unknown error) 7 ms r");
    assert.equal(attemptLine({ ...attempt, status: 204 }), "neon: GET /x 204 7 ms r");
  });
});
