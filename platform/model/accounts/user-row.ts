import type { RowTable } from "../containment";

export interface UserRow {
  id: string;
  /** In lower case, because addresses that differ only in case belong to the same account. */
  email: string;
  name: string;
  last_name: string;
  login: string;
  image: string;
}

/** The creator of an object. */
export interface Author {
  readonly name: string;
  readonly image: string;
}

export const userTable: RowTable<UserRow> = {
  name: "users",
  within: "platform",
  indexes: ["email"],
};
