/**
 * The results of all, once each of them has ended: whoever began them leaves no request under way.
 *
 * @throws the first failure
 */
export async function together<const All extends readonly unknown[]>(
  all: All,
): Promise<{ -readonly [Index in keyof All]: Awaited<All[Index]> }> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}
