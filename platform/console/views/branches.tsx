import { useState } from "preact/hooks";

import type { ProjectView, ViewOf } from "../../console-server/protocol";
import { ageText, bytesText } from "../format";
import { go } from "../navigate";
import { Search, Select } from "../parts/fields";
import { Head } from "../parts/layout";
import { State } from "../parts/status";
import { VirtualList } from "../parts/virtual-list";
import { type Store, useNow, useStore } from "../store";
import { BranchBadges } from "./branch-badges";
import { BranchPanel } from "./branch-panel";
import { FirstRun } from "./first-run";
import { ProjectPanel } from "./project-panel";
import { treeRows, type TreeRow } from "./tree";

const rowHeight = 40;

/** Projects, and the branches of one of them as a tree. */
export function BranchesPage({ view }: { readonly view: ViewOf<"branches"> }) {
  const store = useStore();
  const project = store.state.projects.find(({ id }) => id === view.projectId);
  if (!project) {
    return (
      <FirstRun title="No projects yet">
        Run a program against this platform, and what it creates appears here at once.
      </FirstRun>
    );
  }
  return <Branches store={store} view={view} project={project} />;
}

interface Props {
  readonly store: Store;
  readonly view: ViewOf<"branches">;
  readonly project: ProjectView;
}

function Branches({ store, view, project }: Props) {
  const [search, setSearch] = useState("");
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const now = useNow();
  const rows = treeRows(view.branches, closed, search);
  const selected = view.branches.find(({ id }) => id === view.detail?.id);
  const open = ({ branch }: TreeRow): void => {
    // On a narrow screen, the panel is above the list.
    const showPanel = (): void => document.querySelector(".has-detail .detail")?.scrollIntoView();
    void go(store, `/projects/${project.id}/branches/${branch.id}`).then(() => requestAnimationFrame(showPanel));
  };
  const fold = (id: string, isClosed: boolean): boolean => {
    const next = new Set(closed);
    if (isClosed) next.add(id);
    else next.delete(id);
    setClosed(next);
    return true;
  };
  return (
    <>
      <Head title={project.name} about={`${project.region} · Postgres ${project.postgres} · ${project.owner}`}>
        <ProjectPicker store={store} projects={store.state.projects} selected={project.id} now={now} />
        <Search label="Search branches" placeholder="Search branches  /" value={search} onSearch={setSearch} />
      </Head>
      <div class={`split ${selected ? "has-detail" : ""}`}>
        <VirtualList
          class="branch-list"
          label={`Branches of ${project.name}`}
          role="treegrid"
          columns={["Branch", "Compute", "Size", "Created"]}
          rows={rows}
          rowHeight={rowHeight}
          keyOf={({ branch }) => branch.id}
          selected={selected?.id}
          empty={search === "" ? "No branches." : `No branch matches “${search}”.`}
          onOpen={open}
          onKey={(key, row) => {
            if (key === "ArrowLeft" && row.children > 0) return fold(row.branch.id, true);
            return key === "ArrowRight" && row.children > 0 ? fold(row.branch.id, false) : false;
          }}
          rowProps={({ level, children, isOpen }) => ({
            "aria-level": level,
            "aria-expanded": children > 0 ? isOpen : undefined,
          })}
          cells={(row) => <BranchCells row={row} now={now} onFold={() => fold(row.branch.id, row.isOpen)} />}
        />
        {selected && view.detail ? (
          <BranchPanel
            key={selected.id}
            branch={selected}
            detail={view.detail}
            parent={view.branches.find(({ id }) => id === selected.parentId)}
            project={project}
            operations={view.operations}
          />
        ) : (
          <ProjectPanel project={project} branches={view.branches} operations={view.operations} />
        )}
      </div>
    </>
  );
}

function BranchCells({
  row,
  now,
  onFold,
}: {
  readonly row: TreeRow;
  readonly now: number;
  readonly onFold: () => void;
}) {
  const { branch, level, children, isOpen } = row;
  const primary = branch.computes.find(({ type }) => type === "read_write");
  const replicas = branch.computes.length - (primary ? 1 : 0);
  return (
    <>
      <span role="gridcell" class="name-cell">
        <Guides level={level} />
        {children > 0 ? (
          <button
            type="button"
            class={`fold ${isOpen ? "open" : ""}`}
            tabIndex={-1}
            aria-label={`${isOpen ? "Fold" : "Unfold"} ${branch.name}`}
            onClick={(event) => {
              event.stopPropagation();
              onFold();
            }}
          />
        ) : (
          <span class="fold leaf" />
        )}
        <span class="name cut" title={branch.name}>
          {branch.name}
        </span>
        <BranchBadges branch={branch} now={now} />
      </span>
      <span role="gridcell">
        {primary ? (
          <State state={primary.state} pending={primary.pending} />
        ) : (
          <State state={branch.computes.length > 0 ? "replica" : "no compute"} pending={undefined} />
        )}
        {replicas > 0 && <span class="soft"> +{replicas}</span>}
      </span>
      <span role="gridcell" class="number">
        {bytesText(branch.bytes)}
      </span>
      <span role="gridcell" class="soft">
        {ageText(branch.createdAt, now)}
      </span>
    </>
  );
}

/** Draws the lines that lead to the parents. */
function Guides({ level }: { readonly level: number }) {
  return (
    <>
      {Array.from({ length: Math.min(level - 1, 12) }, (_, index) => (
        <span class="guide" key={index} />
      ))}
    </>
  );
}

function ProjectPicker({
  store,
  projects,
  selected,
  now,
}: {
  readonly store: Store;
  readonly projects: readonly ProjectView[];
  readonly selected: string;
  readonly now: number;
}) {
  if (projects.length < 2) return null;
  return (
    <Select
      label="Project"
      value={selected}
      options={projects.map(({ id, name, region, branches, createdAt }) => [
        id,
        [name, region, `${branches} ${branches === 1 ? "branch" : "branches"}`, ageText(createdAt, now), id].join(
          " · ",
        ),
      ])}
      onChange={(id) => void go(store, `/projects/${id}`)}
    />
  );
}
