import type { SqlLine } from "../../console-server/protocol";
import { messageOf, send } from "../api";

/** The branch on which SQL is run, with the database and the role. */
export interface SqlTargetInput {
  readonly branch_id: string;
  readonly database_name: string;
  readonly role_name: string;
}

/**
 * Runs statements in one session; each line of the answer is reported when it arrives. Aborting cancels the statement in progress.
 */
export async function runStatements(
  target: SqlTargetInput,
  statements: readonly string[],
  onLine: (line: SqlLine) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await send("POST", "/console/sql", { ...target, statements }, signal);
  if (!response.ok || !response.body) throw new Error(await messageOf(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(JSON.parse(line) as SqlLine);
  }
}

/** The index of a position of Postgres, which counts characters from 1. JavaScript counts from 0, and two for some characters. */
export const indexIn = (text: string, position: number): number =>
  Array.from(text)
    .slice(0, position - 1)
    .join("").length;
