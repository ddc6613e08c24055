import type { Collection } from "../call/collection";
import type { Context } from "../call/context";
import { deleteObject, type Deletion } from "../call/delete-object";
import type { Search } from "../call/lists";
import { every } from "../call/page-reader";
import type { Values } from "../values";
import { ruleFor, same } from "./field-rules";
import { segmentsOf } from "./id";
import { type IdentityRule, type Kind, namesakes } from "./kind";
import type { Listing } from "./listing";

/** A kind whose objects are in a list of the platform, as it is declared: what reads, finds, lists and deletes them is derived. */
type ListedKind<Item, Inputs, Outputs> = Omit<
  Kind<Inputs, Outputs>,
  "read" | "remove" | "namesakes" | "identity" | "listing"
> & {
  /** The list that holds the objects with these parents. Its key is the last segment of {@link Kind.id}. */
  readonly collection: (parents: Partial<Outputs>) => Collection<Item>;
  /** A part of the list that holds the object with these inputs, if the platform can search for it. */
  readonly alone?: (inputs: Partial<Outputs>) => Search<Item>["alone"];
  /** What is known of an item; `state` has what the list does not say. */
  readonly outputsOf: (item: Item, state: Partial<Outputs>) => Outputs;
  /** If more than the list has to be read. */
  readonly read?: Kind<Inputs, Outputs>["read"];
  /** Nothing tells several objects of one name apart. `isLost`: whether an item can be one whose only secret is lost. */
  readonly vague?: { readonly isLost: (item: Item) => boolean };
  /** By default, it is read in the list. */
  readonly identity?: Omit<IdentityRule<Outputs>, "read"> & Partial<Pick<IdentityRule<Outputs>, "read">>;
  readonly listing?: Partial<Pick<Listing, "of" | "isCopied" | "ofCopies">> & ListedItem<Item>;
} & (
    | Pick<Kind<Inputs, Outputs>, "remove">
    /** The request that deletes an object. Whether it is there still, its list says. */
    | { readonly deletion: (state: Outputs) => Omit<Deletion<object>, "exists" | "project"> }
  );

interface ListedItem<Item> {
  /** Why a program that declares the account does not declare it, if so. */
  readonly leftOut?: (item: Item) => string | undefined;
}

/** The kind that a declaration with a collection means. */
export function listedKind<Item, Inputs, Outputs>(declared: ListedKind<Item, Inputs, Outputs>): Kind<Inputs, Outputs> {
  const { collection, alone, outputsOf, vague, identity, listing = {}, ...own } = declared;
  const { addressNames, uniqueBy, rules } = own;
  const key = addressNames.at(-1) as keyof Outputs & string;
  const { leftOut, of = parentKindOf(addressNames), ...copied } = listing;
  const find = async (context: Context, state: Partial<Outputs>): Promise<Outputs | undefined> => {
    const found = await context.readOne(collection(state), segmentsOf(own.id(state)).at(-1) ?? "");
    return found && outputsOf(found, state);
  };
  return {
    read: find,
    remove: async (context, state) => {
      if (!("deletion" in declared)) return declared.remove(context, state);
      const { projectId: project } = state as { readonly projectId?: string };
      const exists = async (): Promise<boolean> => (await find(context, state)) !== undefined;
      await deleteObject(context, { ...declared.deletion(state), project, exists });
    },
    ...own,
    ...(identity && {
      identity: { read: async (context, state) => (await find(context, state))?.[identity.by], ...identity },
    }),
    namesakes: (_, inputs) => {
      const wanted = inputs as Values;
      const names = uniqueBy.length > 0 ? uniqueBy : ["name"];
      return namesakes<Item, Outputs>({
        collection: collection(wanted as Partial<Outputs>),
        matches: (item) => {
          const found = outputsOf(item, wanted as Partial<Outputs>) as Values;
          const isNamed = names.every((name) => same(ruleFor(rules, name), found[name], wanted[name]));
          return isNamed && (vague === undefined || vague.isLost(item));
        },
        outputs: (item) => outputsOf(item, wanted as Partial<Outputs>),
        alone: alone?.(wanted as Partial<Outputs>),
      });
    },
    listing: {
      of,
      ...copied,
      list: async (reader, scope) => {
        const parents = scope as unknown as Partial<Outputs>;
        const items = await every(collection(parents).pages(reader));
        return items.map((item) => {
          const found = outputsOf(item, parents) as Values;
          return {
            address: { [key]: found[key] },
            createdAt: found["createdAt"] as string | undefined,
            leftOut: leftOut?.(item),
          };
        });
      },
    },
  };
}

function parentKindOf(addressNames: readonly string[]): Listing["of"] {
  if (addressNames.includes("bucketName")) return "bucket";
  if (addressNames.includes("branchId")) return "branch";
  return addressNames.includes("projectId") ? "project" : "organization";
}
