import assert from "node:assert/strict";

import { afterEach, describe, it } from "mocha";

import type { KindName } from "../../provider/frozen-entry";
import type { EngineResource } from "../support/engine";
import { failsWith } from "../support/expected-errors";
import { samples } from "../support/samples";
import { suiteStage } from "../support/stage";

const stage = suiteStage();
const notFound = { method: "GET", times: 10, status: 404, body: { code: "", message: "not found" } } as const;

/** The kinds of which a request reads one object, and the end of its path. */
const readAlone: Partial<Record<KindName, RegExp>> = {
  Branch: /\/branches\/[^/?]+$/,
  Endpoint: /\/endpoints\/[^/?]+$/,
  Role: /\/roles\/[^/?]+$/,
  Database: /\/databases\/[^/?]+$/,
  VpcEndpointAssignment: /\/region\/[^/]+\/vpc_endpoints\/[^/?]+$/,
};

/** The kinds that only a list reads, and the end of its path. */
const readFromList: Partial<Record<KindName, RegExp>> = {
  JwksUrl: /\/jwks$/,
  Snapshot: /\/snapshots$/,
  VpcEndpointRestriction: /\/projects\/[^/]+\/vpc_endpoints$/,
  ProjectPermission: /\/permissions$/,
  ProjectMemberRole: /\/projects\/[^/]+\/members/,
  Credential: /\/credentials$/,
  Bucket: /\/buckets$/,
  NeonAuthTrustedDomain: /\/domains$/,
  NeonAuthOauthProvider: /\/oauth_providers$/,
};

async function created(kind: KindName): Promise<EngineResource> {
  const resource = stage().resource(kind);
  await resource.up(await samples[kind].declare(stage()));
  return resource;
}

describe("an object in the state that exists", () => {
  afterEach(() => stage().platform.clearFaults());

  for (const [kind, path] of Object.entries(readAlone) as [KindName, RegExp][]) {
    it(`of the kind ${kind} stays in the state if a request for it alone does not find it, because its list has it`, async () => {
      const resource = await created(kind);
      await stage().platform.fault({ ...notFound, path: path.source });
      assert.equal(await resource.refresh(), "same");
    });

    it(`of the kind ${kind} is gone if neither that request nor its list finds it`, async () => {
      const resource = await created(kind);
      const { state } = resource;
      await resource.destroy();
      resource.state = state;
      assert.equal(await resource.refresh(), "gone");
    });
  }

  for (const [kind, path] of Object.entries(readFromList) as [KindName, RegExp][]) {
    it(`of the kind ${kind} stays in the state if its list is not found, but what the list belongs to`, async () => {
      const resource = await created(kind);
      const { state } = resource;
      await stage().platform.fault({ ...notFound, path: path.source });
      await assert.rejects(
        resource.refresh(),
        failsWith("The list was not found, but what it belongs to exists", "HTTP 404", "Run the same command again."),
      );
      assert.deepEqual(resource.state, state);
    });
  }
});
