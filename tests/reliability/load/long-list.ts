import type { TestPlatform } from "../../support/platform";

/** How long one expensive request delays others. */
export interface LongList {
  readonly branches: number;
  /** The time of the response with all branches, in milliseconds. */
  readonly listMs: number;
  /** The time of the slowest small request during it, in milliseconds. */
  readonly besideMs: number;
}

/** The limit of one list. */
const most = 10_000;

/** Creates as many branches as the time allows, and lists all of them at once while another client sends small requests. */
export async function longList(platform: TestPlatform, deadline: number): Promise<LongList> {
  const { project } = await platform.project();
  const path = `/projects/${project.id}/branches`;
  for (let made = 1; made < most && performance.now() < deadline;) {
    const { status } = await platform.call("POST", path, {});
    if (status === 201) made += 1;
    else if (status !== 423) throw new Error(`POST ${path} answers ${status}`);
  }
  const headers = { authorization: `Bearer ${platform.apiKey}` };
  const progress = { isOver: false };
  const began = performance.now();
  // Read as text: the time to parse it is not measured.
  const listed = fetch(`${platform.apiUrl}${path}?limit=${most}`, { headers })
    .then(async (answer) => ({ text: await answer.text(), listMs: performance.now() - began }))
    .finally(() => (progress.isOver = true));
  let besideMs = 0;
  while (!progress.isOver) {
    const asked = performance.now();
    await platform.call("GET", "/users/me");
    besideMs = Math.max(besideMs, performance.now() - asked);
  }
  const { text, listMs } = await listed;
  const { branches } = JSON.parse(text) as { readonly branches: readonly unknown[] };
  return { branches: branches.length, listMs, besideMs };
}
