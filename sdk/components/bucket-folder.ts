import * as pulumi from "@pulumi/pulumi";
import { lookup } from "mrmime";
import { type Dirent, existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { assertInstalled } from "../installation";
import { isOfType } from "../resource";
import { BucketObject, type BucketObjectArgs } from "../resources/bucket-object";
import { runError } from "../run-error";

/** Arguments of the object of one file of a {@link BucketFolder}. */
export type BucketFileArgs = Pick<
  BucketObjectArgs,
  "contentType" | "cacheControl" | "contentDisposition" | "contentEncoding" | "metadata"
>;

/** Arguments of a {@link BucketFolder}. */
export interface BucketFolderArgs extends Pick<BucketObjectArgs, "projectId" | "branchId" | "bucketName"> {
  /** Path of the local folder. A relative path starts at the program's folder. */
  readonly path: string;
  /**
   * Text before the key of each object, such as `v1/`. Two folders with a file of the same path need different ones in
   * one bucket. Default: none. Changing it replaces the objects.
   */
  readonly prefix?: string;
  /** Whether hidden files are uploaded, too: those with a name or a folder that starts with a dot. Default: `false`. */
  readonly includeHiddenFiles?: boolean;
  /** How long browsers and caches keep each object, such as `public, max-age=3600`. Default: none. Updated in place. */
  readonly cacheControl?: pulumi.Input<string>;
  /**
   * Arguments of the object of a file, by its path in the folder, with `/` between folders. `false` leaves the file out.
   * Default: those of all files, and a `contentType` that follows from the extension of the file.
   */
  readonly file?: (path: string) => BucketFileArgs | false | undefined;
  /** Whether objects that exist under the keys are adopted, and overwritten. Default: `false`. */
  readonly adopt?: boolean;
}

const type = "neon:index:BucketFolder";

/**
 * The files of a local folder as objects of a bucket, such as a web site. Each file is a {@link BucketObject}: changed
 * files are uploaded again, and the objects of deleted files are deleted.
 *
 * @example
 * ```ts
 * const at = { projectId: project.id, branchId: project.defaultBranchId };
 * const site = new neon.Bucket("site", { ...at, accessLevel: "public_read" });
 * new neon.BucketFolder("site", {
 *   ...at,
 *   bucketName: site.name,
 *   path: "dist",
 *   file: (path) => ({ cacheControl: path.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache" }),
 * });
 * ```
 */
export class BucketFolder extends pulumi.ComponentResource {
  /** The objects, by the paths of their files in the folder. */
  readonly objects: Readonly<Record<string, BucketObject>>;

  /**
   * @param name Logical name of the component. The objects are named `<name>/<path>`.
   * @param args Arguments of the component.
   * @param opts Pulumi's resource options. The provider applies to all objects.
   */
  constructor(name: string, args: BucketFolderArgs, opts?: pulumi.ComponentResourceOptions) {
    const described = `BucketFolder "${name}"`;
    assertInstalled(described);
    const files = filesOf(described, args);
    super(type, name, {}, opts);
    const { path: folder, prefix = "", projectId, branchId, bucketName, cacheControl, adopt } = args;
    const objects = files.map(({ key, own }) => {
      const object = new BucketObject(
        `${name}/${key}`,
        {
          projectId,
          branchId,
          bucketName,
          key: prefix + key,
          source: new pulumi.asset.FileAsset(path.join(folder, key)),
          ...defined({ contentType: lookup(path.extname(key)), cacheControl, adopt }),
          ...defined(own),
        },
        { parent: this },
      );
      return [key, object] as const;
    });
    this.objects = Object.fromEntries(objects);
    this.registerOutputs({});
  }

  /** Returns whether a value is a `BucketFolder`, also one created by another copy of this package. */
  static override isInstance(value: unknown): value is BucketFolder {
    return isOfType(value, type);
  }
}

interface LocalFile {
  /** Its path in the folder, with `/` between folders. */
  readonly key: string;
  readonly own: BucketFileArgs;
}

/** The files to upload, in the order of their paths. Fails before anything is registered. */
function filesOf(described: string, { path: folder, includeHiddenFiles = false, file }: BucketFolderArgs): LocalFile[] {
  const found = entriesIn(described, folder).flatMap((entry) => {
    const key = keyOf(folder, entry.parentPath, entry.name);
    const isHidden = key.split("/").some((part) => part.startsWith("."));
    if (entry.isDirectory() || (isHidden && !includeHiddenFiles)) return [];
    const own = file?.(key) ?? {};
    if (own === false) return [];
    // The target of a link can be outside of the folder.
    if (!entry.isFile()) {
      const what = entry.isSymbolicLink() ? "a symbolic link" : "not a file";
      throw runError(
        `${described}: ${key} is ${what}. Replace it, or leave it out: \`file\` returns \`false\` for it.`,
      );
    }
    // Node replaces bytes that are no text.
    if (key.includes("\uFFFD") && !existsSync(path.join(folder, key))) {
      throw runError(
        `${described}: the name of ${key} is not valid UTF-8. Rename it, or leave it out: \`file\` returns \`false\` for it.`,
      );
    }
    return [{ key, own }];
  });
  if (found.length === 0) {
    throw runError(
      `${described}: the folder ${folder} has no files to upload. An empty folder would delete all its objects: to do that, remove the component.`,
    );
  }
  return found.sort((one, other) => (one.key < other.key ? -1 : 1));
}

function entriesIn(described: string, folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch (error) {
    throw runError(`${described}: the folder ${folder} cannot be read: ${(error as Error).message}.`);
  }
}

/** The path of a file in a folder, with `/` on every system. */
export function keyOf(folder: string, parent: string, name: string, system = path): string {
  return system.relative(folder, system.join(parent, name)).split(system.sep).join("/");
}

/** The same values without undefined members, which would override others. */
function defined<Values extends object>(values: Values): Defined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };
