import { describe, it } from "mocha";
import assert from "node:assert/strict";

import { roleUri } from "../../sdk/components/role-uri";

describe("BranchEnvironment: the URI of its own role", () => {
  const connection = { role: "app user", password: "p@ss/1", database: "a b", endpointId: "ep-cool-rain-12345678" };

  it("leads to the host over verified TLS", () => {
    const inherited = "postgresql://owner:secret@ep-cool-rain-12345678.eu.example/main?sslmode=require";
    assert.equal(
      roleUri({ ...connection, host: "ep-cool-rain-12345678.eu.example", inherited }),
      "postgresql://app%20user:p%40ss%2F1@ep-cool-rain-12345678.eu.example/a%20b?sslmode=require&channel_binding=require",
    );
  });

  it("leads to an address of the compute's own without parameters", () => {
    const inherited = "postgresql://owner:secret@127.77.0.2/main";
    assert.equal(
      roleUri({ ...connection, host: "127.77.0.2", inherited }),
      "postgresql://app%20user:p%40ss%2F1@127.77.0.2/a%20b",
    );
  });

  it("names the compute at an address that computes share, with the port of the branch's own URI", () => {
    const options = "options=endpoint%3Dep-cool-rain-12345678";
    const host = "127.0.0.1";
    assert.equal(
      roleUri({ ...connection, host, inherited: `postgresql://owner:secret@127.0.0.1:41207/main?${options}` }),
      `postgresql://app%20user:p%40ss%2F1@127.0.0.1:41207/a%20b?${options}`,
    );
    // The branch has several roles.
    assert.equal(roleUri({ ...connection, host }), `postgresql://app%20user:p%40ss%2F1@127.0.0.1/a%20b?${options}`);
  });
});
