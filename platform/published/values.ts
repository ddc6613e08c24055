import { z } from "zod";

import { memberRules, type Rule } from "./rules";

/** An id that the platform has assigned. */
export const id = z.string().regex(/^[a-z0-9-]{1,60}$/, "must be an id of lower-case letters, digits and dashes");

/** A timestamp with a time zone. */
export const instant = z.iso.datetime({
  offset: true,
  error: 'must be an ISO 8601 timestamp with a time zone, such as "2030-01-31T12:00:00Z"',
});

export const email = z.email("must be an e-mail address");

/** No whitespace, which URL parsers remove: the platform would return another text than it got. */
export const uri = z
  .string()
  .refine(
    (text) => !/[\s\p{Cc}]/u.test(text) && URL.canParse(text),
    'must be a URI with its scheme, such as "https://shop.example.com"',
  );

/** A map of names that the client chooses. */
export const mapOf = <Value extends z.ZodType>(value: Value, max = Infinity) =>
  z.record(z.string(), value).refine((map) => Object.keys(map).length <= max, `must not have more than ${max} members`);

/** A whole number in a query. */
export const wholeNumber = (min: number, max = Infinity) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`);

const trueTexts: readonly string[] = ["1", "t", "T", "TRUE", "true", "True"];
const falseTexts: readonly string[] = ["0", "f", "F", "FALSE", "false", "False"];

/** A boolean in a query, in any of the spellings that Go's `strconv.ParseBool` accepts. */
export const flag = z.enum([...trueTexts, ...falseTexts]).transform((value) => trueTexts.includes(value));

/** A list in a query: values with commas between them. */
export const listOf = <Item extends z.ZodType<string, string>>(item: Item, min = 0, max = 100) =>
  z
    .string()
    .transform((text) => text.split(",").filter((one) => one !== ""))
    .pipe(z.array(item).min(min).max(max));

/**
 * An object whose members follow the rules of `rules.ts`, too. Members that it does not name are ignored, as the service
 * ignores them (docs/internals/decisions/0021-checks-from-the-document.md).
 */
export function object<Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape): z.ZodObject<Shape> {
  const members = Object.entries(shape as Readonly<Record<string, z.ZodType>>).map(([member, schema]) => {
    const rule = memberRules[`${name}.${member}`] ?? memberRules[member];
    return [member, rule === undefined ? schema : withRule(schema, rule)] as const;
  });
  const rule = memberRules[name];
  const made = z.object(Object.fromEntries(members) as Shape);
  return rule === undefined ? made : withRule(made, rule);
}

function withRule<Schema extends z.ZodType>(schema: Schema, rule: Rule): Schema {
  return schema.superRefine((value, context) => {
    const found = value === undefined || value === null ? undefined : rule(value as never);
    if (found === undefined) return;
    const { member, problem: message } = typeof found === "string" ? { member: undefined, problem: found } : found;
    // The rule of an object is for one whose members follow theirs.
    context.addIssue({ code: "custom", path: member === undefined ? [] : [member], message, continue: false });
  });
}
