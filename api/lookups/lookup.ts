import { z } from "zod";

import type { NeonClient } from "../client";
import { type SnakeCased, snakeKey } from "../core/camel-case";
import { HttpError, invalid } from "../core/errors";
import { lazy } from "../core/lazy";
import { idOfName, nameProblem } from "./name-for-id";

/** The account that a lookup reads from. */
export interface Account {
  readonly client: NeonClient;
  /** Organization to use if the arguments name none. */
  readonly orgId: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The definition of a lookup: the schemas of its arguments and its result, and a function that reads. */
interface Definition<Shape extends z.ZodRawShape, Result extends z.ZodType> {
  /** The arguments by name. */
  readonly args: Shape;
  /** Two arguments of which exactly one is given. */
  readonly oneOf?: readonly [keyof Shape & string, keyof Shape & string];
  /** Pairs of arguments of which at most one is given. */
  readonly exclusive?: readonly (readonly [keyof Shape & string, keyof Shape & string])[];
  /** The result, in camelCase. */
  readonly result: Result;
  /** The name of the member that holds a list result. Pulumi functions return objects only. */
  readonly list?: string;
  /** The resource types whose changes can change the result. Default: the type in the name of the lookup. */
  readonly reads?: readonly string[];
  /**
   * The meaning of an HTTP status for this lookup, with the advice. Replaces the general text for the status; for a 403,
   * follows it.
   */
  readonly explanations?: Readonly<Record<number, string>>;
  /** Reads the result with the member names of the API. Members that are not in the result schema are dropped. */
  readonly read: (account: Account, args: z.infer<z.ZodObject<Shape>>) => Promise<SnakeCased<z.infer<Result>>>;
}

/** A function that reads from an account. */
export interface Lookup<Args extends object = object, Result = unknown> {
  readonly name: string;
  /** Schema of the arguments. It rejects unknown arguments, and empty values of required ones. */
  readonly args: z.ZodObject;
  /** Schema of what {@link Lookup.invoke} returns. */
  readonly answer: z.ZodObject;
  /** The member of the answer that holds the result, if that is a list. */
  readonly list: string | undefined;
  /** Members of the answer that are secret. */
  readonly secrets: readonly string[];
  /** The resource types whose changes can change the result. */
  readonly reads: readonly string[];
  /**
   * The problem with required arguments that are empty, or with arguments that conflict. Arguments may be empty despite
   * their type, and Neon would return something else without them. The form of ids is not checked, because mocks use
   * any form.
   */
  argumentProblem(args: object): string | undefined;
  /** Reads the result. Fails if there is an {@link Lookup.argumentProblem}, or an id that Neon never assigns. */
  read(account: Account, args: Args): Promise<Result>;
  /** Reads the result as an object. A list becomes its only member. */
  invoke(account: Account, args: Args): Promise<Members>;
}

/** Creates a lookup. Its definition is built when the lookup is first used. */
export function lookup<const Name extends string, Shape extends z.ZodRawShape, Result extends z.ZodType>(
  name: Name,
  define: () => Definition<Shape, Result>,
) {
  const defined = lazy(() => lookupOf(name, define()));
  type Defined = ReturnType<typeof lookupOf<Shape, Result>>;
  return {
    name,
    get args(): Defined["args"] {
      return defined().args;
    },
    get answer(): Defined["answer"] {
      return defined().answer;
    },
    get list(): string | undefined {
      return defined().list;
    },
    get secrets(): readonly string[] {
      return defined().secrets;
    },
    get reads(): readonly string[] {
      return defined().reads;
    },
    argumentProblem: (args: object): string | undefined => defined().argumentProblem(args),
    read: (account: Account, args: z.infer<z.ZodObject<Shape>>): Promise<z.infer<Result>> =>
      defined().read(account, args),
    invoke: (account: Account, args: z.infer<z.ZodObject<Shape>>): Promise<Members> => defined().invoke(account, args),
  };
}

function lookupOf<Shape extends z.ZodRawShape, Result extends z.ZodType>(
  name: string,
  { args: shape, result, list, reads = [subjectOf(name)], explanations = {}, ...definition }: Definition<Shape, Result>,
) {
  const conflictIn = (args: object): string | undefined => {
    const { oneOf, exclusive = [] } = definition;
    const isGiven = (argument: string): boolean => valueOf(args, argument) !== undefined;
    if (oneOf !== undefined && oneOf.filter(isGiven).length !== 1) {
      return `${name} takes either \`${oneOf[0]}\` or \`${oneOf[1]}\`.`;
    }
    const both = exclusive.find((pair) => pair.every(isGiven));
    return both === undefined ? undefined : `${name} takes either \`${both[0]}\` or \`${both[1]}\`, not both.`;
  };
  /** The problem with an argument's text, such as an id that Neon never assigns. */
  const unusableText = (args: object): string | undefined => {
    for (const [argument, schema] of Object.entries(shape)) {
      const value = valueOf(args, argument);
      const texts = [value].flat().filter((one) => typeof one === "string");
      const issue = texts.length === 0 ? undefined : (schema as z.ZodType).safeParse(value).error?.issues[0];
      if (issue === undefined) continue;
      return `${name}: \`${argument}\` ${texts.includes("") ? "must not be empty" : issue.message}.`;
    }
    return undefined;
  };
  /** The problem with an argument that holds a name instead of an id, with the id if one read finds it. */
  const declaredName = async ({ client, orgId }: Account, args: object): Promise<string | undefined> => {
    for (const argument of Object.keys(shape)) {
      const value = valueOf(args, argument);
      const reason = typeof value === "string" ? nameProblem(argument, value) : undefined;
      if (reason === undefined) continue;
      const found = await idOfName(client, argument, String(value), { projectId: valueOf(args, "projectId"), orgId });
      return `${name}: \`${argument}\` ${[reason, ...(found === undefined ? [] : [found])].join(". ")}.`;
    }
    return undefined;
  };
  const required = Object.keys(shape).filter((argument) => !(shape[argument] instanceof z.ZodOptional));
  const argumentProblem = (args: object): string | undefined => {
    const empty = required.filter((argument) => !isName(valueOf(args, argument)));
    return empty.length === 0 ? conflictIn(args) : `${name} needs ${listed(empty)}.`;
  };
  const read = async (account: Account, args: z.infer<z.ZodObject<Shape>>): Promise<z.infer<Result>> => {
    const problem = argumentProblem(args) ?? (await declaredName(account, args)) ?? unusableText(args);
    if (problem !== undefined) throw invalid(problem);
    try {
      return membersOf(result, await definition.read(account, args)) as z.infer<Result>;
    } catch (error) {
      const explanation = HttpError.isInstance(error) ? explanations[error.status] : undefined;
      if (explanation === undefined) throw error;
      const { status, message, summary } = error as HttpError;
      throw invalid(status === 403 ? message : summary, { fix: explanation, cause: error });
    }
  };
  return {
    args: z
      .strictObject(shape)
      .superRefine((args, context) => {
        const message = conflictIn(args);
        if (message !== undefined) context.addIssue({ code: "custom", message });
      })
      .describe(
        definition.oneOf === undefined ? "" : `Exactly one of \`${definition.oneOf.join("` and `")}\` is required.`,
      ),
    answer: list === undefined ? (result as unknown as z.ZodObject) : z.strictObject({ [list]: result }),
    list,
    secrets: secretsIn(result),
    reads,
    argumentProblem,
    read,
    invoke: async (account: Account, args: z.infer<z.ZodObject<Shape>>): Promise<Members> => {
      const found = await read(account, args);
      return list === undefined ? (found as Members) : { [list]: found };
    },
  };
}

/**
 * Picks the members of a wire value that are in its schema, with names in camelCase. Other members are dropped: nothing
 * documents them, and some are counters that change on their own.
 */
function membersOf(schema: unknown, wire: unknown): unknown {
  if (schema instanceof z.ZodOptional) return membersOf(schema.unwrap(), wire);
  if (schema instanceof z.ZodArray) return (wire as readonly unknown[]).map((item) => membersOf(schema.element, item));
  if (!(schema instanceof z.ZodObject)) return wire;
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const value = valueOf(wire as object, snakeKey(name));
    return [name, value === undefined ? undefined : membersOf(member, value)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function secretsIn(result: z.ZodType): readonly string[] {
  const members = result instanceof z.ZodObject ? (result.shape as Readonly<Record<string, z.ZodType>>) : {};
  return Object.entries(members).flatMap(([name, member]) => (member.meta()?.secret === true ? [name] : []));
}

/** The subject of a lookup's name, in singular: `Branch` for `getBranches`. */
function subjectOf(name: string): string {
  return name
    .replace(/^get/, "")
    .replace(/ies$/, "y")
    .replace(/(ch|ss)es$/, "$1")
    .replace(/([^s])s$/, "$1");
}

/** Lists names as part of a sentence. */
function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter(Boolean).join(" and ");
}

/** Whether a required argument has a value. All required arguments are ids or names. */
function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function valueOf(object: object, member: string): unknown {
  return (object as Members)[member];
}
