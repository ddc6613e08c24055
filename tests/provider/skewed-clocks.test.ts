import assert from "node:assert/strict";
import { join } from "node:path";

import { describe, it } from "mocha";

import { NeonClient } from "../../api/client";
import { systemClock } from "../../api/clock";
import { NeonError } from "../../api/errors";
import { fetchTransport, type Transport } from "../../api/http/transport";
import { type KindName, kinds } from "../../provider/kinds";
import { create } from "../../provider/lifecycle/create";
import { urnOf } from "../support/door";
import { suiteHome } from "../support/home";
import { AdjustableClock } from "../support/platform-clock";
import type { Values } from "../support/provider-server";
import { callFor, servicesWith } from "../support/services";
import { concurrently, suiteStage } from "../support/stage";

const clock = new AdjustableClock();
const stage = suiteStage({ clock });
const home = suiteHome();

const named = ({ name }: Values, inputs: Values): boolean => name === inputs["name"];
const onBranch = (projectId: string, branchId: string): Values => ({ projectId, branchId, name: "same" });
const pathOf = (noun: string) => (projectId: string, branchId: string) =>
  `/projects/${projectId}/branches/${branchId}/${noun}`;

const cases: readonly Case[] = [
  { kind: "Role", inputs: onBranch, list: pathOf("roles"), member: "roles", isOne: named },
  {
    kind: "Database",
    inputs: (projectId, branchId) => ({ ...onBranch(projectId, branchId), ownerName: "neondb_owner" }),
    list: pathOf("databases"),
    member: "databases",
    isOne: named,
  },
  {
    kind: "Endpoint",
    inputs: (projectId, branchId) => ({ projectId, branchId, type: "read_only" }),
    list: pathOf("endpoints"),
    member: "endpoints",
    isOne: ({ type }) => type === "read_only",
  },
  { kind: "Snapshot", inputs: onBranch, list: (id) => `/projects/${id}/snapshots`, member: "snapshots", isOne: named },
  {
    kind: "ProjectPermission",
    inputs: (projectId) => ({ projectId, email: "guest@example.com" }),
    list: (id) => `/projects/${id}/permissions`,
    member: "project_permissions",
    isOne: (one) => one["granted_to_email"] === "guest@example.com" && one["revoked_at"] == null,
  },
  {
    kind: "JwksUrl",
    inputs: (projectId) => ({ projectId, jwksUrl: "https://sign-in.example/keys", providerName: "Example" }),
    list: (id) => `/projects/${id}/jwks`,
    member: "jwks",
    isOne: () => true,
  },
];

describe("a platform whose clocks differ", () => {
  const test = concurrently();

  for (const one of cases) {
    for (const seconds of [-10, -5, 0, 5, 10]) {
      for (const fate of ["before", "after"] as const) {
        const lost = fate === "before" ? "whose request is lost" : "whose response is lost";
        test(`creates one ${one.kind} ${lost}, with a Date off by ${seconds} s`, async () => {
          const { id, branchId } = await stage().project();
          const inputs = one.inputs(id, branchId);
          const process = processAt(seconds, fate);
          await process.create(one.kind, inputs);
          assert.equal((await found(one, id, branchId, inputs)).length, 1);
          const taken = process.warnings.filter((text) => text.includes("was taken for the result"));
          assert.equal(taken.length, fate === "after" ? 1 : 0, "the object that was found by its name is named");
        });
      }
    }
  }

  for (const seconds of [-10, -5, 0, 5, 10]) {
    for (const fate of ["before", "after"] as const) {
      const lost = fate === "before" ? "one key whose request is lost" : "a second key, and names the lost one";
      test(`creates ${lost}, with a Date off by ${seconds} s`, async () => {
        const name = stage().name("ci");
        const process = processAt(seconds, fate);
        await process.create("ApiKey", { name });
        const { body } = await stage().platform.call("GET", "/api_keys");
        const keys = (body as unknown as Values[]).filter((key) => key["name"] === name);
        const useless = fate === "after" ? 1 : 0;
        assert.equal(keys.length, 1 + useless);
        assert.equal(process.warnings.filter((text) => text.includes("Revoke it if nothing uses it")).length, useless);
      });
    }
  }
});

describe("a platform whose clocks differ, and another program", () => {
  for (const seconds of [-10, 0, 10]) {
    it(`keeps the snapshot that it created half a minute earlier, with a Date off by ${seconds} s`, async () => {
      const { id, branchId } = await stage().project();
      const name = stage().name("snapshot");
      const path = `/projects/${id}/branches/${branchId}/snapshot?name=${name}`;
      await stage().platform.call("POST", path);
      await stage().settled(id);
      clock.putForward(40_000);
      const { outputs } = await processAt(seconds, "before").create("Snapshot", { projectId: id, branchId, name });
      const { body } = await stage().platform.call("GET", `/projects/${id}/snapshots`);
      const ids = (body as unknown as { snapshots: { id: string }[] }).snapshots.map((one) => one.id);
      assert.equal(ids.length, 2);
      assert.equal(outputs["snapshotId"], ids[0]);
    });
  }
});

/** What becomes of the first creation: its request never arrives, or its response is lost. */
type Fate = "before" | "after";

/**
 * A process that creates objects at a platform whose `Date` headers are off by so many seconds.
 *
 * @param fate of its first creation
 */
function processAt(seconds: number, fate: Fate | undefined) {
  const { apiKey, apiUrl } = stage().platform;
  const send = fetchTransport();
  let isLost = fate === undefined;
  const transport: Transport = async (request) => {
    const isCreation = request.method === "POST" && !isLost;
    if (isCreation && fate === "before") isLost = true;
    if (isCreation && fate === "before") throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    const response = await send(request);
    if (isCreation) {
      isLost = true;
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    }
    const date = Date.parse(response.header("date") ?? "") + seconds * 1000;
    const shifted = new Date(date).toUTCString();
    return { ...response, header: (name) => (name.toLowerCase() === "date" ? shifted : response.header(name)) };
  };
  const warnings: string[] = [];
  const client = new NeonClient({ apiKey, apiUrl, transport });
  const folder = join(home, stage().name("journal"));
  const warn = (text: string): void => void warnings.push(text);
  const services = servicesWith({ client, folder, clock: systemClock, warn });
  return {
    warnings,
    /** Creates an object, with the next `up` where a creation whose outcome is unknown is not sent again. */
    create: async (kind: KindName, inputs: Values) => {
      const call = callFor(urnOf(kind, stage().name(kind)));
      const once = () => create({ kind: kinds[kind], services }, call, inputs);
      return await once().catch((error: unknown) => {
        assert.ok(NeonError.isInstance(error) && error.kind === "outcome-unknown", String(error));
        return once();
      });
    },
  };
}

/** An object to create, and the names or ids of all objects that it could be. */
interface Case {
  readonly kind: KindName;
  readonly inputs: (projectId: string, branchId: string) => Values;
  readonly list: (projectId: string, branchId: string) => string;
  readonly member: string;
  readonly isOne: (object: Values, inputs: Values) => boolean;
}

async function found({ list, member, isOne }: Case, projectId: string, branchId: string, inputs: Values) {
  const { body } = await stage().platform.call("GET", list(projectId, branchId));
  return ((body as unknown as Values)[member] as Values[]).filter((one) => isOne(one, inputs));
}
