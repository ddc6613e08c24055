import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { failsWith } from "../support/expected-errors";
import type { Values } from "../support/provider-server";
import { branchWithFunctions } from "../support/samples/function";
import { branchPath } from "../support/samples/object";
import { suiteServer, suiteStage } from "../support/stage";

describe("CustomDomain", () => {
  const stage = suiteStage();
  const anotherRun = suiteServer(stage);

  async function fixture() {
    const base = await branchWithFunctions(stage());
    const domain = `${stage().name("api")}.example.com`;
    return { base, domain, resource: stage().resource("CustomDomain"), args: { ...base, domain, entityId: "api" } };
  }

  const sentBy = async (domain: string, step: () => Promise<unknown>): Promise<string[]> =>
    (await stage().sentBy(domain, step)).map(({ method }) => method);

  const setDns = async (domain: string, status: string): Promise<void> => {
    assert.equal(
      (await stage().platform.local("PUT", `/custom-domains/${domain}`, { dns_status: status })).status,
      200,
    );
  };

  const isListed = async (base: Values, domain: string): Promise<boolean> =>
    JSON.stringify((await stage().platform.call("GET", `${branchPath(base)}/custom-domains`)).body).includes(domain);

  it("is created without waiting for DNS, and has what the DNS record has to name", async () => {
    const { base, resource, args } = await fixture();
    await resource.up(args);
    const { cnameTarget, ...others } = resource.ownOutputs;
    assert.match(String(cnameTarget), /^fn-custom-domains\./);
    assert.deepEqual(others, { ...args, entityType: "function" });
    assert.equal(resource.id, `${base.projectId}/${base.branchId}/${args.domain}`);
  });

  it("has a status that each refresh reads, and that is never a difference", async () => {
    const { domain, resource, args } = await fixture();
    await resource.up(args);
    for (const [dns, status, reason] of [
      ["pending", "pending", undefined],
      ["misconfigured", "error", "cname-not-pointing-at-edge"],
      ["ok", "active", undefined],
    ] as const) {
      await setDns(domain, dns);
      await stage().platform.clearRequests();
      assert.equal(await resource.up(args), "same");
      assert.deepEqual(await stage().requests(), []);
      assert.equal(await resource.refresh(), "same");
      assert.deepEqual([resource.outputs["status"], resource.outputs["statusReason"]], [status, reason]);
      assert.equal(await resource.up(args), "same");
      assert.equal(resource.outputs["status"], status, "an update without a change keeps it");
    }
    const { id } = resource;
    const read = await anotherRun().lookUp("CustomDomain", id, { urn: resource.urn });
    assert.equal(read.outputs["status"], "active");
  });

  it("may be written in capitals and with a dot at its end", async () => {
    const { base, domain, resource, args } = await fixture();
    const written = { ...args, domain: `${domain.toUpperCase()}.` };
    await resource.up(written);
    assert.equal(resource.id, `${base.projectId}/${base.branchId}/${domain}`);
    assert.equal(await resource.refresh(), "same");
    assert.equal(await resource.up(written), "same");
    assert.equal((await resource.preview({ ...args, entityId: "web" })).deleteBeforeReplace, true);
    assert.equal((await resource.preview({ ...written, entityId: "web" })).deleteBeforeReplace, true);
    assert.equal(await resource.up(args), "same");
    await resource.up({ ...written, domain });
    await stage().nextRun(resource);
    await resource.destroy();
    assert.ok(!(await isListed(base, domain)));
    const adopted = stage().resourceOf(anotherRun(), "CustomDomain");
    await stage().platform.call("POST", `${branchPath(base)}/custom-domains`, {
      domain,
      entity_type: "function",
      entity_id: "api",
    });
    await adopted.up({ ...written, adopt: true });
    assert.equal(adopted.id, `${base.projectId}/${base.branchId}/${domain}`);
    await stage().nextRun(adopted);
    await adopted.destroy();
    assert.ok(!(await isListed(base, domain)));
  });

  it("is refused if it leads to a function of another branch, and found before a request on the same branch", async () => {
    const { base, args, resource } = await fixture();
    await resource.up(args);
    const other = await branchWithFunctions(stage());
    const refused = stage().resourceOf(anotherRun(), "CustomDomain");
    await assert.rejects(
      refused.up({ ...args, ...other }),
      failsWith(`The custom domain ${args.domain} was not registered (POST `, "leads to one function in all of Neon"),
    );
    assert.equal(refused.state, undefined);
    // On the same branch, it is found before anything is sent.
    const sameBranch = { ...args, entityId: "web" };
    const sent = await sentBy(args.domain, () =>
      assert.rejects(refused.up(sameBranch), failsWith("already exists", "`NEON_ADOPT=true pulumi up`")),
    );
    assert.deepEqual(sent, []);
    await assert.rejects(refused.up({ ...sameBranch, adopt: true }), /cannot be adopted: .*`entityId` \(now "api"\)/);
    assert.ok(await isListed(base, args.domain));
  });

  it("stays when its function is deleted, and is refreshed with the reason", async () => {
    const { base, resource, args } = await fixture();
    await resource.up(args);
    await stage().platform.call("DELETE", `${branchPath(base)}/functions/api`);
    assert.equal(await resource.refresh(), "same");
    assert.deepEqual([resource.outputs["status"], resource.outputs["statusReason"]], ["error", "binding-missing"]);
    assert.equal(await resource.up(args), "same");
  });
});
