import { after, before } from "mocha";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startTestPlatform, type TestPlatform } from "../../../tests/support/platform";
import type { PlatformOptions } from "../../index";

/** Starts a platform, passes it to a function, and closes it. */
export async function withPlatform<Result>(
  options: PlatformOptions,
  use: (platform: TestPlatform) => Promise<Result>,
): Promise<Result> {
  const platform = await startTestPlatform(options);
  try {
    return await use(platform);
  } finally {
    await platform.close();
  }
}

/** For a suite: paths in a folder that is removed after its tests. */
export function suiteFolder(): (name: string) => string {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "neon-platform-"));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => join(folder, name);
}
