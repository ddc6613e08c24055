import { shown } from "./page";
import type { Results } from "./results";
import type { Figure, Growth } from "./row";
import { rows } from "./rows";

const colors = { good: "#2e7d32", bad: "#c62828", line: "#9e9e9e", text: "#333333", series: ["#1565c0", "#ef6c00"] };
const font = 'font-family="Helvetica, Arial, sans-serif"';

/** A bar for each figure with a target: its value as a share of the target, up to twice of it. */
export function targetsChart(results: Results): string {
  const figures = rows
    .flatMap(({ name }) => results[name]?.figures ?? [])
    .filter((figure): figure is Figure & { atMost: number } => figure.atMost !== undefined);
  const [left, unit, step, top] = [520, 200, 24, 44];
  const bars = figures.flatMap(({ title, value, unit: of, atMost }, index) => {
    const y = top + index * step;
    const share = value <= atMost && atMost === 0 ? 0 : value / atMost;
    const width = Math.min(share, 2) * unit;
    const color = value <= atMost ? colors.good : colors.bad;
    const more = share > 2 ? "▸ " : "";
    return [
      text(left - 8, y + 12, plain(title), "end"),
      `<rect x="${left}" y="${y}" width="${Math.max(width, 1).toFixed(1)}" height="16" fill="${color}"/>`,
      text(left + 2 * unit + 10, y + 12, `${more}${shown(value, of)} of ${shown(atMost, of)}`),
    ];
  });
  const bottom = top + figures.length * step;
  return svg(1_120, bottom + 16, [
    text(left + unit, 24, "target", "middle"),
    ...bars,
    `<line x1="${left + unit}" y1="32" x2="${left + unit}" y2="${bottom}" stroke="${colors.text}" stroke-dasharray="4 3"/>`,
  ]);
}

/** A panel for each plot, with both axes logarithmic. */
export function growthChart(plots: readonly Growth[]): string {
  const [width, height, columns] = [360, 250, 3];
  const panels = plots.map((plot, index) => {
    const [x, y] = [(index % columns) * width, Math.floor(index / columns) * height];
    return `<g transform="translate(${x} ${y})">${panel(plot, width, height).join("")}</g>`;
  });
  return svg(columns * width, Math.ceil(plots.length / columns) * height, panels);
}

function panel({ title, unit, lines }: Growth, width: number, height: number): string[] {
  const all = Object.values(lines).flat();
  const box = { left: 64, right: width - 20, top: 56, bottom: height - 40 };
  const scale = (values: readonly number[], from: number, to: number): Scale => {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
    const end = Math.max(high, low + 1);
    return {
      at: (value) => from + ((Math.log10(value) - low) / (end - low)) * (to - from),
      ticks: Array.from({ length: end - low + 1 }, (_, index) => 10 ** (low + index)),
    };
  };
  const x = scale(
    all.map(([resources]) => resources),
    box.left,
    box.right,
  );
  const y = scale(
    all.map(([, value]) => value),
    box.bottom,
    box.top,
  );
  const grid = [
    ...x.ticks.map((tick) => rule(x.at(tick), box.top, x.at(tick), box.bottom)),
    ...y.ticks.map((tick) => rule(box.left, y.at(tick), box.right, y.at(tick))),
  ];
  const labels = [
    text(box.left, 18, `${title} (${unit})`),
    ...x.ticks.map((tick) => text(x.at(tick), box.bottom + 16, short(tick), "middle")),
    ...y.ticks.map((tick) => text(box.left - 6, y.at(tick) + 4, short(tick), "end")),
    text((box.left + box.right) / 2, box.bottom + 34, "resources", "middle"),
  ];
  const series = Object.entries(lines).flatMap(([name, points], index) => {
    const color = colors.series[index] ?? colors.text;
    const path = points.map(([resources, value]) => `${x.at(resources).toFixed(1)},${y.at(value).toFixed(1)}`);
    return [
      `<polyline points="${path.join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...path.map((point) => `<circle cx="${point.replace(",", '" cy="')}" r="3" fill="${color}"/>`),
      text(box.left + index * 130, 38, `● ${name}`, "start", color),
    ];
  });
  return [...grid, ...labels, ...series];
}

interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

function rule(x1: number, y1: number, x2: number, y2: number): string {
  const [from, to] = [`x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}"`, `x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}"`];
  return `<line ${from} ${to} stroke="${colors.line}" stroke-width="0.5"/>`;
}

/** A number of the axis: 10,000,000 is 10M. */
function short(value: number): string {
  return Intl.NumberFormat("en-US", { notation: "compact" }).format(value);
}

/** A title without the marks of Markdown. */
function plain(title: string): string {
  return title.replaceAll("`", "");
}

function text(x: number, y: number, content: string, align = "start", color = colors.text): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${align}" fill="${color}" font-size="12" ${font}>${escaped}</text>`;
}

function svg(width: number, height: number, content: readonly string[]): string {
  const attributes = `xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg ${attributes}>\n<rect width="100%" height="100%" fill="#ffffff"/>\n${content.join("\n")}\n</svg>\n`;
}
