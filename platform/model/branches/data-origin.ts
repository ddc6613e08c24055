/** A moment in the history of a branch: just before a log position, or just after all commits up to a time with microseconds. */
export type Moment = { readonly lsn: string } | { readonly time: string };

/** The source of the data of a branch or a snapshot. */
export type DataOrigin =
  | { readonly kind: "empty" }
  | { readonly kind: "snapshot"; readonly id: string }
  | {
      readonly kind: "branch";
      readonly id: string;
      /** Default: the end of the history. */
      readonly moment?: Moment | undefined;
      readonly isSchemaOnly?: boolean | undefined;
      /** The branch that keeps the replaced data. */
      readonly preserved_as?: string | undefined;
    };
