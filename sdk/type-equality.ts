import type * as pulumi from "@pulumi/pulumi";
import type { z } from "zod";

import type { Content } from "../provider/content";

/** Maps the provider's class for files and archives to Pulumi's, which programs use. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- Pulumi's class has no members
type ContentAsInput<Type> = Type extends Content ? pulumi.Unwrap<pulumi.asset.Archive> : Type;

/** A type without the explicit `undefined` of its members. Optional members stay optional. */
type Normal<Type> = Type extends readonly (infer Item)[]
  ? Normal<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Normal<ContentAsInput<Exclude<Type[Key], undefined>>> }
    : Type;

/** A type with every member required, so that a member of only one type makes the two differ. */
type Full<Type> = Type extends readonly (infer Item)[]
  ? Full<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]-?: Full<ContentAsInput<Exclude<Type[Key], undefined>>> }
    : Type;

type Mutual<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** `true` if two types have the same members. Ignores `readonly`. */
export type Same<One, Other> = Mutual<[Normal<One>, Full<One>], [Normal<Other>, Full<Other>]>;

/**
 * `true` if the arguments of a resource class are exactly the inputs that the provider accepts, member by member. The
 * compiler checks this where a file says `true satisfies SameInputs<…>`.
 */
export type SameInputs<Args, Inputs extends () => z.ZodType> = Same<pulumi.Unwrap<Args>, z.infer<ReturnType<Inputs>>>;
