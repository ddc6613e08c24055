import fc from "fast-check";

import { wireMessage, messageTypes, startCodes, startupMessage } from "../../../platform/proxy/wire-protocol";
import { database, role } from "./support/proxied-compute";
import { startPacket } from "./support/raw-client";

/** The same cases in every run. */
export const cases = { seed: 20_261_122, numRuns: 60 };

export const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));

/** Bytes with some of them changed, cut short or lengthened. */
export const damaged = (whole: Buffer): fc.Arbitrary<Buffer> =>
  fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
      length: fc.nat(whole.length),
      cut: fc.boolean(),
      rest: bytes(16),
    })
    .map(({ changes, length, cut, rest }) => {
      const copy = Buffer.from(whole);
      for (const [at, value] of changes) copy[at] = value;
      return Buffer.concat([cut ? copy.subarray(0, length) : copy, rest]);
    });

export const startup = startupMessage(
  new Map([
    ["user", role],
    ["database", database],
    ["options", "-c a=b"],
  ]),
);
export const saslResponse = wireMessage(
  messageTypes.passwordMessage,
  Buffer.from("SCRAM-SHA-256\0\0\0\0\x1cn,,n=,r=rOprNGfwEbeRWgbNEkqO", "latin1"),
);
export const damagedStart = fc.oneof(
  bytes(64),
  ...[
    startup,
    startPacket(startCodes.sslRequest),
    startPacket(startCodes.gssEncryptionRequest),
    startPacket(startCodes.cancelRequest, Buffer.alloc(8, 1)),
    Buffer.concat([startup, saslResponse]),
    // The beginning of a TLS handshake.
    Buffer.from("16030100fa010000f60303", "hex"),
  ].map(damaged),
);
