import type { BranchView, OperationView, ProjectView } from "../../console-server/protocol";
import { bytesText, dateText } from "../format";
import { newestOperations } from "../merge";
import { Code, Pairs } from "../parts/layout";
import { useStore } from "../store";
import { OperationRows } from "./operation-rows";

const secondsPerHour = 3_600;
const shownOperations = 14;

/** A panel about a project next to its branches: its numbers, and its latest operations. */
export function ProjectPanel({
  project,
  branches,
  operations,
}: {
  readonly project: ProjectView;
  readonly branches: readonly BranchView[];
  readonly operations: readonly OperationView[];
}) {
  const store = useStore();
  const live = store.state.operations.filter(({ projectId }) => projectId === project.id);
  const shown = newestOperations([...operations, ...live]).slice(0, shownOperations);
  const bytes = branches.reduce((total, branch) => total + (branch.bytes ?? 0), 0);
  return (
    <aside class="detail" aria-label={`Project ${project.name}`}>
      <dl class="figures">
        <div>
          <dt>Branches</dt>
          <dd>{project.branches}</dd>
        </div>
        <div>
          <dt>Active computes</dt>
          <dd>{project.activeComputes}</dd>
        </div>
        <div>
          <dt>Data</dt>
          <dd>{bytesText(bytes)}</dd>
        </div>
        <div>
          <dt>History</dt>
          <dd>{Math.round(project.historySeconds / secondsPerHour)} h</dd>
        </div>
      </dl>
      <section>
        <div class="section-head">
          <h2>Operations</h2>
          <a href="/operations">All</a>
        </div>
        <OperationRows operations={shown} />
      </section>
      <section>
        <h2>Project</h2>
        <Pairs
          facts={[
            ["Id", <Code>{project.id}</Code>],
            ["Owner", project.owner],
            ["Created", dateText(project.createdAt)],
          ]}
        />
      </section>
    </aside>
  );
}
