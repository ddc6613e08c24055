import { useEffect, useState } from "preact/hooks";

import type { ViewOf } from "../../console-server/protocol";
import type { Run, Span } from "../../pulumi-run/run";
import { durationText } from "../../pulumi-run/scale";
import { ratio, timelineSvg } from "../../pulumi-run/svg";
import { after } from "../clock";
import { clockText, dateText } from "../format";
import { go } from "../navigate";
import { Select } from "../parts/fields";
import { Head, Table } from "../parts/layout";
import { Badge } from "../parts/status";
import { useStore } from "../store";
import { FirstRun } from "./first-run";
import { Chart, type Range } from "./timeline-chart";

/** The runs of Pulumi, and where the time of one of them went. */
export function TimelinePage({ view }: { readonly view: ViewOf<"timeline"> }) {
  const store = useStore();
  const { runs, run } = view;
  if (!run) {
    return (
      <FirstRun title="No runs yet">
        Run Pulumi against this platform. Each run appears here, with the time that every resource took.
      </FirstRun>
    );
  }
  return (
    <>
      <Head title={run.title} about={`${dateText(run.from)} · ${run.agent}`}>
        <Select
          label="Run"
          value={run.id}
          options={runs.map(({ id, from, title, totals }) => [
            id,
            `${clockText(from).slice(0, 8)} · ${title} · ${durationText(totals.wallMs)}`,
          ])}
          onChange={(id) => void go(store, `/timeline/${id}`)}
        />
        <button type="button" class="button" onClick={() => save(timelineSvg(run), "image/svg+xml", `${run.id}.svg`)}>
          SVG
        </button>
      </Head>
      <Totals run={run} />
      <RunChart key={run.id} run={run} />
      <Steps run={run} />
    </>
  );
}

function Totals({ run: { totals } }: { readonly run: Run }) {
  const figures: readonly (readonly [string, string, string])[] = [
    ["In all", durationText(totals.wallMs), ""],
    [
      "Operations",
      totals.operations === 0 ? "None" : durationText(totals.operationMs),
      totals.operations === 0 ? "" : `${totals.operations}, ${ratio(totals.operationMs, totals.wallMs)} of the time`,
    ],
    ["Waited", durationText(totals.waitMs), "all objects together, for the project or the rate limit"],
    ["Requests", String(totals.requests), totals.failures === 1 ? "1 step failed" : `${totals.failures} steps failed`],
  ];
  return (
    <dl class="figures wide">
      {figures.map(([title, value, more]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
          {more !== "" && <dd class="soft">{more}</dd>}
        </div>
      ))}
    </dl>
  );
}

/** The chart with its zoom. The zoom is in the address, so a link shows the same. */
function RunChart({ run }: { readonly run: Run }) {
  const { state } = useStore();
  const query = new URL(state.path, state.origin).searchParams;
  const wall = Math.max(1, run.to - run.from);
  const numberIn = (name: string, usual: number): number => {
    const value = Number(query.get(name) ?? NaN);
    return Number.isFinite(value) ? Math.min(wall, Math.max(0, value)) : usual;
  };
  const [range, setRange] = useState<Range>({ from: numberIn("from", 0), to: numberIn("to", wall) });
  const [hovered, setHovered] = useState<Span>();
  const isAll = range.from === 0 && range.to >= wall;
  useEffect(() => {
    const zoom = `?from=${Math.round(range.from)}&to=${Math.round(range.to)}`;
    if (location.pathname.startsWith("/timeline")) {
      history.replaceState(null, "", `/timeline/${run.id}${isAll ? "" : zoom}`);
    }
  }, [range.from, range.to]);
  const zoom = (factor: number, at = 0.5): void => {
    const length = Math.min(wall, Math.max(20, (range.to - range.from) * factor));
    const middle = range.from + (range.to - range.from) * at;
    const from = Math.min(wall - length, Math.max(0, middle - length * at));
    setRange({ from, to: from + length });
  };
  const pan = (share: number): void => {
    const by = (range.to - range.from) * share;
    const from = Math.min(wall - (range.to - range.from), Math.max(0, range.from + by));
    setRange({ from, to: from + (range.to - range.from) });
  };
  const keys: Readonly<Record<string, () => void>> = {
    "+": () => zoom(0.6),
    "=": () => zoom(0.6),
    "-": () => zoom(1.6),
    "0": () => setRange({ from: 0, to: wall }),
    ArrowLeft: () => pan(-0.2),
    ArrowRight: () => pan(0.2),
  };
  return (
    <section class="card chart-card" aria-label="Timeline">
      <div
        class="chart"
        role="group"
        aria-label="Timeline of the run; + and − zoom, arrows move"
        tabIndex={0}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          act();
        }}
      >
        <Chart run={run} range={range} onRange={setRange} onZoom={zoom} onHover={setHovered} />
      </div>
      <div class="row wrap chart-foot">
        <Legend />
        <span class="grow" />
        <span class="soft cut hovered" aria-live="off">
          {hovered
            ? `${hovered.title}: ${durationText(hovered.to - hovered.from)}, from ${durationText(hovered.from - run.from)}${hovered.detail === "" ? "" : ` · ${hovered.detail}`}`
            : "Drag to zoom, Ctrl and wheel, or + and −"}
        </span>
        <button type="button" class="button small" onClick={() => zoom(0.6)} aria-label="Zoom in">
          +
        </button>
        <button type="button" class="button small" onClick={() => zoom(1.6)} aria-label="Zoom out">
          −
        </button>
        <button type="button" class="button small" onClick={() => setRange({ from: 0, to: wall })} disabled={isAll}>
          All
        </button>
      </div>
    </section>
  );
}

function Legend() {
  const entries = [
    ["operation", "operation"],
    ["critical", "critical path"],
    ["request", "request"],
    ["wait", "wait"],
    ["failed", "failed"],
  ] as const;
  return (
    <ul class="legend">
      {entries.map(([color, title]) => (
        <li key={color}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect class={`span-${color}`} width="10" height="10" rx="2" />
          </svg>
          {title}
        </li>
      ))}
    </ul>
  );
}

const shownSteps = 300;

/** The chart as a table, for its numbers, and for users who cannot see the chart. */
function Steps({ run }: { readonly run: Run }) {
  const steps = run.lanes
    .flatMap((lane) => lane.spans.map((span) => ({ lane, span })))
    .filter(({ span }) => !span.isRead)
    .sort((one, other) => one.span.from - other.span.from);
  return (
    <details class="card">
      <summary>
        <h2>Steps ({steps.length})</h2>
      </summary>
      <Table titles={["After", "Object", "Step", "Took", "Result"]}>
        {steps.slice(0, shownSteps).map(({ lane, span }, index) => (
          <tr key={index}>
            <td class="number" data-title="After">
              {durationText(span.from - run.from)}
            </td>
            <td data-title="Object">
              {lane.name} <span class="soft">{lane.kind}</span>
            </td>
            <td data-title="Step">
              {span.title} {span.isCritical && <Badge tone="warn">critical path</Badge>}
            </td>
            <td
              class="number"
              data-title="Took"
              data-operation={span.kind === "operation" ? span.to - span.from : undefined}
            >
              {durationText(span.to - span.from)}
            </td>
            <td class="soft mono" data-title="Result">
              {span.detail}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}

/** The time by which the browser has begun to save. */
const savingMs = 10_000;

function save(content: string, type: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `run-${name}`;
  link.click();
  after(savingMs, () => URL.revokeObjectURL(link.href));
}
