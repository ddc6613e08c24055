import type { Request } from "../../api/core/request";
import { pick, type Values } from "../values";
import { creation } from "./creation";
import { organizationOf } from "./inputs";
import type { KindDefinition } from "./kind";

/** An object that is set instead of created: the same request creates and changes it, no matter who set it before. */
export interface Setting<Inputs, Outputs> {
  /** The input that is set. No other input of the object can change. */
  readonly input: keyof Inputs & keyof Outputs & string;
  /** Further inputs that the request carries. They exist in Pulumi only. Default: none. */
  readonly carries?: readonly (keyof Inputs & string)[];
  readonly request: (wanted: Outputs & Inputs) => Request<object>;
  /** The response is empty, so only a read tells whether a change was performed. */
  readonly silent?: true;
  /** Replaces the error of the creation by one that explains it in terms of the object. */
  readonly explain?: (error: unknown, wanted: Outputs) => unknown;
}

/** The verbs of an object that is set. They detect whether another program has set it since. */
export function settingVerbs<Inputs, Outputs>(
  { input, carries = [], request, silent, explain }: Setting<Inputs, Outputs>,
  {
    noun,
    identifiedBy,
    read,
  }: Pick<KindDefinition<Inputs, Outputs>, "noun" | "identifiedBy"> & {
    readonly read: (...of: Parameters<KindDefinition<Inputs, Outputs>["read"]>) => Promise<Outputs | undefined>;
  },
): Pick<KindDefinition<Inputs, Outputs>, "create" | "update" | "identity"> {
  return {
    create: (inputs, defaults) => {
      const { orgId, ...others } = pick(inputs as Values, [...identifiedBy, input]);
      const isOfOrganization = (identifiedBy as readonly string[]).includes("orgId");
      const wanted = {
        ...(isOfOrganization && { orgId: organizationOf(defaults, orgId as string | undefined) }),
        ...others,
      } as Outputs & Inputs;
      return creation({
        what: `set ${noun}`,
        request: request({ ...wanted, ...pick(inputs as Values, carries) }),
        repeatable: true,
        // The platform would change an existing object without an error.
        overwrites: true,
        outputs: () => wanted,
        explain: (_, error) => explain?.(error, wanted) ?? error,
      });
    },
    update: async (context, state, inputs, changes) => {
      if (!changes.has(input)) return;
      const { [input]: value } = inputs;
      await context.change({
        what: `change ${noun}`,
        request: request({ ...state, ...pick(inputs as Values, carries), [input]: value } as Outputs & Inputs),
        applies: [input],
        done: async () => (await read(context, state))?.[input] === (value as unknown),
        ...(silent && { silent }),
      });
    },
    identity: { by: input, isSetting: true, read: async (context, state) => (await read(context, state))?.[input] },
  };
}
