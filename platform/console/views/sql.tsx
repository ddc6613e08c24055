import { useEffect, useRef, useState } from "preact/hooks";

import type { SqlTarget, StatementError, StatementResult, ViewOf } from "../../console-server/protocol";
import { useAnswer } from "../answer";
import { errorText, styleNonce } from "../api";
import { now } from "../clock";
import { dateText } from "../format";
import { go } from "../navigate";
import { Choice } from "../parts/fields";
import { Head } from "../parts/layout";
import { Compare } from "../sql/compare";
import type { Editor, Statement } from "../sql/editor";
import { Grid } from "../sql/grid";
import { addToHistory, clearHistory, type HistoryEntry, readHistory } from "../sql/history";
import { explaining, Plan } from "../sql/plan";
import { indexIn, runStatements } from "../sql/run";
import { completions, type Schema, SchemaBrowser } from "../sql/schema";
import { useStore } from "../store";

type Outcome =
  | { readonly kind: "result"; readonly result: StatementResult }
  | { readonly kind: "plan"; readonly json: string }
  | {
      readonly kind: "error";
      readonly error: StatementError;
      /** The number and the text of the statement; undefined if the session has failed. */
      readonly statement?: { readonly number: number; readonly text: string } | undefined;
    };

type Tab = "results" | "compare" | "history";

/** SQL on a branch. */
export function SqlPage({ view }: { readonly view: ViewOf<"sql"> }) {
  const store = useStore();
  const { state } = store;
  const asked = new URL(state.path, state.origin).searchParams.get("branch");
  const target = view.targets.find((each) => each.branchId === asked) ?? view.targets[0];
  if (state.versions === undefined || !target) {
    return (
      <div class="empty">
        <h1>{target ? "No Postgres" : "No branches yet"}</h1>
        {target ? (
          <p>
            This platform runs no Postgres, so its branches have no databases. Start it with one: see{" "}
            <code>--postgres</code>.
          </p>
        ) : (
          <p>Create a branch, and run SQL on it here.</p>
        )}
      </div>
    );
  }
  const choose = (id: string): void => void go(store, `/sql?branch=${id}`);
  return <Workbench key={target.branchId} target={target} targets={view.targets} onBranch={choose} />;
}

interface Props {
  readonly target: SqlTarget;
  readonly targets: readonly SqlTarget[];
  readonly onBranch: (id: string) => void;
}

function Workbench({ target, targets, onBranch }: Props) {
  const [database, setDatabase] = useState(target.databases[0]?.name ?? "");
  const owner = target.databases.find(({ name }) => name === database)?.owner ?? "";
  const [role, setRole] = useState(owner);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [running, setRunning] = useState<AbortController>();
  const [tab, setTab] = useState<Tab>("results");
  const [past, setPast] = useState<readonly HistoryEntry[]>([]);
  const editor = useRef<Editor>(null);
  const query = new URLSearchParams({ branch_id: target.branchId, database_name: database, format: "json" });
  const { answer, problem, readAgain } = useAnswer<Schema>("GET", `/local/schema?${query.toString()}`);
  const tables = answer?.json.tables;
  useEffect(() => setPast(readHistory()), []);
  useEffect(() => editor.current?.setSchema(completions(tables ?? [])), [tables]);

  const run = async (statements: readonly Statement[], isExplained: boolean): Promise<void> => {
    if (statements.length === 0 || running) return;
    const controller = new AbortController();
    setRunning(controller);
    setOutcomes([]);
    setTab("results");
    editor.current?.markError(undefined);
    setPast(addToHistory({ sql: editor.current?.text() ?? "", at: now(), branch: target.branch }));
    const input = { branch_id: target.branchId, database_name: database, role_name: role };
    const texts = isExplained ? explaining(statements[0]?.text ?? "") : statements.map(({ text }) => text);
    try {
      await runStatements(
        input,
        texts,
        (line) => {
          if ("error" in line) {
            const { error, statement } = line;
            const failed = isExplained ? 0 : statement;
            const named = { number: failed + 1, text: statements[failed]?.text ?? "" };
            setOutcomes((before) => [...before, { kind: "error", error, statement: named }]);
            const shift = isExplained ? -((texts[1]?.length ?? 0) - (statements[0]?.text.length ?? 0)) : 0;
            const from = statements[failed]?.from ?? 0;
            if (error.position !== undefined) {
              editor.current?.markError(from + indexIn(texts[statement] ?? "", error.position) + shift);
            }
          } else if (isExplained) {
            const json = line.statement === 1 ? line.result.rows[0]?.[0] : undefined;
            if (typeof json === "string") setOutcomes([{ kind: "plan", json }]);
          } else {
            setOutcomes((before) => [...before, { kind: "result", result: line.result }]);
          }
        },
        controller.signal,
      );
    } catch (error) {
      const message = controller.signal.aborted ? "Cancelled." : errorText(error);
      const failure = { message, code: undefined, detail: undefined, hint: undefined, position: undefined };
      setOutcomes((before) => [...before, { kind: "error", error: failure }]);
    } finally {
      setRunning(undefined);
      readAgain();
    }
  };
  const latest = useRef(run);
  latest.current = run;

  return (
    <>
      <Head title="SQL">
        <Choice
          label="Branch"
          value={target.branchId}
          options={targets.map(({ branchId, branch, project }) => [branchId, `${branch} · ${project}`])}
          onChange={onBranch}
        />
        <Choice
          label="Database"
          value={database}
          options={target.databases.map(({ name }) => name)}
          onChange={setDatabase}
        />
        <Choice label="Role" value={role} options={target.roles} onChange={setRole} />
      </Head>
      <div class="workbench">
        <SchemaBrowser
          tables={tables}
          problem={problem}
          onInsert={(sql) => {
            editor.current?.setText(sql);
            editor.current?.focus();
          }}
        />
        <div class="bench">
          <EditorBox onOpen={(opened) => (editor.current = opened)} onRun={(one) => void latest.current(one, false)} />
          <div class="row wrap run-row">
            {running ? (
              <button type="button" class="button danger" onClick={() => running.abort()}>
                Cancel
              </button>
            ) : (
              <button
                type="button"
                class="button primary"
                onClick={() => void run(editor.current?.statements() ?? [], false)}
              >
                Run <kbd>Ctrl ⏎</kbd>
              </button>
            )}
            <button
              type="button"
              class="button"
              disabled={running !== undefined}
              title="The plan of the statement at the cursor"
              onClick={() => void run([editor.current?.current() ?? []].flat(), true)}
            >
              Explain
            </button>
            <span class="soft" role="status">
              {running ? "Running…" : ""}
            </span>
            <span class="grow" />
            <div class="tabs" role="group" aria-label="Below the editor">
              {(["results", "compare", "history"] as const).map((name) => (
                <button type="button" key={name} aria-pressed={tab === name} onClick={() => setTab(name)}>
                  {{ results: "Results", compare: "Compare schemas", history: "History" }[name]}
                </button>
              ))}
            </div>
          </div>
          {tab === "results" && <Results outcomes={outcomes} />}
          {tab === "compare" && <Compare target={target} database={database} targets={targets} />}
          {tab === "history" && (
            <History
              entries={past}
              onPick={(sql) => editor.current?.setText(sql)}
              onClear={() => {
                clearHistory();
                setPast([]);
              }}
            />
          )}
        </div>
      </div>
    </>
  );
}

const draftName = "neon-platform.sql-draft";

function EditorBox({
  onOpen,
  onRun,
}: {
  readonly onOpen: (editor: Editor) => void;
  readonly onRun: (statements: readonly Statement[]) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let opened: Editor | undefined;
    let isGone = false;
    void import("../sql/editor").then(({ openEditor }) => {
      if (!box.current || isGone) return;
      opened = openEditor({
        parent: box.current,
        text: localStorage.getItem(draftName) ?? "select version();\n",
        nonce: styleNonce(),
        onRun: () => onRun(opened?.statements() ?? []),
        onChange: (text) => localStorage.setItem(draftName, text),
      });
      onOpen(opened);
      opened.focus();
    });
    return () => {
      isGone = true;
      opened?.destroy();
    };
  }, []);
  return <div class="editor" ref={box} />;
}

function Results({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  if (outcomes.length === 0) return <p class="soft results-empty">Results appear here.</p>;
  return (
    <div class="results" aria-live="polite">
      {outcomes.map((outcome, index) => {
        if (outcome.kind === "result") return <Grid key={index} result={outcome.result} number={index + 1} />;
        if (outcome.kind === "plan") return <Plan key={index} json={outcome.json} />;
        const { message, code, detail, hint, position } = outcome.error;
        return (
          <section key={index} class="callout bad" role="alert">
            {outcome.statement && (
              <p class="failed-statement">
                <span class="badge bad">Statement {outcome.statement.number}</span>{" "}
                <code>{outcome.statement.text}</code>
              </p>
            )}
            <p class="strong">{message}</p>
            {detail !== undefined && <p>{detail}</p>}
            {hint !== undefined && <p>Hint: {hint}</p>}
            <p class="soft">
              {code === undefined ? "" : `SQLSTATE ${code}`}
              {position === undefined ? "" : ` at character ${position}`}
            </p>
          </section>
        );
      })}
    </div>
  );
}

function History({
  entries,
  onPick,
  onClear,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly onPick: (sql: string) => void;
  readonly onClear: () => void;
}) {
  if (entries.length === 0) return <p class="soft">Nothing was run in this browser yet.</p>;
  return (
    <section aria-label="History">
      <ul class="history">
        {entries.map(({ sql, at, branch }) => (
          <li key={`${at} ${sql}`}>
            <button type="button" class="plain" onClick={() => onPick(sql)}>
              <code>{sql}</code>
              <span class="soft">
                {branch}, {dateText(at)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <button type="button" class="button small" onClick={onClear}>
        Clear
      </button>
    </section>
  );
}
