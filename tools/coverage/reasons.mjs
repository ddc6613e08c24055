// Why the local platform does not serve an operation, in one word.

/**
 * A word, what it means, and the operations that it holds for: a group, or a path as it is in the document.
 *
 * @typedef {object} Reason
 * @property {string} word
 * @property {string} meaning
 * @property {readonly string[]} of
 */

/** @type {readonly Reason[]} */
export const reasons = [
  {
    word: "superseded",
    meaning: "Neon calls it legacy: another operation has replaced it.",
    of: ["Auth (legacy)"],
  },
  {
    word: "objects",
    meaning: "Needs a store for objects: the buckets of the local platform hold none.",
    of: ["Buckets"],
  },
  { word: "code", meaning: "Needs a runtime that executes uploaded code.", of: ["Functions"] },
  { word: "models", meaning: "Needs a gateway to language models.", of: ["AI Gateway"] },
  { word: "logs", meaning: "Needs a collection of logs that can be queried.", of: ["Logs"] },
];
