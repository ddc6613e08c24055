/** An object type whose members that can be `undefined` are optional instead. */
type OmitUndefined<Values> = {
  [Name in keyof Values as undefined extends Values[Name] ? never : Name]: Values[Name];
} & {
  [Name in keyof Values as undefined extends Values[Name] ? Name : never]?: Exclude<Values[Name], undefined>;
};

/** The same object without its members that are `undefined`. */
export function omitUndefined<Values extends object>(values: Values): OmitUndefined<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as OmitUndefined<Values>;
}
