import type { AccountReader } from "./account";
import type { Target } from "./scan";
export async function targetsIn(
  _file: string,
  _reader: AccountReader,
  _leave: (target: Target, reason: string) => void,
): Promise<readonly Target[]> {
  return [];
}
