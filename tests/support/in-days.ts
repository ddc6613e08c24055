/** The time in some days, in whole seconds, as the platform writes it. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().replace(/\.\d+Z/, "Z");
}
