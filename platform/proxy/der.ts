/** Encodes ASN.1 values by the distinguished encoding rules (X.690), as far as certificates need them. */

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

const contextClass = 0x80;
const constructed = 0x20;

/** The first year that does not fit into the two digits of a UTCTime. */
const firstYearOfGeneralizedTime = 2050;

function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodedLength(content.length), content]);
}

function encodedLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** A component of an object identifier, in groups of seven bits. */
function encodedComponent(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

export const sequence = (...members: readonly Uint8Array[]): Buffer => encode(tags.sequence, ...members);
export const set = (...members: readonly Uint8Array[]): Buffer => encode(tags.set, ...members);
export const boolean = (value: boolean): Buffer => encode(tags.boolean, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array): Buffer => encode(tags.octetString, content);
export const utf8String = (text: string): Buffer => encode(tags.utf8String, Buffer.from(text));

/** A non-negative integer from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Buffer.from([0]) : Buffer.from(bytes.subarray(first));
  const sign = (significant[0] ?? 0) & 0x80 ? [Buffer.from([0])] : [];
  return encode(tags.integer, ...sign, significant);
}

/** A bit string; `unused` is the number of bits at its end that do not count. */
export const bitString = (content: Uint8Array, unused = 0): Buffer =>
  encode(tags.bitString, Buffer.from([unused]), content);

/** An object identifier from its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return encode(tags.objectIdentifier, Buffer.from([first * 40 + second, ...rest].flatMap(encodedComponent)));
}

/** A time in milliseconds since 1970, with the type that RFC 5280 demands for its year. */
export function derTime(milliseconds: number): Buffer {
  const text = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, "");
  const isGeneralized = Number(text.slice(0, 4)) >= firstYearOfGeneralizedTime;
  return isGeneralized
    ? encode(tags.generalizedTime, Buffer.from(text))
    : encode(tags.utcTime, Buffer.from(text.slice(2)));
}

/** A member `[number]` that replaces the tag of a primitive value. */
export const implicit = (number: number, content: Uint8Array): Buffer => encode(contextClass | number, content);

/** A member `[number]` with other values in it. */
export const explicit = (number: number, ...members: readonly Uint8Array[]): Buffer =>
  encode(contextClass | constructed | number, ...members);
