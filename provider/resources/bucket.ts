import { z } from "zod";

import { camelShape } from "../../api/camel-shape";
import { explained, hasStatus, ignoreNotFound } from "../../api/errors";
import { lazy } from "../../api/lazy";
import { type Bucket, bucketCreate, buckets } from "../../api/schemas/bucket";
import { isAddressable, notAddressable } from "../../api/schemas/wire";
import { type Collection, onePage, type Reader } from "../call/collection";
import { AlreadyThereError } from "../call/conflict";
import { deleteObject } from "../call/delete-object";
import { creation } from "../kind/creation";
import { same } from "../kind/field-rules";
import { identifiedBy } from "../kind/id";
import { adopt, idInput } from "../kind/inputs";
import type { Kind } from "../kind/kind";
import type { OutputsOf } from "../kind/outputs";
import { omitUndefined } from "../values";
import type { BranchAddress } from "./branch/read";
import { type Namesakes, notTheSame, refreshToNamesake, warnOfNamesake } from "./namesake";

const inputs = lazy(() => {
  const { name, accessLevel } = camelShape(bucketCreate.shape);
  return z.strictObject({
    projectId: idInput.describe("Id of the project."),
    branchId: idInput.describe("Id of the branch."),
    name: name
      .refine(isAddressable, notAddressable)
      .optional()
      .describe(
        "Name of the bucket, at most 255 characters, unique on the branch. Default: the resource's logical name.",
      ),
    accessLevel: accessLevel.meta({
      description:
        "Who can read the objects: with `private` only who has a credential, with `public_read` everybody who knows the URL of an object. Listing and writing always need a credential. Default: `private`.",
      replacement: "Neon's API cannot change it.",
    }),
    adopt: adopt
      .optional()
      .describe(
        "Adopts an existing bucket instead of creating one, such as one that the branch has from its parent. A name adopts that bucket and fails if it does not exist. `true` adopts the bucket of this name, or creates it if there is none. Setting or removing `adopt` later has no effect.",
      ),
  });
});
export type BucketInputs = z.infer<ReturnType<typeof inputs>>;

const outputs = () =>
  z.object({
    projectId: inputs().shape.projectId.describe("Id of the project."),
    branchId: inputs().shape.branchId.describe("Id of the branch."),
    name: z.string().describe("Name of the bucket."),
    accessLevel: z.string().describe("Who can read the objects: `private` or `public_read`."),
    createdAt: z
      .string()
      .describe(
        "Time of creation (ISO 8601, UTC); of a bucket that the branch has from its parent, the time at which it was created there.",
      ),
  });
export type BucketOutputs = OutputsOf<typeof outputs>;

const { address, id } = identifiedBy("projectId", "branchId", "name");

/** A bucket for objects of a branch. */
export const bucket: Kind<BucketInputs, BucketOutputs> = {
  name: "Bucket",
  noun: "bucket",
  version: 1,
  inputs,
  outputs,
  rules: {
    projectId: { onChange: "replace" },
    branchId: { onChange: "replace" },
    name: { onChange: "replace" },
    // No published request changes it.
    accessLevel: { onChange: "replace" },
  },
  defaultName: "name",
  uniqueBy: ["projectId", "branchId", "name"],
  replacement: { loss: "The new bucket is empty. Neon deletes the old one only if it is empty, too." },
  address,
  id,

  create: ({ projectId, branchId, name: bucketName = "", accessLevel: level }) =>
    creation({
      what: "create bucket",
      request: () =>
        buckets.create(projectId, branchId, { name: bucketName, ...omitUndefined({ access_level: level }) }),
      repeatable: true,
      outputs: (answer) => bucketOutputs({ projectId, branchId }, answer.bucket),
      // What the platform answers if the branch has a bucket of this name from its parent is not specified.
      assertFree: async (context) => {
        if (!(await listBuckets(context, { projectId, branchId })).some(isNamed(bucketName))) return;
        throw new AlreadyThereError(`The branch ${branchId} already has a bucket ${bucketName}.`);
      },
    }),

  read: async (context, { projectId = "", branchId = "", name: bucketName = "", createdAt }) => {
    const found = await context.readOne(bucketsOf({ projectId, branchId }), bucketName);
    if (found === undefined) return undefined;
    const outputs = bucketOutputs({ projectId, branchId }, found);
    if (createdAt !== undefined && !isSame({ createdAt }, found)) {
      const key = { kind: "Bucket", id: id(outputs) };
      if (!(await refreshToNamesake(context, key, namesakes({ name: bucketName, createdAt }, found)))) return undefined;
    }
    return outputs;
  },

  remove: async (context, state) => {
    const { projectId, branchId, name: bucketName } = state;
    const find = async (): Promise<Bucket | undefined> =>
      (await listBuckets(context, { projectId, branchId })).find(isNamed(bucketName));
    const present = await find();
    if (present !== undefined && !isSame(state, present)) {
      warnOfNamesake(context, namesakes(state, present));
      return;
    }
    await deleteObject(context, {
      what: "delete bucket",
      object: `bucket ${bucketName}`,
      project: projectId,
      request: buckets.delete(projectId, branchId, bucketName),
      silent: true,
      exists: async () => {
        const found = await find();
        return found !== undefined && isSame(state, found);
      },
      assertSame: async () => {
        const found = await find();
        if (found !== undefined && !isSame(state, found)) throw notTheSame(namesakes(state, found));
      },
      explain: (error) => explainedByContents(bucketName, error),
    });
  },

  recovery: {
    by: "naturalKey",
    list: async (context, { projectId, branchId, name: bucketName = "" }) =>
      (await listBuckets(context, { projectId, branchId })).filter(isNamed(bucketName)).map((found) => ({
        createdAt: found.created_at,
        found: bucketOutputs({ projectId, branchId }, found),
      })),
  },
};

const isNamed =
  (bucketName: string) =>
  (found: Bucket): boolean =>
    found.name === bucketName;

/** Whether a bucket is the one in the state, not one of the same name that was created later. */
function isSame({ createdAt }: Pick<BucketOutputs, "createdAt">, found: Bucket): boolean {
  return same({ equality: "instant" }, createdAt, found.created_at);
}

function namesakes(
  { name: bucketName, createdAt }: Pick<BucketOutputs, "name" | "createdAt">,
  found: Bucket,
): Namesakes {
  return {
    object: `bucket ${bucketName}`,
    saved: `created at ${createdAt}`,
    present: `created at ${found.created_at}`,
  };
}

/** What a bucket with objects is refused with, explained. Which of the two statuses that is, is not specified. */
function explainedByContents(bucketName: string, error: unknown): unknown {
  if (!hasStatus(error, 409, 422)) return error;
  return explained(
    `The bucket ${bucketName} was not deleted`,
    error,
    "Neon deletes only empty buckets: if it holds objects, delete them first, then run the same command again.",
  );
}

/** The buckets of a branch with those that it has from its parent, none if the branch does not exist. */
async function listBuckets(
  reader: Pick<Reader, "read">,
  { projectId, branchId }: BranchAddress,
): Promise<readonly Bucket[]> {
  return (await ignoreNotFound(reader.read(buckets.list(projectId, branchId))))?.buckets ?? [];
}

function bucketsOf(branch: BranchAddress): Collection<Bucket> {
  return {
    name: `buckets/${branch.projectId}/${branch.branchId}`,
    projectId: branch.projectId,
    pages: (reader) => onePage(() => listBuckets(reader, branch)),
    keyOf: ({ name: bucketName }) => bucketName,
  };
}

function bucketOutputs({ projectId, branchId }: BranchAddress, found: Bucket): BucketOutputs {
  return {
    projectId,
    branchId,
    name: found.name,
    accessLevel: found.access_level,
    createdAt: found.created_at,
  };
}
