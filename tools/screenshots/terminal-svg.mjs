import { columns } from "./terminal.mjs";

const size = { font: 13, line: 18, character: 7.83, margin: 16 };
const colors = { default: "#d4d4d8", background: "#18181b" };
/** The sixteen colors of a terminal. */
const palette = [
  ..."#71717a #f87171 #4ade80 #facc15 #60a5fa #c084fc #22d3ee #e4e4e7".split(" "),
  ..."#a1a1aa #fca5a5 #86efac #fde047 #93c5fd #d8b4fe #67e8f9 #fafafa".split(" "),
];

/**
 * A picture of what a terminal shows.
 *
 * @param {import("./terminal.mjs").Frame["lines"]} lines
 * @param {string} title
 */
export function terminalSvg(lines, title) {
  const width = Math.ceil(columns * size.character + 2 * size.margin);
  const height = lines.length * size.line + 2 * size.margin;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{font:${size.font}px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:${colors.default}}.b{font-weight:700}`,
    ...palette.map((color, index) => `.c${index}{fill:${color}}`),
    "</style>",
    `<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>`,
    ...lines.map(lineOf),
    "</svg>",
  ].join("\n")}\n`;
}

/**
 * @param {readonly import("./terminal.mjs").Run[]} runs
 * @param {number} row
 */
function lineOf(runs, row) {
  if (runs.length === 0) return "";
  const y = size.margin + (row + 0.75) * size.line;
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  const spans = runs.map(({ text, color, isBold }) => {
    const classes = [...(color >= 0 && color < 16 ? [`c${color}`] : []), ...(isBold ? ["b"] : [])];
    return classes.length === 0 ? escaped(text) : `<tspan class="${classes.join(" ")}">${escaped(text)}</tspan>`;
  });
  // The length keeps columns in line, whatever font there is.
  return `<text x="${size.margin}" y="${y}" textLength="${(length * size.character).toFixed(1)}" xml:space="preserve">${spans.join("")}</text>`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
