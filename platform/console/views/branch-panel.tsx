import type { BranchDetail, BranchPage, BranchView, OperationView, ProjectView } from "../../console-server/protocol";
import { ageText, bytesText, dateText } from "../format";
import { newestOperations } from "../merge";
import { Code, Pairs } from "../parts/layout";
import { Badge, State } from "../parts/status";
import { useNow, useStore } from "../store";
import { branchPages } from "../title";
import { BranchBadges } from "./branch-badges";
import { Connect } from "./connect";
import { OperationRows } from "./operation-rows";

const shownOperations = 8;

interface Props {
  readonly branch: BranchView;
  readonly detail: BranchDetail;
  readonly parent: BranchView | undefined;
  readonly project: ProjectView;
  readonly operations: readonly OperationView[];
}

/** Everything about one branch. */
export function BranchPanel({ branch, detail, parent, project, operations }: Props) {
  const { state } = useStore();
  const now = useNow();
  const live = state.operations.filter(({ branchId }) => branchId === branch.id);
  const shown = newestOperations([...operations, ...live]).slice(0, shownOperations);
  return (
    <aside class="detail" aria-label={`Branch ${branch.name}`}>
      <div class="section-head">
        <div>
          <h2 class="branch-name">{branch.name}</h2>
          <p class="badges">
            <BranchBadges branch={branch} now={now} />
          </p>
        </div>
        <a class="close" href={`/projects/${project.id}`} aria-label="Close">
          ×
        </a>
      </div>
      <p class="actions">
        <a class="button primary" href={`/sql?branch=${branch.id}`}>
          Run SQL
        </a>
      </p>
      {branch.canConnect && <Connect branchId={branch.id} detail={detail} />}
      <section>
        <h2>Computes</h2>
        {branch.computes.length === 0 && <p class="soft">None.</p>}
        {branch.computes.map((compute) => (
          <div class="card" key={compute.id}>
            <div class="row">
              <State state={compute.state} pending={compute.pending} />
              <span class="soft">{compute.type === "read_write" ? "read-write" : "read replica"}</span>
              <span class="grow" />
              <span class="number">{compute.size}</span>
            </div>
            <Pairs
              facts={[
                ["Id", <Code>{compute.id}</Code>],
                ["Host", <Code>{compute.host}</Code>],
                ["Process", compute.pid],
                ["Last active", compute.lastActiveAt && ageText(compute.lastActiveAt, now)],
              ]}
            />
          </div>
        ))}
      </section>
      <section class="two">
        <div>
          <h2>Databases</h2>
          <ul class="plain-list">
            {detail.databases.map(({ name, owner }) => (
              <li key={name}>
                {name} <span class="soft">of {owner}</span>
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h2>Roles</h2>
          <ul class="plain-list">
            {detail.roles.map(({ name, hasPassword, isProtected }) => (
              <li key={name}>
                {name} {isProtected && <Badge tone="warn">protected</Badge>}
                {!hasPassword && <span class="soft">no stored password</span>}
              </li>
            ))}
          </ul>
        </div>
      </section>
      <section>
        <h2>Services</h2>
        <ul class="plain-list">
          {Object.entries(branchPages).map(([page, title]) => (
            <li key={page}>
              <a href={`/projects/${project.id}/branches/${branch.id}/${page}`}>{title}</a>{" "}
              <span class="soft">{detail.services[page as BranchPage]}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Snapshots</h2>
        {detail.snapshots.length === 0 && <p class="soft">None.</p>}
        <ul class="plain-list">
          {detail.snapshots.map((snapshot) => (
            <li key={snapshot.id}>
              {snapshot.name}{" "}
              <span class="soft">
                {snapshot.isManual ? "requested" : "scheduled"}, {ageText(snapshot.createdAt, now)}
                {snapshot.expiresAt === undefined ? "" : `, until ${dateText(snapshot.expiresAt)}`}
              </span>
            </li>
          ))}
        </ul>
        <p class="soft">{detail.schedule.length === 0 ? "No schedule." : `Schedule: ${detail.schedule.join("; ")}`}</p>
      </section>
      <section>
        <h2>Operations</h2>
        <OperationRows operations={shown} />
      </section>
      <section>
        <h2>Branch</h2>
        <Pairs
          facts={[
            ["Id", <Code>{branch.id}</Code>],
            ["Parent", parent ? <a href={`/projects/${project.id}/branches/${parent.id}`}>{parent.name}</a> : "none"],
            ["Source", branch.source],
            ["Size", bytesText(branch.bytes)],
            ["Created", dateText(branch.createdAt)],
          ]}
        />
      </section>
    </aside>
  );
}
