import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { fileArchive, fileAsset } from "../../support/contents";
import { doors, type Door } from "../../support/door";
import { EngineResource, type Step } from "../../support/engine";
import type { TestPlatform } from "../../support/platform";
import { withPlatformProcess } from "../../support/platform-process";
import type { Values } from "../../support/provider-server";
import { userStack, withStack } from "../cli";
import { numbersBelow } from "../lanes";
import type { Row } from "../row";
import { memoryOf, readBy } from "../usage";
import { byDoor, withProvider } from "./doors";

const mebibyte = 2 ** 20;
const names = { dynamic: "dynamic provider", plugin: "plugin" };
const times = (value: number): string => `${value.toFixed(2)} ×`;

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "neon-pulumi-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file of zeros, of which the disk holds nothing. */
function sparseFile(path: string, mebibytes: number): string {
  writeFileSync(path, "");
  truncateSync(path, mebibytes * mebibyte);
  return path;
}

/** A branch with a bucket. */
async function bucketOn(platform: TestPlatform, name: string) {
  const { project, branch } = await platform.project({ name });
  const at = { projectId: project.id, branchId: branch.id };
  await platform.call("POST", `/projects/${project.id}/branches/${branch.id}/buckets`, { name: "files" });
  return { at, inBucket: { ...at, bucketName: "files" } };
}

/** Mebibytes of a provider process before it uploads a file, and at most while it does. */
async function uploadAt(door: Door, platform: TestPlatform, path: string) {
  const { inBucket } = await bucketOn(platform, `upload-${door}`);
  return await withProvider(door, platform, async (server) => {
    const object = new EngineResource(server, "BucketObject", "large");
    const args = { ...inBucket, source: fileAsset(path) };
    await server.check("Project", {}, { name: "home" });
    const idle = memoryOf(server.pid).now;
    await object.up(args);
    if (object.outputs["size"] !== statSync(path).size) throw new Error("the object has another size than its file");
    return { idle, most: memoryOf(server.pid).most };
  });
}

export const upload: Row = {
  name: "upload",
  title: "The upload of a large object",
  compares: `A \`BucketObject\` of a file of 1 GB, created by each provider process with the local platform. Idle is the resident set of the process after
its first \`check\`; the most is the kernel's high-water mark after the upload.`,
  measuresTime: true,
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], ({ platform }) =>
      withFolder(async (folder) => {
        const path = sparseFile(join(folder, "large"), run.size(1024, 16));
        const used = await byDoor((door) => uploadAt(door, platform, path));
        return {
          figures: doors.map((door) => ({
            title: `upload of an object of 1 GB, ${names[door]}: memory above that of the idle process`,
            value: used[door].most - used[door].idle,
            unit: "MB",
            atMost: 60,
          })),
          comparison: {
            heads: ["provider", "idle", "most"],
            lines: doors.map((door) => [
              names[door],
              `${used[door].idle.toFixed(0)} MB`,
              `${used[door].most.toFixed(0)} MB`,
            ]),
          },
        };
      }),
    ),
};

/** A resource with a file or an archive of so many bytes. */
interface OfFile {
  readonly kind: "Function" | "BucketObject";
  readonly args: Values;
  readonly bytes: number;
}

/** How often new provider processes read the files of a resource: the one that creates it, and one that finds no change. */
interface Reads {
  readonly first: number;
  readonly unchanged: number;
}

async function readsOf({ kind, args, bytes }: OfFile, door: Door, platform: TestPlatform): Promise<Reads> {
  const name = `${kind.toLowerCase()}${door}`;
  const state: { resource?: EngineResource } = {};
  const up = (expected: Step): Promise<number> =>
    withProvider(door, platform, async (server) => {
      const resource = (state.resource ??= new EngineResource(server, kind, name));
      resource.server = server;
      // It loads the package.
      await server.check("Project", {}, { name: "home" });
      const before = readBy(server.pid);
      const step = await resource.up(args);
      if (step !== expected) throw new Error(`${name}: ${step} instead of ${expected}`);
      return (readBy(server.pid) - before) / bytes;
    });
  return { first: await up("create"), unchanged: await up("same") };
}

export const unchangedFiles: Row = {
  name: "unchanged-files",
  title: "Files that have not changed",
  compares: `An \`up\` of a function with an archive of 32 files and 16 MB and of an object of 64 MB, of which nothing has changed. Requests are
those of \`pulumi up\` with its preview. Reads are all bytes that a new provider process reads for one resource, divided by those of
its files. The preview and the update of one \`pulumi up\` are two such processes. The first upload of an object reads its file
twice: its hash is known before it is sent, and the file may be larger than the memory.`,
  measuresTime: false,
  measure: async (run) =>
    await withPlatformProcess(["--operation-time", "0"], ({ platform }) =>
      withFolder(async (folder) => {
        const object = sparseFile(join(folder, "object"), 64);
        const code = join(folder, "code");
        mkdirSync(code);
        writeFileSync(join(code, "index.mjs"), "export default { fetch: () => new Response('Hello') };");
        for (const index of numbersBelow(32)) sparseFile(join(code, `data-${index}`), 0.5);
        const { at, inBucket } = await bucketOn(platform, "unchanged");
        const all = {
          archive: { kind: "Function", args: { ...at, code: fileArchive(code) }, bytes: 16 * mebibyte },
          object: { kind: "BucketObject", args: { ...inBucket, source: fileAsset(object) }, bytes: 64 * mebibyte },
        } as const;
        const archives = await byDoor((door) => readsOf(all.archive, door, platform));
        const objects = await byDoor((door) => readsOf(all.object, door, platform));
        run.say("up");
        const requests = await withStack(await userStack(filesProgram(code, object), platform), async (stack) => {
          await stack.up();
          await platform.clearRequests();
          await stack.up();
          return (await platform.requests()).length;
        });
        return {
          figures: [
            { title: "unchanged `up` of a function and an object: requests", value: requests, unit: "", atMost: 0 },
            ...doors.map((door) => ({
              title: `the same, ${names[door]}: times that the archive and the object are read, at most`,
              value: Math.max(archives[door].unchanged, objects[door].unchanged),
              unit: "×" as const,
              atMost: 1.02,
            })),
          ],
          comparison: {
            heads: ["provider", "archive, first `up`", "archive, unchanged", "object, first `up`", "object, unchanged"],
            lines: doors.map((door) => [
              names[door],
              ...[archives[door], objects[door]].flatMap(({ first, unchanged }) => [first, unchanged]).map(times),
            ]),
          },
        };
      }),
    ),
};

function filesProgram(code: string, object: string): string {
  return `
    const project = new neon.Project("home", {});
    const at = { projectId: project.id, branchId: project.defaultBranchId };
    new neon.Function("api", { ...at, code: new pulumi.asset.FileArchive(${JSON.stringify(code)}) });
    const bucket = new neon.Bucket("files", at);
    const source = new pulumi.asset.FileAsset(${JSON.stringify(object)});
    new neon.BucketObject("object", { ...at, bucketName: bucket.name, source });
  `;
}
