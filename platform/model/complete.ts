/** All members, each required and never undefined. */
export type Complete<Members> = { [Name in keyof Members]-?: Exclude<Members[Name], undefined> };
