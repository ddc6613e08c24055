import assert from "node:assert/strict";

import type { JWKS } from "@neondatabase/api-client";
import { describe } from "mocha";

import type { Values } from "../support/dynamic-server";
import { CheckError } from "../support/engine";
import { failsWith, Ground } from "../support/ground";
import { concurrently, onStages, suiteStage } from "../support/stage";

const address = "https://auth.example.com/.well-known/jwks.json";

async function urlsOn({ stage, base: { projectId } }: Ground): Promise<JWKS[]> {
  const { body } = await stage.platform.call("GET", `/projects/${projectId}/jwks`);
  return (body as unknown as { jwks: JWKS[] }).jwks;
}

/** Adds one behind the provider's back. */
async function foreignUrl(ground: Ground, body: Values = {}): Promise<JWKS> {
  const path = `/projects/${ground.base.projectId}/jwks`;
  const answer = await ground.call("POST", path, { jwks_url: address, provider_name: "Auth0", ...body });
  return (answer as unknown as { jwks: JWKS }).jwks;
}

describe("a JWKS URL", () => {
  const stage = suiteStage();
  const test = concurrently();

  /** A ground, and what a program declares at least. */
  const setting = async () => {
    const ground = await Ground.on(stage());
    return { ground, args: { projectId: ground.base.projectId, jwksUrl: address, providerName: "Auth0" } };
  };

  test("is added with what is declared, and removed on destroy", async () => {
    const { ground, args } = await setting();
    const { projectId, branchId } = ground.base;
    const url = stage().resource("JwksUrl");
    const declared = { ...args, branchId, jwtAudience: "shop", roleNames: ["guest"], skipRoleCreation: true };
    const before = (await stage().sent(projectId)).length;
    await url.up(declared);
    const sent = (await stage().sent(projectId)).slice(before);
    assert.deepEqual(
      sent.map(({ method, body }) => [method, body]),
      [
        [
          "POST",
          {
            jwks_url: address,
            provider_name: "Auth0",
            branch_id: branchId,
            jwt_audience: "shop",
            role_names: ["guest"],
            skip_role_creation: true,
          },
        ],
      ],
    );
    const [there, ...others] = await urlsOn(ground);
    assert.deepEqual(others, []);
    const { __neon, __provider, ...outputs } = url.outputs;
    assert.deepEqual(outputs, { ...declared, jwksId: there?.id, createdAt: there?.created_at });
    assert.equal(url.id, `${projectId}/${there?.id ?? ""}`);
    assert.equal(await url.up(declared), "same");
    assert.equal(await url.refresh(), "same");
    assert.equal(await url.up({ ...declared, roleNames: ["guest"] }), "same");
    await url.destroy();
    assert.deepEqual(await urlsOn(ground), []);
  });

  test("has no difference in what the platform chooses, nor in roles in another order", async () => {
    const { args } = await setting();
    const url = stage().resource("JwksUrl");
    await url.up({ ...args, skipRoleCreation: false });
    assert.deepEqual(url.outputs["roleNames"], ["authenticator", "authenticated", "anonymous"]);
    assert.equal(await url.refresh(), "same");
    assert.equal(await url.up(args), "same");
    assert.equal(await url.up({ ...args, roleNames: ["anonymous", "authenticator", "authenticated"] }), "same");
  });

  test("is waited for until it is in force", async () => {
    const { ground, args } = await setting();
    const url = stage().resource("JwksUrl");
    await url.up(args);
    const operations = (await ground.call("GET", `/projects/${args.projectId}/operations`)).operations;
    assert.deepEqual([operations[0]?.action, operations[0]?.status], ["apply_config", "finished"]);
  });

  test("is replaced by any change, the old one first where the address is the same", async () => {
    const { ground, args } = await setting();
    const url = stage().resource("JwksUrl");
    await url.up(args);
    const renamed = { ...args, providerName: "Clerk" };
    const plan = await url.preview(renamed);
    assert.deepEqual([plan.step, plan.replaces, plan.deleteBeforeReplace], ["replace", ["providerName"], true]);
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

  test("that somebody has removed is added again, and is not missed on destroy", async () => {
    const { ground, args } = await setting();
    const url = stage().resource("JwksUrl");
    const removeForeign = (): Promise<unknown> =>
      ground.call("DELETE", `/projects/${args.projectId}/jwks/${String(url.outputs["jwksId"])}`);
    await url.up(args);
    await removeForeign();
    assert.equal(await url.refresh(), "gone");
    assert.equal(await url.up(args), "create");
    await removeForeign();
    await url.destroy();
    assert.deepEqual(await urlsOn(ground), []);
  });

  test("goes with its project", async () => {
    const { args } = await setting();
    const url = stage().resource("JwksUrl");
    await url.up(args);
    await stage().platform.call("DELETE", `/projects/${args.projectId}`);
    const state = url.present;
    assert.equal(await url.refresh(), "gone");
    url.state = state;
    await url.destroy();
  });

  test("§6.20 whose address is there is not added twice, and the message says how to take it over", async () => {
    const { ground, args } = await setting();
    const there = await foreignUrl(ground);
    const url = stage().resource("JwksUrl");
    const sent = await ground.sentBy(async () => {
      await assert.rejects(url.up(args), failsWith("This JWKS URL already exists", `adopt: "${there.id}"`));
    });
    assert.deepEqual(sent, []);
    await url.up({ ...args, adopt: there.id });
    assert.equal((await urlsOn(ground)).length, 1);
  });

  test("is adopted by its address, by its id and by its id in state, and added if there is none", async () => {
    const { ground, args } = await setting();
    const there = await foreignUrl(ground);
    for (const adopt of [true, there.id, `${args.projectId}/${there.id}`]) {
      const url = await stage().nextRun(stage().resource("JwksUrl"));
      assert.deepEqual(await ground.sentBy(() => url.up({ ...args, adopt })), []);
      assert.equal(url.outputs["jwksId"], there.id);
      assert.equal(await url.refresh(), "same");
      assert.equal(await url.up(args), "same");
    }
    await stage()
      .resource("JwksUrl")
      .up({ ...args, jwksUrl: `${address}?other`, adopt: true });
    assert.equal((await urlsOn(ground)).length, 2);
  });

  test("is not adopted where it says otherwise, where that cannot be known, or where it is not there", async () => {
    const { ground, args } = await setting();
    await foreignUrl(ground);
    const cases: readonly (readonly [Values, string])[] = [
      [{ providerName: "Clerk", adopt: true }, "providerName"],
      [{ branchId: ground.base.branchId, jwtAudience: "shop", adopt: true }, "branchId, jwtAudience"],
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

  test("is refused in the preview where it makes no sense", async () => {
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
      await assert.rejects(stage().resource("JwksUrl").preview(declared), (error) => {
        assert.ok(error instanceof CheckError);
        assert.deepEqual(
          error.failures.map((failure) => failure.property),
          [property],
        );
        assert.match(error.failures[0]?.reason ?? "", reason);
        return true;
      });
    }
  });
});

describe("a JWKS URL that something went wrong with", () => {
  const test = onStages(2);

  test("§6.6 is not added twice when the answer was lost, nor missed when that of its removal was", async (stage) => {
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

  test("§6.1 that was never put in force is added anew by the next up", async (stage) => {
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
