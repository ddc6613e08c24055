import type { StatementResult } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { Badge } from "../parts/status";

/** The rows of a statement. */
export function Grid({ result, number }: { readonly result: StatementResult; readonly number: number }) {
  const { command, rowCount, fields, rows, isCut, milliseconds } = result;
  const numeric = fields.map(({ type }) => /^(int|bigint|smallint|numeric|real|double|oid)/.test(type));
  return (
    <section class="result" aria-label={`Result ${number}`}>
      <p class="result-head">
        <Badge tone="good">{command}</Badge>
        <span>
          {rowCount === null ? "done" : `${rowCount.toLocaleString("en")} ${rowCount === 1 ? "row" : "rows"}`}
          {isCut && `, the first ${rows.length.toLocaleString("en")} are shown`}
        </span>
        <span class="soft">{milliseconds < 1 ? "under 1 ms" : durationText(milliseconds)}</span>
      </p>
      {fields.length > 0 && (
        <div class="grid-box" tabIndex={0} role="region" aria-label={`Rows of result ${number}`}>
          <table class="grid">
            <thead>
              <tr>
                {fields.map(({ name, type }, index) => (
                  <th scope="col" key={index}>
                    {name} <span class="type">{type}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {row.map((value, column) => (
                    <td
                      key={column}
                      title={value ?? undefined}
                      class={value === null ? "null" : numeric[column] ? "number right" : undefined}
                    >
                      {value ?? "null"}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
