import type * as pulumi from "@pulumi/pulumi";

/** A type with optional members as they are, and without the `undefined` that some of them allow besides. */
type Normal<Type> = Type extends readonly (infer Item)[]
  ? Normal<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]: Normal<Exclude<Type[Key], undefined>> }
    : Type;

/** The same with every member required, so that one that only one side has makes a difference. */
type Full<Type> = Type extends readonly (infer Item)[]
  ? Full<Item>[]
  : Type extends object
    ? { -readonly [Key in keyof Type]-?: Full<Exclude<Type[Key], undefined>> }
    : Type;

type Mutual<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/**
 * `true` if what a program writes for a resource is exactly what the provider accepts, member by member. Assigning
 * `true` to it makes the compiler hold the two together.
 */
export type SameInputs<Args, Inputs> = Mutual<
  [Normal<pulumi.Unwrap<Args>>, Full<pulumi.Unwrap<Args>>],
  [Normal<Inputs>, Full<Inputs>]
>;

/** `true` if these are exactly the names of the members. */
export type SameNames<Names extends PropertyKey, Type> = Mutual<Names, keyof Type>;
