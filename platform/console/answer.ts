import { useEffect, useRef, useState } from "preact/hooks";

import { ask, errorText } from "./api";

interface Answered<Answer> {
  readonly answer?: Answer | undefined;
  readonly problem?: string | undefined;
}

/** Sends a request when its path changes, and again on demand. The answer to an earlier path is never shown. */
export function useAnswer<Answer>(
  method: "GET" | "POST",
  path: string | undefined,
): Answered<Answer> & { readonly readAgain: () => void } {
  const [answered, setAnswered] = useState<Answered<Answer> & { readonly path?: string }>({});
  const shown = useRef(path);
  shown.current = path;
  const readAgain = (): void => {
    if (path === undefined) return;
    const set = (next: Answered<Answer>): void => {
      if (shown.current === path) setAnswered((before) => ({ ...(before.path === path ? before : {}), ...next, path }));
    };
    ask<Answer>(method, path).then(
      (answer) => set({ answer, problem: undefined }),
      (error: unknown) => set({ problem: errorText(error) }),
    );
  };
  useEffect(readAgain, [path]);
  const { answer, problem } = answered.path === path ? answered : {};
  return { answer, problem, readAgain };
}
