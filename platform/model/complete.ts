/** All members, and none of them undefined. */
export type Complete<Members> = { [Name in keyof Members]-?: Exclude<Members[Name], undefined> };
