/** The types of the answers in the vendor's documents. Only the compiler needs the package. */
export type * as vendor from "@neon/sdk/raw" with { "resolution-mode": "import" };

/** An answer of a published type. What the type says may be missing may be `undefined`, which JSON leaves out. */
export type Answer<Type> = Type extends readonly (infer Item)[]
  ? readonly Answer<Item>[]
  : Type extends object
    ? {
        readonly [Name in keyof Type]: Answer<Type[Name]> | (undefined extends Type[Name] ? undefined : never);
      }
    : Type;

/** The members of a published type that a row has, because they are returned as they are stored. */
export type Stored<Type extends object, Names extends readonly (keyof Type)[]> = Pick<Answer<Type>, Names[number]>;
