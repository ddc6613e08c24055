import type { TriggerView, ViewOf } from "../../console-server/protocol";
import { ageText, dateText, toneOfStatus } from "../format";
import { Table } from "../parts/layout";
import { Badge } from "../parts/status";
import { useNow } from "../store";
import { BranchHead } from "./branch-head";

/** The triggers of a branch, with their times and their functions. */
export function TriggersPage({ view }: { readonly view: ViewOf<"triggers"> }) {
  const now = useNow();
  const { place, triggers } = view;
  return (
    <>
      <BranchHead place={place} page="triggers" />
      {triggers.length === 0 ? (
        <p class="soft">This branch has no triggers.</p>
      ) : (
        <Table titles={["Trigger", "When", "Invokes", "Next run", "Last invocation", "Last answers"]}>
          {triggers.map((row) => (
            <TriggerRow key={row.id} row={row} path={place.path} now={now} />
          ))}
        </Table>
      )}
    </>
  );
}

function TriggerRow({ row, path, now }: { readonly row: TriggerView; readonly path: string; readonly now: number }) {
  return (
    <tr>
      <th scope="row">
        {row.name} <Badge tone={row.isEnabled ? "good" : "quiet"}>{row.isEnabled ? "enabled" : "disabled"}</Badge>{" "}
        {row.isInherited && <Badge tone="quiet">inherited</Badge>}
      </th>
      <td data-title="When">
        <span class="soft">{row.isSchedule ? "schedule" : "uploads to"}</span> <code>{row.when}</code>
      </td>
      <td data-title="Invokes">
        <a href={`${path}/functions?function=${row.target}`}>{row.target}</a> <code class="soft">{row.path}</code>
      </td>
      <td data-title="Next run" class="soft">
        {row.nextAt === undefined ? "–" : dateText(row.nextAt)}
      </td>
      <td data-title="Last invocation" class="soft" title={row.lastAt === undefined ? undefined : dateText(row.lastAt)}>
        {row.lastAt === undefined ? "never" : ageText(row.lastAt, now)}
        {row.waiting > 0 && `, ${row.waiting} without an answer`}
      </td>
      <td data-title="Last answers">
        {row.results.length === 0 && <span class="soft">none</span>}
        <ul class="plain-list results-list">
          {row.results.map(({ at, status }, index) => (
            <li key={index} title={dateText(at)}>
              <Badge tone={status === null ? "bad" : toneOfStatus(status)}>{String(status ?? "no answer")}</Badge>{" "}
              <span class="soft">{ageText(at, now)}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}
