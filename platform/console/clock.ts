/** The only source of time of the page. */
export const now = (): number => Date.now();

/** Calls `run` once after a delay; the returned function cancels the call. */
export function after(milliseconds: number, run: () => void): () => void {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
}

/** Calls `run` repeatedly; the returned function ends that. */
export function every(milliseconds: number, run: () => void): () => void {
  const timer = setInterval(run, milliseconds);
  return () => clearInterval(timer);
}
