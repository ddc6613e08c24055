let count = 0;

/** An address that no other test of the process uses. */
export function uniqueEmail(): string {
  count += 1;
  return `user-${count}@example.com`;
}
