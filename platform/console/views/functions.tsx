import { useState } from "preact/hooks";

import type {
  BranchPlace,
  DeploymentView,
  DomainView,
  FunctionAnswer,
  FunctionView,
  ViewOf,
} from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { ask, errorText } from "../api";
import { ageText, clockText, dateText, toneOfStatus } from "../format";
import { Choice } from "../parts/fields";
import { Problem, Table } from "../parts/layout";
import { Badge } from "../parts/status";
import { useNow } from "../store";
import { BranchHead } from "./branch-head";

type FunctionsView = ViewOf<"functions">;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const toneOfDeployment: Readonly<Record<DeploymentView["status"], string>> = {
  pending: "quiet",
  building: "busy",
  completed: "good",
  failed: "bad",
};

const toneOfDomain: Readonly<Record<DomainView["status"], string>> = { pending: "busy", active: "good", error: "bad" };

/** The functions of a branch: one of them with its deployments and its log, and a form that calls it. */
export function FunctionsPage({ view }: { readonly view: FunctionsView }) {
  const now = useNow();
  const { place, functions, log } = view;
  const selected = functions.find(({ slug }) => slug === view.selected);
  return (
    <>
      <BranchHead place={place} page="functions" />
      {!selected && <p class="soft">This branch has no functions.</p>}
      {selected && (
        <div class="split functions-split">
          <div>
            <Table titles={["Function", "Last deployment", "Deployed"]} isSlim>
              {functions.map((row) => (
                <FunctionRow key={row.slug} row={row} place={place} isSelected={row === selected} now={now} />
              ))}
            </Table>
          </div>
          <section class="detail" aria-label={`Function ${selected.name}`}>
            <div>
              <h2 class="branch-name">{selected.name}</h2>
              {selected.url === "" ? (
                <p class="soft">Cannot be called yet</p>
              ) : (
                <a class="mono" href={selected.url}>
                  {selected.url}
                </a>
              )}
            </div>
            <Call key={`${place.branchId}/${selected.slug}`} branchId={place.branchId} called={selected} />
            <Deployments rows={selected.deployments} now={now} />
            <Domains rows={selected.domains} />
            <section>
              <h2>Log</h2>
              {log.length === 0 ? <p class="soft">No lines yet.</p> : <Log lines={log} />}
            </section>
          </section>
        </div>
      )}
    </>
  );
}

function FunctionRow({
  row,
  place,
  isSelected,
  now,
}: {
  readonly row: FunctionView;
  readonly place: BranchPlace;
  readonly isSelected: boolean;
  readonly now: number;
}) {
  const [newest] = row.deployments;
  return (
    <tr>
      <th scope="row">
        <a href={`${place.path}/functions?function=${row.slug}`} aria-current={isSelected ? "true" : undefined}>
          {row.name}
        </a>{" "}
        {row.isInherited && <Badge tone="quiet">inherited</Badge>}
      </th>
      <td data-title="Last deployment">
        {newest && <Badge tone={toneOfDeployment[newest.status]}>{newest.status}</Badge>}
      </td>
      <td class="soft" data-title="Deployed">
        {newest && ageText(newest.createdAt, now)}
      </td>
    </tr>
  );
}

function Log({ lines }: { readonly lines: FunctionsView["log"] }) {
  return (
    <ol class="log" aria-label="Log, newest line first" tabIndex={0}>
      {lines.toReversed().map(({ number, time, severity, message }) => (
        <li key={number} class={severity}>
          <span class="soft number">{clockText(time)}</span>
          <span class="soft">{severity}</span>
          <span class="mono message">{message}</span>
        </li>
      ))}
    </ol>
  );
}

function Deployments({ rows, now }: { readonly rows: readonly DeploymentView[]; readonly now: number }) {
  return (
    <section>
      <h2>Deployments</h2>
      <ul class="plain-list" aria-label="Deployments">
        {rows.map(({ id, status, isActive, error, createdAt, variables }) => (
          <li key={id}>
            <span class="number">{id}</span> <Badge tone={toneOfDeployment[status]}>{status}</Badge>{" "}
            {isActive && <Badge tone="accent">active</Badge>}{" "}
            <span class="soft" title={dateText(createdAt)}>
              {ageText(createdAt, now)}
              {variables.length > 0 && `, with ${variables.join(", ")}`}
            </span>
            {error !== undefined && <p class="problem">{error}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Domains({ rows }: { readonly rows: readonly DomainView[] }) {
  return (
    <section>
      <h2>Custom domains</h2>
      {rows.length === 0 && <p class="soft">None.</p>}
      <ul class="plain-list" aria-label="Custom domains">
        {rows.map(({ domain, status, reason }) => (
          <li key={domain}>
            <span class="mono">{domain}</span> <Badge tone={toneOfDomain[status]}>{status}</Badge>{" "}
            <span class="soft">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Calls a function, and shows its answer. */
function Call({ branchId, called }: { readonly branchId: string; readonly called: FunctionView }) {
  const [method, setMethod] = useState<string>("GET");
  const [path, setPath] = useState("/");
  const [headers, setHeaders] = useState<readonly Header[]>([]);
  const [body, setBody] = useState("");
  const [isCalling, setCalling] = useState(false);
  const [answer, setAnswer] = useState<FunctionAnswer>();
  const [problem, setProblem] = useState<string>();
  const call = (): void => {
    setCalling(true);
    setAnswer(undefined);
    setProblem(undefined);
    const input = { branch_id: branchId, slug: called.slug, method, path, headers: sent, ...(hasBody && { body }) };
    ask<FunctionAnswer>("POST", "/console/function-call", input)
      .then(setAnswer, (error: unknown) => setProblem(errorText(error)))
      .finally(() => setCalling(false));
  };
  const sent = headers.filter(([name, value]) => name !== "" || value !== "");
  const hasBody = method !== "GET" && body !== "";
  return (
    <form
      class="form"
      aria-label="Call"
      onSubmit={(event) => {
        event.preventDefault();
        call();
      }}
    >
      <div class="row wrap">
        <Choice label="Method" value={method} options={methods} onChange={setMethod} />
        <label class="choice grow">
          <span>Path</span>
          <input class="input mono" name="path" value={path} onInput={(event) => setPath(event.currentTarget.value)} />
        </label>
        <button class="button primary" type="submit" disabled={called.url === "" || isCalling}>
          Call
        </button>
      </div>
      <Headers headers={headers} onChange={setHeaders} />
      {method !== "GET" && (
        <label class="choice">
          <span>Body</span>
          <textarea
            class="input mono"
            name="body"
            rows={4}
            value={body}
            onInput={(event) => setBody(event.currentTarget.value)}
          />
        </label>
      )}
      <div role="status" class="answer">
        <Problem text={problem} />
        {answer && (
          <>
            <p>
              <Badge tone={toneOfStatus(answer.status)}>{String(answer.status)}</Badge>{" "}
              <span class="soft">
                {durationText(answer.milliseconds)}
                {answer.type !== "" && `, ${answer.type}`}
              </span>
            </p>
            {answer.body !== "" && <pre tabIndex={0}>{answer.body}</pre>}
            {answer.isCut && <p class="soft">The rest is not shown.</p>}
          </>
        )}
      </div>
    </form>
  );
}

/** The name and the value of a header field. */
type Header = readonly [string, string];

/** A line for each header field, and an empty one for the next. */
function Headers({
  headers,
  onChange,
}: {
  readonly headers: readonly Header[];
  readonly onChange: (headers: readonly Header[]) => void;
}) {
  const lines: readonly Header[] = headers.at(-1)?.join("") === "" ? headers : [...headers, ["", ""]];
  return (
    <fieldset class="headers">
      <legend>Headers</legend>
      {lines.map(([name, value], index) => {
        const change = (header: Header): void => onChange(lines.with(index, header));
        return (
          <div key={index} class="header-line">
            <input
              class="input mono"
              aria-label={`Name of header ${index + 1}`}
              placeholder="Name"
              value={name}
              onInput={(event) => change([event.currentTarget.value, value])}
            />
            <input
              class="input mono"
              aria-label={`Value of header ${index + 1}`}
              placeholder="Value"
              value={value}
              onInput={(event) => change([name, event.currentTarget.value])}
            />
          </div>
        );
      })}
    </fieldset>
  );
}
