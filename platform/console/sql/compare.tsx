import { useState } from "preact/hooks";

import type { SqlTarget } from "../../console-server/protocol";
import { useAnswer } from "../answer";
import { Choice } from "../parts/fields";
import { Problem } from "../parts/layout";

/** A line of both texts, side by side. */
interface Pair {
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Pairs the lines of a difference in unified format. */
function pairsOf(diff: string): (Pair | "gap")[] {
  const pairs: (Pair | "gap")[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  const flush = (): void => {
    const count = Math.max(removed.length, added.length);
    for (let index = 0; index < count; index += 1) pairs.push({ left: removed[index], right: added[index] });
    removed.length = 0;
    added.length = 0;
  };
  for (const line of diff.split("\n").slice(2)) {
    if (line.startsWith("-")) removed.push(line.slice(1));
    else if (line.startsWith("+")) added.push(line.slice(1));
    else {
      flush();
      if (line.startsWith("@@")) pairs.push("gap");
      else if (line !== "") pairs.push({ left: line.slice(1), right: line.slice(1) });
    }
  }
  flush();
  return pairs;
}

/** Compares the schemas of a database on two branches. */
export function Compare({
  target,
  database,
  targets,
}: {
  readonly target: SqlTarget;
  readonly database: string;
  readonly targets: readonly SqlTarget[];
}) {
  const others = targets.filter(
    ({ branchId, projectId, databases }) =>
      branchId !== target.branchId && projectId === target.projectId && databases.some(({ name }) => name === database),
  );
  const [otherId, setOtherId] = useState("");
  const base = others.find(({ branchId }) => branchId === otherId) ?? others[0];
  const query = new URLSearchParams({
    branch_id: target.branchId,
    base_branch_id: base?.branchId ?? "",
    database_name: database,
  });
  const { answer, problem } = useAnswer<{ readonly diff: string }>(
    "GET",
    base && `/local/compare_schema?${query.toString()}`,
  );
  const diff = answer?.diff;
  if (!base) return <p class="soft">No other branch of this project has the database {database}.</p>;
  return (
    <section class="compare" aria-label="Comparison of schemas">
      <Choice
        label="Compare with"
        value={base.branchId}
        options={others.map(({ branchId, branch }) => [branchId, branch])}
        onChange={setOtherId}
      />
      <Problem text={problem} />
      {diff === undefined && problem === undefined && <p class="soft">Reading both schemas…</p>}
      {diff === "" && <p>The schemas are equal.</p>}
      {diff !== undefined && diff !== "" && (
        <div class="grid-box" tabIndex={0} role="region" aria-label="Differences">
          <table class="diff">
            <thead>
              <tr>
                <th scope="col">{base.branch}</th>
                <th scope="col">{target.branch}</th>
              </tr>
            </thead>
            <tbody>
              {pairsOf(diff).map((pair, index) =>
                pair === "gap" ? (
                  <tr key={index} class="gap">
                    <td colSpan={2}>…</td>
                  </tr>
                ) : (
                  <tr key={index}>
                    <td class={pair.left === pair.right ? undefined : pair.left === undefined ? "none" : "removed"}>
                      {pair.left}
                    </td>
                    <td class={pair.left === pair.right ? undefined : pair.right === undefined ? "none" : "added"}>
                      {pair.right}
                    </td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
