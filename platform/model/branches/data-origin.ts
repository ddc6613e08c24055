/** A moment in the history of a branch: before a log position, or after the commits up to a time with microseconds. */
export type Moment = { readonly lsn: string } | { readonly time: string };

/** What the data of a branch or a snapshot is built from. */
export type DataOrigin =
  | { readonly kind: "empty" }
  | { readonly kind: "snapshot"; readonly id: string }
  | {
      readonly kind: "branch";
      readonly id: string;
      /** Default: the end of the history. */
      readonly moment?: Moment | undefined;
      readonly isSchemaOnly?: boolean | undefined;
      /** The branch that keeps the data which is replaced. */
      readonly preserved_as?: string | undefined;
    };
