/** Converts values between JSON and PostgreSQL's text format. */

/** A PostgreSQL type whose values are not JSON strings. */
type JsonForm = "boolean" | "integer" | "float" | "json";

/** Object ids of built-in types, which never change. Values of all others become strings. */
const formOfType: ReadonlyMap<number, JsonForm> = new Map([
  [16, "boolean"],
  [21, "integer"],
  [23, "integer"],
  [700, "float"],
  [701, "float"],
  [114, "json"],
  [3802, "json"],
]);

/** The types of the elements of built-in array types. */
const elementOfArray: ReadonlyMap<number, number> = new Map([
  [199, 114],
  [1000, 16],
  [1001, 17],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1014, 1042],
  [1015, 1043],
  [1016, 20],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, 1184],
  [1187, 1186],
  [1231, 1700],
  [1270, 1266],
  [1561, 1560],
  [1563, 1562],
  [2951, 2950],
  [3807, 3802],
]);

/** The JSON text of a value of a type. */
export function jsonOfValue(text: string | null, type: number): string {
  if (text === null) return "null";
  const element = elementOfArray.get(type);
  if (element !== undefined) return jsonOfArray(text, element);
  switch (formOfType.get(type)) {
    case "boolean":
      return text === "t" ? "true" : "false";
    case "integer":
    case "json":
      return text;
    case "float":
      // JSON has no NaN and no infinity.
      return /\d/.test(text) ? text : JSON.stringify(text);
    case undefined:
      return JSON.stringify(text);
  }
}

/** One token of an array: a brace, a comma, an element in quotes, or another element. */
const arrayToken = /[{},]|"((?:[^"\\]|\\.)*)"|[^{},"]+/gs;

/** The JSON text of an array such as `{1,2}`, which may have bounds before it: `[0:1]={1,2}`. */
function jsonOfArray(text: string, element: number): string {
  const elements = text.startsWith("[") ? text.slice(text.indexOf("=") + 1) : text;
  return elements.replace(arrayToken, (token: string, quoted: string | undefined) => {
    if (token === "{") return "[";
    if (token === "}") return "]";
    if (token === ",") return token;
    if (quoted !== undefined) return jsonOfValue(quoted.replace(/\\(.)/gs, "$1"), element);
    return jsonOfValue(token === "NULL" ? null : token, element);
  });
}

/** A parameter of a request in PostgreSQL's text format. */
export function parameterOfJson(value: unknown): string | null {
  if (value === null) return null;
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return arrayOfJson(value);
  return JSON.stringify(value);
}

function arrayOfJson(values: readonly unknown[]): string {
  const elements = values.map((value) => {
    if (value === null) return "NULL";
    if (Array.isArray(value)) return arrayOfJson(value);
    if (typeof value === "string") return quoted(value);
    return typeof value === "object" ? quoted(JSON.stringify(value)) : JSON.stringify(value);
  });
  return `{${elements.join(",")}}`;
}

/** Quotes an element. Unlike in JSON, a backslash stands for the next character, whatever that is. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;
