import type { Run, Span } from "./run";
import { durationText, tickMarks } from "./scale";

const width = 1200;
const labelWidth = 220;
const laneHeight = 26;
const top = 92;
const right = 24;
const shortest = 1.5;

/** The colors of a picture that stands alone; they follow the reader's preference. */
const styles = `
  svg{--bg:#fff;--text:#16211c;--soft:#5a6b63;--line:#e3e9e6;--operation:#4aa37f;--critical:#c2631b;--request:#5b7db8;--wait:#9aa7a1;--failed:#c23b3b}
  @media (prefers-color-scheme:dark){svg{--bg:#10160f;--bg:#111714;--text:#e6efea;--soft:#9fb0a7;--line:#26302b;--operation:#3f8f6f;--critical:#e08a45;--request:#6f92d0;--wait:#6c7a73;--failed:#e06c6c}}
  text{font:12px system-ui,sans-serif;fill:var(--text)} .soft{fill:var(--soft)} .title{font-size:17px;font-weight:600} .lane{font-size:12.5px}
`;

/** A run as a picture, in a file that needs no others. */
export function timelineSvg(run: Run): string {
  const height = top + run.lanes.length * laneHeight + 46;
  const wall = Math.max(1, run.to - run.from);
  const inner = width - labelWidth - right;
  const x = (at: number): number => labelWidth + ((at - run.from) / wall) * inner;
  const axis = tickMarks(0, wall, 10).map((mark) => {
    const at = fixed(x(run.from + mark));
    return (
      `<line x1="${at}" x2="${at}" y1="${top - 14}" y2="${height - 40}" stroke="var(--line)"/>` +
      `<text class="soft" x="${at}" y="${top - 20}" text-anchor="middle">${durationText(mark)}</text>`
    );
  });
  const lanes = run.lanes.map((lane, index) => {
    const y = top + index * laneHeight;
    const label =
      `<text class="lane" x="16" y="${y + 16}">${escaped(shortened(lane.name, 20))}` +
      `<tspan class="soft" dx="6">${escaped(lane.kind)}</tspan></text>`;
    const line = `<line x1="16" x2="${width - right}" y1="${y + laneHeight}" y2="${y + laneHeight}" stroke="var(--line)"/>`;
    return line + label + lane.spans.map((span) => bar(span, x, y)).join("");
  });
  const { totals } = run;
  const facts = [
    `${durationText(totals.wallMs)} in all`,
    `${totals.operations} operations, ${durationText(totals.operationMs)} (${ratio(totals.operationMs, totals.wallMs)})`,
    `${totals.requests} requests`,
    `${durationText(totals.waitMs)} waited`,
  ];
  const legend = [
    ["var(--operation)", "operation"],
    ["var(--critical)", "on the critical path"],
    ["var(--request)", "request"],
    ["var(--wait)", "wait"],
    ["var(--failed)", "failed"],
  ] as const;
  const swatches = legend.map(
    ([color, text], index) =>
      `<rect x="${16 + index * 150}" y="${height - 24}" width="12" height="12" rx="2" fill="${color}"/>` +
      `<text class="soft" x="${34 + index * 150}" y="${height - 14}">${text}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Timeline of a run of Pulumi">
<style>${styles}</style><rect width="${width}" height="${height}" fill="var(--bg)"/>
<text class="title" x="16" y="30">${escaped(run.title)}</text>
<text class="soft" x="16" y="50">${escaped(facts.join(" · "))}</text>
${axis.join("")}${lanes.join("\n")}${swatches.join("")}</svg>
`;
}

function bar(span: Span, x: (at: number) => number, y: number): string {
  const from = x(span.from);
  const length = Math.max(shortest, x(span.to) - from);
  const [offset, thickness] = shapes[span.isRead ? "read" : span.kind];
  const hint = `${span.title}, ${durationText(span.to - span.from)}${span.detail === "" ? "" : `, ${span.detail}`}`;
  const edge = span.kind === "wait" ? ` fill-opacity="0.35"` : "";
  return (
    `<rect x="${fixed(from)}" y="${y + offset}" width="${fixed(length)}" height="${thickness}" rx="2" ` +
    `fill="var(--${colorOf(span)})"${edge}><title>${escaped(hint)}</title></rect>` +
    (span.isCritical
      ? `<rect x="${fixed(from)}" y="${y + 1}" width="${fixed(length)}" height="3" fill="var(--critical)"/>`
      : "")
  );
}

const shapes = { operation: [6, 15], request: [6, 15], wait: [10, 6], read: [21, 4] } as const;

export const colorOf = (span: Span): "failed" | Span["kind"] => (span.isFailed ? "failed" : span.kind);

/** The time of all operations relative to the time of the run, such as `0.8×`. It is more than 1 if operations ran in parallel. */
export const ratio = (operationMs: number, wallMs: number): string =>
  `${wallMs === 0 ? 0 : (operationMs / wallMs).toFixed(2)}×`;

const fixed = (value: number): string => value.toFixed(2);

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
