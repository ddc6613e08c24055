/** A position in a write-ahead log, as Postgres writes it: `0/1E00000`. */
export type Lsn = string;

/** The number of bytes before a position. */
export function parseLsn(lsn: Lsn): bigint {
  const [high = "", low = ""] = lsn.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

export function formatLsn(position: bigint): Lsn {
  const hex = (value: bigint): string => value.toString(16).toUpperCase();
  return `${hex(position >> 32n)}/${hex(position & 0xffff_ffffn)}`;
}
