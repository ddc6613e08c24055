import { startTestPlatform, type TestPlatform } from "../../support/platform";
import type { PlatformOptions } from "../../../platform/index";

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
