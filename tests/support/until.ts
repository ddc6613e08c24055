/** The first pause in milliseconds. The pause grows, because a poll takes time of the process that is waited for. */
const firstPause = 5;
const maxPause = 100;
const growth = 1.2;

/**
 * Polls until a condition holds, however long that takes. A test whose condition never holds is ended by Mocha's timeout,
 * so nothing here depends on how busy the machine is.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let pause = firstPause; !(await holds()); pause = Math.min(pause * growth, maxPause)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
