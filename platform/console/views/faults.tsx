import { useState } from "preact/hooks";

import type { ViewOf } from "../../console-server/protocol";
import { ask, errorText } from "../api";
import { faultCommand } from "../curl";
import { actionText } from "../format";
import { CopyButton } from "../parts/copy";
import { Choice } from "../parts/fields";
import { Head, Problem } from "../parts/layout";
import { Badge } from "../parts/status";
import { useStore } from "../store";
import { faultText, hasMembers, operationEnds, requestEffects } from "./fault-kinds";

const methods = ["POST", "PATCH", "PUT", "DELETE", "GET"];

/** Scripted faults: a switch for each kind, and the list of pending ones. */
export function FaultsPage({ view }: { readonly view: ViewOf<"faults"> }) {
  const store = useStore();
  const [action, setAction] = useState("start_compute");
  const [method, setMethod] = useState("POST");
  const [path, setPath] = useState("");
  const [times, setTimes] = useState(1);
  const [problem, setProblem] = useState<string>();
  const change = (work: Promise<unknown>): void => {
    work
      .then(() => setProblem(undefined))
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => void store.read());
  };
  /** Adds a fault, or deletes the same one if it is pending. */
  const toggle = (members: object): void => {
    const position = view.faults.findIndex((fault) => hasMembers(fault, members));
    if (position >= 0) change(ask("DELETE", `/local/faults/${position}`));
    else change(ask("POST", "/local/faults", { ...members, times }));
  };
  const target = { ...(method === "" ? {} : { method }), ...(path === "" ? {} : { path }) };
  const isOn = (members: object): boolean => view.faults.some((fault) => hasMembers(fault, members));
  return (
    <>
      <Head
        title="Faults and time"
        about="Let the next requests and operations fail or take longer, and see what your program does."
      >
        <OperationTime key={view.operationTime} current={view.operationTime} onSet={change} />
        <label class="choice">
          <span>Times</span>
          <input
            class="input short"
            type="number"
            min={1}
            max={1000}
            value={times}
            onInput={(event) => setTimes(Math.max(1, event.currentTarget.valueAsNumber || 1))}
          />
        </label>
        <button
          type="button"
          class="button danger"
          disabled={view.faults.length === 0}
          onClick={() => change(ask("DELETE", "/local/faults"))}
        >
          Delete all, and resume
        </button>
      </Head>
      <Problem text={problem} />
      <Pending
        faults={view.faults}
        origin={store.state.origin}
        onDelete={(position) => change(ask("DELETE", `/local/faults/${position}`))}
      />
      <div class="columns even">
        <section class="card" aria-labelledby="operation-faults">
          <h2 id="operation-faults">Faults of operations</h2>
          <Choice
            label="Action"
            value={action}
            options={view.actions.map((one) => [one, actionText(one)])}
            onChange={setAction}
          />
          {operationEnds.map(([end, title, effect]) => (
            <Switch
              key={end}
              title={title}
              effect={effect}
              isOn={isOn({ action, end })}
              onToggle={() => toggle({ action, end })}
            />
          ))}
        </section>
        <section class="card" aria-labelledby="request-faults">
          <h2 id="request-faults">Faults of requests</h2>
          <div class="row wrap">
            <Choice label="Method" value={method} options={[["", "any"], ...methods]} onChange={setMethod} />
            <label class="choice grow">
              <span>Path</span>
              <input
                class="input mono"
                placeholder="any, or a regular expression: /branches$"
                value={path}
                onInput={(event) => setPath(event.currentTarget.value)}
              />
            </label>
          </div>
          {requestEffects.map(([title, effect, members]) => (
            <Switch
              key={title}
              title={title}
              effect={effect}
              isOn={isOn({ ...target, ...members })}
              onToggle={() => toggle({ ...target, ...members })}
            />
          ))}
        </section>
      </div>
    </>
  );
}

/** The setting of the times that the next operations take. */
function OperationTime({
  current,
  onSet,
}: {
  readonly current: string;
  readonly onSet: (work: Promise<unknown>) => void;
}) {
  const [time, setTime] = useState(current);
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        onSet(ask("PUT", "/local/operation_time", { operation_time: time }));
      }}
    >
      <label class="choice">
        <span>Time of an operation</span>
        <input
          class="input mono"
          name="operation-time"
          required
          title="200ms, 200ms-5s or 500ms,start_compute=2s"
          value={time}
          onInput={(event) => setTime(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button" disabled={time === current}>
        Set
      </button>
    </form>
  );
}

function Pending({
  faults,
  origin,
  onDelete,
}: {
  readonly faults: readonly unknown[];
  readonly origin: string;
  readonly onDelete: (position: number) => void;
}) {
  return (
    <section class="card" aria-labelledby="pending-faults">
      <h2 id="pending-faults">Pending ({faults.length})</h2>
      {faults.length === 0 && <p class="soft">None: everything works as it should.</p>}
      <ul class="pending">
        {faults.map((fault, position) => {
          const { what, effect, times } = faultText(fault);
          return (
            <li key={`${position} ${what} ${effect}`}>
              <Badge tone="warn">{times}</Badge>
              <span class="mono">{what}</span>
              <span class="soft">{effect}</span>
              <span class="grow" />
              <span class="row">
                <CopyButton
                  label={`curl command of ${what} ${effect}`}
                  name="curl"
                  text={faultCommand(fault, origin)}
                />
                <button type="button" class="button small" onClick={() => onDelete(position)}>
                  Delete
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Switch({
  title,
  effect,
  isOn,
  onToggle,
}: {
  readonly title: string;
  readonly effect: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" checked={isOn} onChange={onToggle} />
      <span>
        <strong>{title}</strong>
        <span class="soft">{effect}</span>
      </span>
    </label>
  );
}
