import type { TableDefinition } from "../../storage/table";

export interface UserRow {
  id: string;
  /** In lower case: addresses that differ in case only belong to the same account. */
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

export const userTable: TableDefinition<UserRow> = {
  name: "users",
  public: ["id", "email", "name", "last_name", "login", "image"],
  columns: ["id", "email"],
  indexes: ["email"],
};
