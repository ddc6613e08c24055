import type { Reader } from "../call/collection";
import type { Values } from "../values";

/** The parents whose objects a list holds, as far as it has any. */
export interface Scope {
  readonly orgId?: string;
  readonly projectId?: string;
  readonly branchId?: string;
  readonly databaseName?: string;
  readonly bucketName?: string;
}

/** An object in a list. */
export interface Listed {
  /** The outputs that identify the object below its parents. */
  readonly address: Values;
  readonly createdAt?: string | undefined;
  /** Why a program that declares a whole account omits the object; undefined if it does not. */
  readonly leftOut?: string | undefined;
  /** For a branch only. */
  readonly branch?: BranchFacts;
  /** For a read-write compute only: the outputs by which a branch that declares it is read. */
  readonly compute?: { readonly branchId: string; readonly endpointId: string; readonly host: string };
}

/** The facts that decide which objects of a branch are copies. */
interface BranchFacts {
  readonly name: string;
  readonly parentId: string | undefined;
  /** When the branch received copies of its parent's objects. */
  readonly copiedAt: string;
}

/** How to find the objects of a kind. */
export interface Listing {
  /** The parent of such objects. */
  readonly of: "user" | "organization" | "project" | "branch" | "root branch" | "Neon Auth" | "database" | "bucket";
  /** A new branch has copies of its parent's objects. `reported`: each object reports whether it is still a copy. */
  readonly isCopied?: true | "reported";
  /** Further declarations that make a copy like the original, and why. Continues a sentence. */
  readonly ofCopies?: string;
  /**
   * Lists the objects of a parent; empty if the parent does not exist. Without this, a parent has at most one object,
   * at the parent's own address.
   */
  readonly list?: (reader: Reader, scope: Required<Scope>) => Promise<readonly Listed[]>;
}
