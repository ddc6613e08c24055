/**
 * Waits until all promises have settled, also if one fails, so that no request is still in flight afterwards.
 *
 * @throws the first failure
 */
export async function together<const All extends readonly unknown[]>(
  all: All,
): Promise<{ -readonly [Index in keyof All]: Awaited<All[Index]> }> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}
