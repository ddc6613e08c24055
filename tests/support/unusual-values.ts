import fc from "fast-check";

/** Names with a special meaning in JavaScript. */
const prototypeNames = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "__defineGetter__",
] as const;

/** Texts that break code that treats a text as a path, a pattern, a list, a number or a line. */
const awkward: readonly string[] = [
  ...["", " ", " a", "a ", ".", "..", "...", "/", "//", "a/b", "../..", "a\\b", "C:\\"],
  ...["%", "%2F", "%2e%2e", "%zz", "100%", "?", "#", "&a=b", "a+b", "a=b;c", "[]", "{}", "${x}", "`", "'", '"', "<b>"],
  ...["\0", "\n", "\r\n", "\t", "\u001b[31m", "\u007f", "\u0085", "\u2028", "\ufeff", "\u202e"],
  ...["null", "undefined", "true", "NaN", "0", "-0", "1e309", "0x10", "Infinity", "[object Object]"],
  ...["é", "e\u0301", "ß", "İ", "ı", "漢", "😀", "👩‍👩‍👧", "\u{10ffff}", "\ufffd"],
  // Lengths around the limit of Postgres: 63 bytes in UTF-8.
  ...["x".repeat(63), "x".repeat(64), "é".repeat(31), "é".repeat(32), "漢".repeat(21), "漢".repeat(22)],
  ...["😀".repeat(15), "😀".repeat(16), "x".repeat(256), "x".repeat(257), "é".repeat(256), "😀".repeat(128)],
];

/** Texts with unpaired surrogates. */
const halves: readonly string[] = ["\ud800", "\udc00", "a\ud83d", "\ude00b", "\udc00\ud800"];

/** Any code point except surrogates. The unit `binary` takes 0.7 seconds at each use, to list all of them. */
const codePoint = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

/** Any well-formed text. */
const unusualText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...awkward, ...prototypeNames),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: codePoint, maxLength: 40 }),
);

/** Any text, including texts that are not well-formed. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: unusualText },
  { weight: 1, arbitrary: fc.constantFrom(...halves) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 200_000 }).map((length) => "x".repeat(length)) },
);

const unusualNumber = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 0.5, 63, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324, NaN, Infinity, -Infinity),
  fc.double(),
  fc.integer(),
);

/** An object with own members of any name. Assignment would lose some names. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.fromEntries(entries);
}

/** Any JSON value, and numbers that JSON does not have. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyText,
    unusualNumber,
    fc.constantFrom(true, false, null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(anyText, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

/** The pattern of messages of programming errors. */
export const programmingError =
  /Cannot (read|set|convert)|is not (a function|iterable|defined|an object)|undefined \(|Invalid time value|Maximum call stack|URI malformed|\[object Object\]|_zod/;
