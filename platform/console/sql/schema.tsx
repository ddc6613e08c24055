import { useState } from "preact/hooks";

import { Search } from "../parts/fields";
import { Problem } from "../parts/layout";
import { Badge } from "../parts/status";

/** The tables of a database, as `GET /local/schema` returns them. */
export interface Schema {
  readonly json: { readonly tables: readonly SchemaTable[] };
}

interface SchemaTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable?: boolean }[];
  readonly constraints?: readonly { readonly type: string; readonly columns: readonly string[] }[];
}

/** The tables for the editor's completion: by name in `public`, otherwise with their schema. */
export function completions(tables: readonly SchemaTable[]): Record<string, string[]> {
  return Object.fromEntries(
    tables.map(({ schema, name, columns }) => [
      schema === "public" ? name : `${schema}.${name}`,
      columns.map((column) => column.name),
    ]),
  );
}

/** The tables of a database with their columns. */
export function SchemaBrowser({
  tables,
  problem,
  onInsert,
}: {
  readonly tables: readonly SchemaTable[] | undefined;
  readonly problem: string | undefined;
  readonly onInsert: (sql: string) => void;
}) {
  const [search, setSearch] = useState("");
  const shown = (tables ?? []).filter(({ schema, name }) => `${schema}.${name}`.includes(search.toLowerCase()));
  return (
    <section class="schema" aria-label="Schema">
      <div class="section-head">
        <h2>Tables</h2>
        <span class="soft number">{tables?.length ?? ""}</span>
      </div>
      {(tables?.length ?? 0) > 8 && (
        <Search label="Search tables" placeholder="Search tables" value={search} onSearch={setSearch} />
      )}
      <Problem text={problem} />
      {tables === undefined && problem === undefined && <p class="soft">Loading…</p>}
      {tables?.length === 0 && <p class="soft">This database has no tables yet.</p>}
      {shown.map((table) => (
        <details key={`${table.schema}.${table.name}`}>
          <summary>
            <span class="mono">{table.schema === "public" ? table.name : `${table.schema}.${table.name}`}</span>
          </summary>
          <ul>
            {table.columns.map((column) => (
              <li key={column.name}>
                <span class="mono">{column.name}</span>
                <span class="soft"> {column.type}</span>
                {isKey(table, column.name) && <Badge tone="accent">key</Badge>}
              </li>
            ))}
          </ul>
          <button type="button" class="button small" onClick={() => onInsert(selectFrom(table))}>
            Select rows
          </button>
        </details>
      ))}
    </section>
  );
}

const isKey = ({ constraints = [] }: SchemaTable, column: string): boolean =>
  constraints.some(({ type, columns }) => /primary/i.test(type) && columns.includes(column));

const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

const selectFrom = ({ schema, name }: SchemaTable): string =>
  `select * from ${schema === "public" ? "" : `${quoted(schema)}.`}${quoted(name)} limit 100;`;
