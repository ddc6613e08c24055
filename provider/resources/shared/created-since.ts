/** Whether an object was created at a moment or later, both by the platform's clock. */
export function isCreatedSince(createdAt: string, since: Date): boolean {
  return Date.parse(createdAt) >= since.getTime();
}
