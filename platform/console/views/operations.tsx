import { useEffect, useRef, useState } from "preact/hooks";

import type { OperationView } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { ask } from "../api";
import { actionText, clockText, dateText, toneOf } from "../format";
import { newestOperations } from "../merge";
import { Search, Select } from "../parts/fields";
import { Callout, Code, Head, Pairs } from "../parts/layout";
import { Badge, DurationBar } from "../parts/status";
import { VirtualList } from "../parts/virtual-list";
import { useNow, useStore } from "../store";

const tickMs = 200;
const rowHeight = 40;
/** The rows of a full list, which are more than a screen has. */
const fullList = 60;

/** All operations, as they happen. */
export function OperationsPage() {
  const { state } = useStore();
  const [project, setProject] = useState("");
  const [action, setAction] = useState("");
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<string>();
  const { earlier, more } = useEarlier(state.operations, project, action);
  const all = newestOperations([...earlier, ...state.operations]);
  const rows = all.filter(
    (row) =>
      (project === "" || row.projectId === project) &&
      (action === "" || row.action === action) &&
      `${row.action} ${actionText(row.action)} ${row.branch ?? ""} ${row.project} ${row.id} ${row.computeId ?? ""} ${row.label}`
        .toLowerCase()
        .includes(search.toLowerCase()),
  );
  const inProgress = all.filter(({ isEnded }) => !isEnded).length;
  const failed = all.filter(({ label }) => label === "Error").length;
  const now = useNow(inProgress > 0 ? tickMs : 0);
  const longest = Math.max(1, ...rows.slice(0, 200).map(({ milliseconds }) => milliseconds));
  const actions = [...new Set(all.map((row) => row.action))].sort();
  const selected = rows.find(({ id }) => id === opened);
  // A search goes on until the list is full, or all operations are read.
  useEffect(() => {
    if (rows.length < fullList) more();
  }, [earlier, rows.length]);
  return (
    <>
      <Head
        title="Operations"
        about={`${inProgress} in progress, ${failed} failed of the latest ${all.length.toLocaleString("en")}`}
      >
        <Select
          label="Project"
          value={project}
          options={[["", "All projects"], ...state.projects.map(({ id, name }) => [id, name] as const)]}
          onChange={setProject}
        />
        <Select
          label="Action"
          value={action}
          options={[["", "All actions"], ...actions.map((one) => [one, actionText(one)] as const)]}
          onChange={setAction}
        />
        <Search label="Search operations" value={search} onSearch={setSearch} />
      </Head>
      {selected && <OperationDetail operation={selected} onClose={() => setOpened(undefined)} />}
      <VirtualList
        class="operation-list"
        label="Operations"
        role="grid"
        columns={["Operation", "Status", "Duration", "Branch", "Project", "Time"]}
        rows={rows}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        selected={opened}
        empty={
          all.length === 0
            ? "No operations yet. Each change of a project starts some."
            : "No operation matches the search and the choices above."
        }
        onOpen={({ id }) => setOpened(id)}
        onEnd={more}
        cells={(operation) => (
          <>
            <span role="gridcell" class="strong cut" title={actionText(operation.action)}>
              {actionText(operation.action)}
            </span>
            <span role="gridcell">
              <Badge tone={toneOf(operation.label)}>{operation.label}</Badge>
            </span>
            <span role="gridcell">
              <DurationBar operation={operation} longest={longest} now={now} />
            </span>
            <span role="gridcell" class="cut">
              {operation.branch ?? "–"}
            </span>
            <span role="gridcell" class="cut soft">
              {operation.project}
            </span>
            <span role="gridcell" class="soft number">
              {clockText(operation.createdAt)}
            </span>
          </>
        )}
      />
    </>
  );
}

function OperationDetail({ operation, onClose }: { readonly operation: OperationView; readonly onClose: () => void }) {
  return (
    <Callout label="Operation" tone={toneOf(operation.label)} title={actionText(operation.action)} onClose={onClose}>
      {operation.error !== undefined && <p class="problem">{operation.error}</p>}
      <Pairs
        facts={[
          ["Id", <Code>{operation.id}</Code>],
          ["Status", operation.status],
          ["Branch", `${operation.branch ?? "none"} of ${operation.project}`],
          ["Compute", operation.computeId === undefined ? "none" : <Code>{operation.computeId}</Code>],
          ["Created", `${dateText(operation.createdAt)} (${clockText(operation.createdAt)})`],
          ["Started after", operation.startedAt && durationText(operation.startedAt - operation.createdAt)],
        ]}
      />
    </Callout>
  );
}

/** Operations that are older than those of the page. They are read when the end of the list comes into sight. */
function useEarlier(shown: readonly OperationView[], project: string, action: string) {
  const filter = JSON.stringify({ project, action });
  // Another filter begins again, because the operations in between were not read.
  const [read, setRead] = useState<EarlierOperations>({ filter, rows: [], isAll: false });
  const { rows: earlier, isAll } = read.filter === filter ? read : { rows: [], isAll: false };
  const reading = useRef<string>(undefined);
  const more = (): void => {
    if (reading.current === filter || isAll) return;
    const oldest = Math.min(...[...shown, ...earlier].map(({ createdAt }) => createdAt));
    if (!Number.isFinite(oldest)) return;
    reading.current = filter;
    const query = new URLSearchParams({ before: String(oldest) });
    if (project !== "") query.set("project", project);
    if (action !== "") query.set("action", action);
    ask<{ readonly operations: readonly OperationView[] }>("GET", `/console/operations?${query.toString()}`)
      .then(({ operations }) => {
        if (reading.current !== filter) return;
        reading.current = undefined;
        setRead({ filter, rows: [...earlier, ...operations], isAll: operations.length === 0 });
      })
      .catch(() => {
        if (reading.current === filter) reading.current = undefined;
      });
  };
  return { earlier, more };
}

/** The earlier operations that were read with a filter. */
interface EarlierOperations {
  readonly filter: string;
  readonly rows: readonly OperationView[];
  /** Whether there are no earlier operations. */
  readonly isAll: boolean;
}
