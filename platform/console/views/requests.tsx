import { useEffect, useState } from "preact/hooks";

import { hasWords, type RequestView, type ViewOf } from "../../console-server/protocol";
import { durationText } from "../../pulumi-run/scale";
import { ask } from "../api";
import { after } from "../clock";
import { requestCommand } from "../curl";
import { clockText, toneOfStatus } from "../format";
import { CopyButton } from "../parts/copy";
import { Search } from "../parts/fields";
import { Callout, Code, Head, Pairs } from "../parts/layout";
import { VirtualList } from "../parts/virtual-list";
import { useStore } from "../store";

const rowHeight = 34;
const typingMs = 200;

/** The log of the requests to the API. */
export function RequestsPage({ view }: { readonly view: ViewOf<"requests"> }) {
  const { state } = useStore();
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<number>();
  const found = useSearch(search);
  const all = [...new Map([...found, ...view.requests].map((row) => [row.number, row])).values()];
  const rows = all.filter((row) => hasWords(row, search)).toSorted((one, other) => other.number - one.number);
  const selected = rows.find(({ number }) => number === opened);
  return (
    <>
      <Head title="Requests" about="What the API has received, newest first. Secrets are replaced.">
        <Search
          label="Search requests"
          placeholder="Search: POST branches 423  /"
          isWide
          value={search}
          onSearch={setSearch}
        />
      </Head>
      {selected && (
        <Callout
          label="Request"
          tone={toneOfStatus(selected.status)}
          title={<Code>{`${selected.method} ${selected.path}`}</Code>}
          onClose={() => setOpened(undefined)}
        >
          <Pairs
            facts={[
              ["Request id", <Code>{selected.requestId}</Code>],
              ["Client", selected.agent === "" ? "not named" : selected.agent],
            ]}
          />
          {selected.body !== undefined && <pre>{pretty(selected.body)}</pre>}
          <div class="secret">
            <code>{requestCommand(selected, state.origin)}</code>
            <CopyButton label="curl command" text={requestCommand(selected, state.origin)} />
          </div>
        </Callout>
      )}
      <VirtualList
        class="request-list"
        label="Requests"
        role="grid"
        columns={["Time", "Method", "Path", "Status", "Took"]}
        rows={rows}
        rowHeight={rowHeight}
        keyOf={({ number }) => String(number)}
        selected={opened === undefined ? undefined : String(opened)}
        empty={search === "" ? "No requests since this platform has started." : `No request matches “${search}”.`}
        onOpen={({ number }) => setOpened(number)}
        cells={(row) => (
          <>
            <span role="gridcell" class="soft number">
              {clockText(row.time)}
            </span>
            <span role="gridcell" class="strong">
              {row.method}
            </span>
            <span role="gridcell" class="mono cut path" title={row.path}>
              <bdi>{row.path}</bdi>
            </span>
            <span role="gridcell">
              <span class={`badge ${toneOfStatus(row.status)}`}>
                {row.status ?? (row.milliseconds === undefined ? "…" : "dropped")}
              </span>
            </span>
            <span role="gridcell" class="number soft">
              {row.milliseconds === undefined ? "" : durationText(row.milliseconds)}
            </span>
          </>
        )}
      />
    </>
  );
}

/** The requests that the platform finds in its whole log. */
function useSearch(search: string): readonly RequestView[] {
  const [found, setFound] = useState<readonly RequestView[]>([]);
  useEffect(() => {
    if (search.trim() === "") {
      setFound([]);
      return undefined;
    }
    return after(typingMs, () => {
      ask<{ readonly requests: readonly RequestView[] }>(
        "GET",
        `/console/requests?search=${encodeURIComponent(search)}`,
      )
        .then(({ requests }) => setFound(requests))
        .catch(() => undefined);
    });
  }, [search]);
  return found;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
