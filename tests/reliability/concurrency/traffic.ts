import type { LoggedRequest } from "../../../platform/http/request-log";
import type { TestPlatform } from "../../support/platform";

/** The requests of the clients under test, without those of colleagues and auditors. */
export interface Traffic {
  readonly requests: number;
  /** Refused because of the rate limit. */
  readonly limited: number;
  /** Refused because the project was busy. */
  readonly busy: number;
  /** Created objects by the end of the path. */
  readonly made: Readonly<Record<string, number>>;
}

/** The request ids of the client under test; all others have ids with names. */
const own = /^[0-9a-f]{8}-/;

export async function trafficOf(platform: TestPlatform): Promise<Traffic> {
  const all = (await platform.requests()).filter(({ requestId }) => own.test(requestId));
  const count = (wanted: (request: LoggedRequest) => boolean): number => all.filter(wanted).length;
  const made: Record<string, number> = {};
  for (const { method, path, status } of all) {
    if (method !== "POST" || status !== 201) continue;
    const noun = path.slice(path.lastIndexOf("/") + 1);
    made[noun] = (made[noun] ?? 0) + 1;
  }
  return {
    requests: all.length,
    limited: count(({ status }) => status === 429),
    busy: count(({ status }) => status === 423),
    made,
  };
}
