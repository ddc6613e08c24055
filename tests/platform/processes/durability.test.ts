import assert from "node:assert/strict";

import { describe, it } from "mocha";

import { TestPlatform } from "../../support/platform";
import { killAtStart, spawnPlatform } from "../../support/platform-process";
import { quickSeed, seededRandom } from "../../support/seeded-random";
import { until } from "../../support/until";
import { suitePaths } from "../support/paths";

const rounds = 3;
const clients = 6;
const longestMs = 800;

/** A project according to its only client: its name, and the name that was sent when the platform was killed. */
interface Known {
  id?: string;
  name: string;
  sent?: string | undefined;
}

describe("local platform: durability", () => {
  const folder = suitePaths();

  it("kill -9 under load loses no acknowledged change and leaves no partial one", async () => {
    const seed = quickSeed();
    const draw = seededRandom(seed);
    const args = ["--no-postgres", "--operation-time", "1ms", "--data", folder("data")];
    const all: Known[] = [];
    let changes = 0;
    let key: string | undefined;

    /** Creates projects and renames them, until the platform is killed. */
    const work = async (platform: TestPlatform): Promise<void> => {
      for (;;) {
        const known: Known = { name: `p${all.length}` };
        all.push(known);
        for (const name of [known.name, `${known.name}-a`, `${known.name}-b`]) {
          const [method, path] = known.id === undefined ? ["POST", ""] : ["PATCH", `/${known.id}`];
          known.sent = name;
          const answer = await platform.call(method, `/projects${path}`, { project: { name } }).catch(() => undefined);
          if (answer === undefined) return;
          if (answer.status === 423) continue;
          assert.ok(answer.status < 300, answer.body.message);
          changes += 1;
          Object.assign(known, { id: answer.body.project.id, name, sent: undefined });
        }
      }
    };

    for (let round = 0; round < rounds; round += 1) {
      const { child, platform: address } = await spawnPlatform(args);
      key ??= address.apiKey;
      const platform = new TestPlatform({ ...address, apiKey: key });
      const working = Array.from({ length: clients }, () => work(platform));
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const before = changes;
      await until(() => changes > before);
      setTimeout(() => child.kill("SIGKILL"), draw() * longestMs);
      await Promise.all([...working, ended]);
      await killAtStart(args, draw() * longestMs);

      const next = await spawnPlatform(args);
      const again = new TestPlatform({ ...next.platform, apiKey: key });
      const { projects } = (await again.call("GET", "/projects?limit=400")).body;
      for (const known of all) {
        const { id, name, sent } = known;
        const own = projects.filter((project) => [name, sent].includes(project.name));
        assert.ok(own.length === 1 || (id === undefined && own.length === 0), `seed ${seed}: ${own.length} of ${name}`);
        assert.equal(own[0]?.id, id ?? own[0]?.id, `seed ${seed}: ${name}`);
        Object.assign(known, { id: own[0]?.id, name: own[0]?.name ?? name, sent: undefined });
        if (own[0] === undefined) continue;
        const path = `/projects/${own[0].id}`;
        const { branches } = (await again.call("GET", `${path}/branches`)).body;
        const { endpoints } = (await again.call("GET", `${path}/endpoints`)).body;
        assert.deepEqual([branches.length, endpoints.length], [1, 1], `seed ${seed}: ${name} is partial`);
        for (const { action, status } of await again.settled(own[0].id)) assert.equal(status, "finished", action);
      }
      await again.close();
    }
    assert.ok(changes > 0, `seed ${seed}: nothing was acknowledged`);
  });
});
