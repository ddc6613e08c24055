import type { Context } from "../call/context";
import type { Deletion } from "../call/delete-object";
import { segmentsOf } from "./id";
import { defineKind, type Kind, type KindDefinition } from "./kind";
import type { Listing } from "./listing";
import type { Recreated } from "./options";
import { type Setting, settingVerbs } from "./setting";

/** A kind with one way of finding an object, from which reading and deleting are derived. */
export type FoundKind<Item, Inputs, Outputs> = Omit<
  KindDefinition<Inputs, Outputs>,
  "create" | "update" | "read" | "remove" | "identity" | "namesakes" | "listing"
> & {
  /** The outputs of an item. `state` has those that the platform does not report. */
  readonly outputsOf: (item: Item, state: Partial<Outputs>) => Outputs;
  /** Only if a read needs more than the item. */
  readonly read?: KindDefinition<Inputs, Outputs>["read"];
} & (
    | { readonly setting: Setting<Inputs, Outputs>; readonly identity?: never }
    | (Pick<KindDefinition<Inputs, Outputs>, "create" | "update"> & {
        readonly setting?: never;
        /** By default, the output is read in the way in which the object is found. */
        readonly identity?: Omit<Recreated<Outputs>, "read"> & Partial<Pick<Recreated<Outputs>, "read">>;
      })
  ) &
  (
    | Pick<KindDefinition<Inputs, Outputs>, "remove">
    /** The request that deletes an object. Default of `what` and `object`: the noun, with the last segment of the id. */
    | {
        readonly deletion: (
          state: Outputs,
          context: Context,
        ) => Pick<Deletion<object>, "request"> & Partial<Omit<Deletion<object>, "exists">>;
      }
  );

/** A kind of which each parent has at most one object, without an id of its own. */
type SingletonKind<Item, Inputs, Outputs> = FoundKind<Item, Inputs, Outputs> &
  Pick<KindDefinition<Inputs, Outputs>, "namesakes"> & {
    /** Finds the object at this address; undefined if it does not exist. */
    readonly find: (context: Context, state: Partial<Outputs>) => Promise<Item | undefined>;
    readonly listing?: Partial<Listing>;
  };

/** Defines a kind by a way to find its objects. */
export function singletonKind<Item, Inputs, Outputs>(
  definition: SingletonKind<Item, Inputs, Outputs>,
): Kind<Inputs, Outputs> {
  const { find, outputsOf, listing, identity, ...own } = definition;
  const read = async (context: Context, state: Partial<Outputs>): Promise<Outputs | undefined> => {
    const found = await find(context, state);
    return found === undefined ? undefined : outputsOf(found, state);
  };
  const verbs =
    definition.setting === undefined
      ? {
          create: definition.create,
          ...(identity && {
            identity: {
              read: async (context: Context, state: Outputs) => (await read(context, state))?.[identity.by],
              ...identity,
            },
          }),
        }
      : settingVerbs(definition.setting, { ...own, read });
  const kind: Kind<Inputs, Outputs> = defineKind<Inputs, Outputs>({
    read,
    remove: async (context, state) => {
      if (!("deletion" in definition)) return definition.remove(context, state);
      await context.delete({
        what: `delete ${own.noun}`,
        object: `${own.noun} ${segmentsOf(kind.id(state)).at(-1) ?? ""}`,
        exists: async () => (await find(context, state)) !== undefined,
        ...definition.deletion(state, context),
      });
    },
    ...own,
    ...verbs,
    listing: { of: parentOf(own.identifiedBy), ...listing },
  });
  return kind;
}

function parentOf(names: readonly string[]): Listing["of"] {
  if (names.includes("bucketName")) return "bucket";
  if (names.includes("databaseName")) return "database";
  if (names.includes("branchId")) return "branch";
  return names.includes("projectId") ? "project" : "organization";
}
