import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Lane, Run, Span } from "../../pulumi-run/run";
import { durationText, tickMarks } from "../../pulumi-run/scale";
import { colorOf } from "../../pulumi-run/svg";

/** The visible part of a run, in milliseconds from its beginning. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

interface Props {
  readonly run: Run;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
  readonly onZoom: (factor: number, at: number) => void;
  readonly onHover: (span: Span | undefined) => void;
}

const laneHeight = 28;
const top = 28;
const firstWidth = 960;
const marksEvery = 110;
/** The number of lanes that are drawn at once, which is more than a screen has, and how many of them are above the visible ones. */
const drawnLanes = 120;
const spareLanes = 30;

/** The lanes of a run, drawn for the width that there is. */
export function Chart({ run, range, onRange, onZoom, onHover }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(firstWidth);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(320, entry?.contentRect.width ?? firstWidth)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const [firstLane, setFirstLane] = useState(0);
  useEffect(() => {
    const scroller = box.current?.parentElement;
    const measure = (): void => {
      const inSight = ((scroller?.scrollTop ?? 0) - top) / laneHeight;
      setFirstLane(Math.max(0, Math.floor(inSight / spareLanes - 1) * spareLanes));
    };
    scroller?.addEventListener("scroll", measure, { passive: true });
    return () => scroller?.removeEventListener("scroll", measure);
  }, []);
  const lanes = run.lanes
    .slice(firstLane, firstLane + drawnLanes)
    .map((lane, position) => ({ lane, y: top + (firstLane + position) * laneHeight }));
  const labelWidth = width < 600 ? 110 : 210;
  const inner = width - labelWidth - 16;
  const scale = inner / Math.max(1, range.to - range.from);
  const x = (at: number): number => labelWidth + (at - run.from - range.from) * scale;
  const height = top + run.lanes.length * laneHeight + 10;
  const share = (event: MouseEvent): number => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    return Math.min(1, Math.max(0, (event.clientX - left - labelWidth) / inner));
  };
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      onZoom(event.deltaY > 0 ? 1.25 : 0.8, share(event));
    };
    // Only a listener that is not passive can keep the browser from zooming the page.
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  });
  const endDrag = (): void => {
    if (drag && Math.abs(drag.to - drag.from) > 0.01) {
      const length = range.to - range.from;
      const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      onRange({ from: range.from + from * length, to: range.from + to * length });
    }
    setDrag(undefined);
  };
  return (
    <div
      ref={box}
      class="chart-box"
      onMouseDown={(event) => {
        if (event.button === 0) setDrag({ from: share(event), to: share(event) });
      }}
      onMouseMove={(event) => drag && setDrag({ from: drag.from, to: share(event) })}
      onMouseUp={endDrag}
      onMouseLeave={() => setDrag(undefined)}
    >
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Timeline: ${run.title}`}
      >
        <defs>
          <clipPath id="lanes">
            <rect x={labelWidth} y="0" width={Math.max(0, inner + 8)} height={height} />
          </clipPath>
        </defs>
        {tickMarks(range.from, range.to, Math.max(2, inner / marksEvery)).map((mark) => (
          <g key={mark}>
            <line class="grid" x1={x(run.from + mark)} x2={x(run.from + mark)} y1={top - 8} y2={height} />
            <text class="axis" x={x(run.from + mark)} y={top - 13}>
              {durationText(mark)}
            </text>
          </g>
        ))}
        {lanes.map(({ lane, y }) => (
          <LaneLabel key={lane.key} lane={lane} y={y} width={width} labelWidth={labelWidth} />
        ))}
        <g clip-path="url(#lanes)">
          {lanes.map(({ lane, y }) =>
            lane.spans
              .filter(({ from, to }) => to - run.from >= range.from && from - run.from <= range.to)
              .map((span, position) => (
                <Bar
                  key={`${lane.key} ${position}`}
                  span={span}
                  y={y}
                  x={x(span.from)}
                  width={Math.max(1.5, (span.to - span.from) * scale)}
                  onHover={onHover}
                />
              )),
          )}
        </g>
        {drag && (
          <rect
            class="selection"
            x={labelWidth + Math.min(drag.from, drag.to) * inner}
            y={top - 8}
            width={Math.abs(drag.to - drag.from) * inner}
            height={height}
          />
        )}
      </svg>
    </div>
  );
}

function LaneLabel({
  lane,
  y,
  width,
  labelWidth,
}: {
  readonly lane: Lane;
  readonly y: number;
  readonly width: number;
  readonly labelWidth: number;
}) {
  const room = Math.floor(labelWidth / 8.4) - (labelWidth > 150 ? lane.kind.length : 0);
  const name = lane.name.length > room ? `${lane.name.slice(0, Math.max(3, room - 1))}…` : lane.name;
  return (
    <g>
      <line class="grid" x1="0" x2={width} y1={y + laneHeight} y2={y + laneHeight} />
      <text class="lane-name" x="4" y={y + 18}>
        {name}
        {labelWidth > 150 && (
          <tspan class="lane-kind" dx="6">
            {lane.kind}
          </tspan>
        )}
        <title>{`${lane.kind} ${lane.name}`}</title>
      </text>
    </g>
  );
}

/** The position of a span in its lane: `y` and height. */
const shapes = { operation: [7, 15], request: [7, 15], wait: [11, 6], read: [22, 4] } as const;

function Bar({
  span,
  x,
  y,
  width,
  onHover,
}: {
  readonly span: Span;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly onHover: (span: Span | undefined) => void;
}) {
  const [offset, height] = shapes[span.isRead ? "read" : span.kind];
  const bar = (
    <rect
      class={`span-${colorOf(span)} ${span.kind}`}
      x={x.toFixed(2)}
      y={y + offset}
      width={width.toFixed(2)}
      height={height}
      rx="2"
      data-kind={span.kind}
      data-ms={span.to - span.from}
      onMouseEnter={() => onHover(span)}
      onMouseLeave={() => onHover(undefined)}
    >
      <title>{`${span.title}, ${durationText(span.to - span.from)}${span.detail === "" ? "" : `, ${span.detail}`}`}</title>
    </rect>
  );
  if (!span.isCritical) return bar;
  return (
    <>
      {bar}
      <rect class="span-critical" x={x.toFixed(2)} y={y + 2} width={width.toFixed(2)} height="3" />
    </>
  );
}
