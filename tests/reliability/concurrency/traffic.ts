import type { TestPlatform } from "../../support/platform";

/** The request ids of the client under test; all others have ids with names. */
const own = /^[0-9a-f]{8}-/;

/**
 * Counts the requests of the clients under test, without those of colleagues and auditors: also those that were refused because
 * of the rate limit or because the project was busy, and what they have created by the end of the path.
 */
export async function trafficOf(platform: TestPlatform) {
  const all = (await platform.requests()).filter(({ requestId }) => own.test(requestId));
  const count = (wanted: number): number => all.filter(({ status }) => status === wanted).length;
  const made: Record<string, number> = {};
  for (const { method, path, status } of all) {
    if (method !== "POST" || status !== 201) continue;
    const noun = path.slice(path.lastIndexOf("/") + 1);
    made[noun] = (made[noun] ?? 0) + 1;
  }
  return { requests: all.length, limited: count(429), busy: count(423), made };
}
