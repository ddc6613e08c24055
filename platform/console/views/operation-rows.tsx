import type { OperationView } from "../../console-server/protocol";
import { actionText, clockText, toneOf } from "../format";
import { Badge, DurationBar } from "../parts/status";
import { useNow } from "../store";

const tickMs = 200;

/** A short list of operations, with bars that grow while they run. */
export function OperationRows({ operations }: { readonly operations: readonly OperationView[] }) {
  const now = useNow(operations.some(({ isEnded }) => !isEnded) ? tickMs : 0);
  const longest = Math.max(1, ...operations.map(({ milliseconds }) => milliseconds));
  if (operations.length === 0) return <p class="soft">None yet.</p>;
  return (
    <ul class="operation-rows">
      {operations.map((operation) => (
        <li key={operation.id}>
          <span>
            <strong>{actionText(operation.action)}</strong>
            <span class="soft"> {operation.branch ?? ""}</span>
          </span>
          <Badge tone={toneOf(operation.label)}>{operation.label}</Badge>
          <DurationBar operation={operation} longest={longest} now={now} />
          <span class="soft number">{clockText(operation.createdAt).slice(0, 8)}</span>
          {operation.error !== undefined && <p class="problem">{operation.error}</p>}
        </li>
      ))}
    </ul>
  );
}
