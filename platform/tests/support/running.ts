import { after, before } from "mocha";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { startTestPlatform, type TestPlatform } from "../../../tests/support/platform";
import { makeFastFolder } from "../../../tests/support/postgres-files";
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

/** For a suite: paths in a folder that is removed after its tests; without a name, the folder itself. */
export function suiteFolder(): (name?: string) => string {
  let folder: string;
  before(() => {
    folder = makeFastFolder("neon-platform-test-");
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name = "") => join(folder, name);
}
