/**
 * The content of an engine line about a resource.
 *
 * @typedef {object} EngineLine
 * @property {string} resource Its kind and name: `Branch preview`.
 * @property {string} action `creating`, `created` and so on.
 * @property {boolean} isDone
 * @property {string} duration As the engine writes it, such as `0.98s`.
 * @property {string} note What the resource waits for.
 */

const pattern = /^\s*[+~-]+\s+(\S+)\s+(\S+)\s+((?:creat|updat|delet|replac)(?:ing|ed))\s*(?:\(([\d.hms]+)\))?\s*(.*)$/;

/**
 * Parses a line that the engine writes without a terminal; `undefined` if the line is not about a resource.
 *
 * @param {string} line
 * @returns {EngineLine | undefined}
 */
export function engineLine(line) {
  const [, type = "", name = "", action = "", duration = "", note = ""] = pattern.exec(line.trimEnd()) ?? [];
  const kind = type.split(":").at(-1) ?? "";
  // Skip lines about the stack itself.
  if (action === "" || kind === "Stack") return undefined;
  return { resource: `${kind} ${name}`, action, isDone: action.endsWith("ed"), duration, note };
}
