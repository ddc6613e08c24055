import { type Collection, every } from "../call/collection";
import type { Search } from "../call/lists";
import type { Values } from "../values";
import { ruleFor, same } from "./field-rules";
import { segmentsOf } from "./id";
import type { Kind } from "./kind";
import type { Listing } from "./listing";
import { namesakes } from "./options";
import { type FoundKind, singletonKind } from "./singleton-kind";

/** A kind whose objects the platform lists. How to read, find, list and delete them is derived from the list. */
type ListedKind<Item, Inputs, Outputs> = FoundKind<Item, Inputs, Outputs> & {
  /** The list of the objects with these parents. Its key is the last segment of {@link Kind.id}. */
  readonly collection: (parents: Partial<Outputs>) => Collection<Item>;
  /** The part of the list that can hold the object with these inputs, if the platform supports a search for it. */
  readonly alone?: (inputs: Partial<Outputs>) => Search<Item>["alone"];
  /**
   * Set if objects of the same name cannot be told apart. `isLost`: whether an item can be an object whose only secret
   * is lost.
   */
  readonly vague?: { readonly isLost: (item: Item) => boolean };
  readonly listing?: Partial<Pick<Listing, "of" | "isCopied" | "ofCopies">> & {
    /** Why a program that declares a whole account omits the object; undefined if it does not. */
    readonly leftOut?: (item: Item) => string | undefined;
  };
};

/** Defines a kind by the list that holds its objects. */
export function listedKind<Item, Inputs, Outputs>(
  definition: ListedKind<Item, Inputs, Outputs>,
): Kind<Inputs, Outputs> {
  const { collection, alone, vague, listing = {}, ...own } = definition;
  const { outputsOf, identifiedBy: names } = own;
  const key = names.at(-1) as keyof Outputs & string;
  const { leftOut, ...copied } = listing;
  const kind: Kind<Inputs, Outputs> = singletonKind<Item, Inputs, Outputs>({
    ...own,
    find: (context, state) => context.readOne(collection(state), segmentsOf(kind.id(state)).at(-1) ?? ""),
    namesakes: (_, inputs) => {
      const wanted = inputs as Values;
      const parents = wanted as Partial<Outputs>;
      const unique = kind.uniqueBy.length > 0 ? kind.uniqueBy : ["name"];
      return namesakes<Item, Outputs>({
        collection: collection(parents),
        matches: (item) => {
          const found = outputsOf(item, parents) as Values;
          const isNamed = unique.every((name) => same(ruleFor(kind.rules, name), found[name], wanted[name]));
          return isNamed && (vague === undefined || vague.isLost(item));
        },
        outputs: (item) => outputsOf(item, parents),
        alone: alone?.(parents),
      });
    },
    listing: {
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
  });
  return kind;
}
