/**
 * Polls until a condition holds, however long that takes. A test whose condition never holds is ended by Mocha's timeout,
 * so nothing here depends on how busy the machine is.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
