import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { failsWith, refusesInputs } from "../support/expected-errors";
import { Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";
import { assertUpToDate } from "../support/up-to-date";

const address = "https://auth.example.com/.well-known/jwks.json";

async function urlsOn({ stage, base: { projectId } }: Ground): Promise<JWKS[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/jwks`);
  return (body as unknown as { jwks: JWKS[] }).jwks;
}

/** Adds a URL without the provider. */
async function addUrl(ground: Ground, body: Values = {}): Promise<JWKS> {
  const path = `/projects/${ground.base.projectId}/jwks`;
  const answer = await ground.call("POST", path, { jwks_url: address, provider_name: "Auth0", ...body });
  return (answer as unknown as { jwks: JWKS }).jwks;
}

describe("JwksUrl", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** A project, and the smallest declaration of a JWKS URL for it. */
  const setting = async () => {
    const ground = await Ground.on(stage());
    return { ground, args: { projectId: ground.base.projectId, jwksUrl: address, providerName: "Auth0" } };
  };

  describe("check", () => {
    test("refuses invalid inputs", async () => {
      const args = { projectId: "shop", jwksUrl: address, providerName: "Auth0" };
      const cases: readonly (readonly [Values, string, RegExp])[] = [
        [{ ...args, jwksUrl: "http://auth.example.com/jwks.json" }, "jwksUrl", /must be an https URL/],
        [{ ...args, jwksUrl: "auth.example.com" }, "jwksUrl", /must be an https URL/],
        [{ ...args, providerName: "" }, "providerName", /at least 1/],
        [{ ...args, jwtAudience: "" }, "jwtAudience", /at least 1/],
        [
          { ...args, roleNames: Array.from({ length: 11 }, (_, index) => `r${index}`) },
          "roleNames",
          /at most 10 entries/,
        ],
        [{ ...args, roleNames: ["x".repeat(64)] }, "roleNames.0", /at most 63 bytes/],
        [{ projectId: "shop", jwksUrl: address }, "providerName", /is required/],
      ];
      for (const [declared, property, reason] of cases) {
        await assert.rejects(stage().resource("JwksUrl").preview(declared), refusesInputs({ [property]: reason }));
      }
    });
  });

  describe("create", () => {
    test("sends every declared input, and outputs what the platform returns", async () => {
      const { ground, args } = await setting();
      const { projectId, branchId } = ground.base;
      const url = stage().resource("JwksUrl");
      const declared = { ...args, branchId, jwtAudience: "shop", roleNames: ["guest"], skipRoleCreation: true };
      const body = {
        jwks_url: address,
        provider_name: "Auth0",
        branch_id: branchId,
        jwt_audience: "shop",
        role_names: ["guest"],
        skip_role_creation: true,
      };
      const sent = await stage().sentBy(projectId, () => url.up(declared));
      assert.deepEqual(sent, [{ method: "POST", path: `/projects/${projectId}/jwks`, body }]);
      const [created, ...others] = await urlsOn(ground);
      assert.deepEqual(others, []);
      assert.deepEqual(url.ownOutputs, { ...declared, jwksId: created?.id, createdAt: created?.created_at });
      assert.equal(url.id, `${projectId}/${created?.id ?? ""}`);
      await assertUpToDate(stage(), url, declared);
    });

    test("waits until the URL is applied", async () => {
      const { ground, args } = await setting();
      const url = stage().resource("JwksUrl");
      await url.up(args);
      const operations = (await ground.call("GET", `/projects/${args.projectId}/operations`)).operations;
      assert.deepEqual([operations[0]?.action, operations[0]?.status], ["apply_config", "finished"]);
    });

    test("fails if the project has this URL, and names the adopt line", async () => {
      const { ground, args } = await setting();
      const existing = await addUrl(ground);
      const url = stage().resource("JwksUrl");
      const sent = await ground.sentBy(async () => {
        await assert.rejects(url.up(args), failsWith("This JWKS URL already exists", `adopt: "${existing.id}"`));
      });
      assert.deepEqual(sent, []);
      await url.up({ ...args, adopt: existing.id });
      assert.equal((await urlsOn(ground)).length, 1);
    });
  });

  describe("refresh", () => {
    test("finds no drift in values that the platform chooses, or in the order of roles", async () => {
      const { args } = await setting();
      const url = stage().resource("JwksUrl");
      await url.up({ ...args, skipRoleCreation: false });
      assert.deepEqual(url.outputs["roleNames"], ["authenticator", "authenticated", "anonymous"]);
      assert.equal(await url.refresh(), "same");
      assert.equal(await url.up(args), "same");
      assert.equal(await url.up({ ...args, roleNames: ["anonymous", "authenticator", "authenticated"] }), "same");
    });
  });

  describe("replace", () => {
    test("deletes the old URL first only if the new one has the same address", async () => {
      const { ground, args } = await setting();
      const url = stage().resource("JwksUrl");
      await url.up(args);
      const renamed = { ...args, providerName: "Clerk" };
      const first = await ground.sentBy(() => url.up(renamed));
      assert.deepEqual(
        first.map((line) => line.split(" ", 1)[0]),
        ["DELETE", "POST"],
      );
      const moved = { ...renamed, jwksUrl: `${address}?v=2` };
      const second = await ground.sentBy(() => url.up(moved));
      assert.deepEqual(
        second.map((line) => line.split(" ", 1)[0]),
        ["POST", "DELETE"],
      );
      assert.deepEqual(
        (await urlsOn(ground)).map((one) => [one.jwks_url, one.provider_name]),
        [[`${address}?v=2`, "Clerk"]],
      );
    });
  });

  describe("adopt", () => {
    test("accepts true, the id and the id in state, and creates a URL if there is none", async () => {
      const { ground, args } = await setting();
      const existing = await addUrl(ground);
      for (const adopt of [true, existing.id, `${args.projectId}/${existing.id}`]) {
        const url = await stage().nextRun(stage().resource("JwksUrl"));
        assert.deepEqual(await ground.sentBy(() => url.up({ ...args, adopt })), []);
        assert.equal(url.outputs["jwksId"], existing.id);
        await assertUpToDate(stage(), url, args);
      }
      await stage()
        .resource("JwksUrl")
        .up({ ...args, jwksUrl: `${address}?other`, adopt: true });
      assert.equal((await urlsOn(ground)).length, 2);
    });

    test("fails if an input differs or cannot be read, or the URL does not exist", async () => {
      const { ground, args } = await setting();
      await addUrl(ground);
      const cases: readonly (readonly [Values, string])[] = [
        [{ providerName: "Clerk", adopt: true }, "providerName"],
        [{ branchId: ground.base.branchId, jwtAudience: "shop", adopt: true }, "`branchId`, `jwtAudience`"],
        [{ skipRoleCreation: true, adopt: true }, "skipRoleCreation"],
        [{ adopt: "no-such-id" }, 'There is no JWKS URL "no-such-id" to adopt'],
      ];
      for (const [more, text] of cases) {
        await assert.rejects(
          stage()
            .resource("JwksUrl")
            .up({ ...args, ...more }),
          failsWith(text),
        );
      }
      assert.equal((await urlsOn(ground)).length, 1);
    });
  });

  describe("delete", () => {
    test("succeeds if somebody else has removed the URL", async () => {
      const { ground, args } = await setting();
      const url = stage().resource("JwksUrl");
      await url.up(args);
      await ground.call("DELETE", `/projects/${args.projectId}/jwks/${String(url.outputs["jwksId"])}`);
      await url.destroy();
      assert.deepEqual(await urlsOn(ground), []);
    });

    test("succeeds, and a refresh finds nothing, if the project was deleted", async () => {
      const { args } = await setting();
      const url = stage().resource("JwksUrl");
      await url.up(args);
      await stage().platform.call("DELETE", `/projects/${args.projectId}`);
      const state = url.present;
      assert.equal(await url.refresh(), "gone");
      url.state = state;
      await url.destroy();
    });
  });
});

describe("JwksUrl", () => {
  const test = onStages(2);

  describe("create", () => {
    test("creates one URL, and deletes it with one request, when both answers are lost", async (stage) => {
      const ground = await Ground.on(stage);
      const url = stage.resource("JwksUrl");
      await stage.platform.fault({ method: "POST", path: "/jwks$", times: 1, reset: "after" });
      await url.up({ projectId: ground.base.projectId, jwksUrl: address, providerName: "Auth0" });
      const [only, ...others] = await urlsOn(ground);
      assert.deepEqual(others, []);
      assert.equal(url.outputs["jwksId"], only?.id);
      await stage.platform.fault({ method: "DELETE", path: "/jwks/", times: 1, reset: "after" });
      assert.equal((await ground.sentBy(() => url.destroy())).length, 1);
      assert.deepEqual(await urlsOn(ground), []);
    });

    test("replaces the URL in the next up if its operation failed", async (stage) => {
      const ground = await Ground.on(stage);
      const url = stage.resource("JwksUrl");
      const args = { projectId: ground.base.projectId, jwksUrl: address, providerName: "Auth0" };
      await stage.platform.fault({ action: "apply_config", end: "error" });
      await assert.rejects(url.up(args), failsWith("apply_config", "never became usable"));
      const broken = url.outputs["jwksId"];
      assert.equal(await url.up(args), "replace");
      const [only, ...others] = await urlsOn(ground);
      assert.deepEqual(others, []);
      assert.notEqual(only?.id, broken);
      assert.equal(await url.up(args), "same");
    });
  });
});
