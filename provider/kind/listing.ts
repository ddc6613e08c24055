import type { Reader } from "../call/collection";
import type { Values } from "../values";

/** Whose objects a list holds: ids of the parents, as far as the list has any. */
export interface Scope {
  readonly orgId?: string;
  readonly projectId?: string;
  readonly branchId?: string;
  readonly databaseName?: string;
  readonly bucketName?: string;
}

/** An object in a list. */
export interface Listed {
  /** What names it below its parents, as outputs. */
  readonly address: Values;
  readonly createdAt?: string | undefined;
  /** Why a program that declares the account does not declare it, if so. */
  readonly leftOut?: string | undefined;
  /** Of a branch. */
  readonly branch?: BranchFacts;
  /** Of a read-write compute: what a branch with it is read by. */
  readonly compute?: { readonly branchId: string; readonly endpointId: string; readonly host: string };
}

/** What decides which objects of a branch are copies. */
interface BranchFacts {
  readonly name: string;
  readonly parentId: string | undefined;
  /** When it received the objects of its parent. */
  readonly copiedAt: string;
}

/** How the objects of a kind are found. */
export interface Listing {
  /** What has such objects. */
  readonly of: "user" | "organization" | "project" | "branch" | "root branch" | "Neon Auth" | "database" | "bucket";
  /** A new branch has a copy of those of its parent. `reported`: an object itself tells whether it is one still. */
  readonly isCopied?: true | "reported";
  /** What else to declare for a copy to be like the original, and why. It continues a sentence. */
  readonly ofCopies?: string;
  /** The objects of a parent, none if it does not exist. Without a list, there is one or none at the parent's address. */
  readonly list?: (reader: Reader, scope: Required<Scope>) => Promise<readonly Listed[]>;
}
