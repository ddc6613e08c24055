import { useEffect, useRef, useState } from "preact/hooks";

import type { KeyView, View } from "../../console-server/protocol";
import { ask } from "../api";
import { ageText, dateText } from "../format";
import { CopyButton } from "../parts/copy";
import { Badge } from "../parts/status";
import { useNow, useStore } from "../store";

type KeysView = Extract<View, { readonly kind: "keys" }>;

const ageMs = 30_000;

/** The API keys: creates, lists and revokes them. */
export function KeysPage({ view }: { readonly view: KeysView }) {
  const store = useStore();
  const now = useNow(store.state.now, ageMs);
  const [search, setSearch] = useState("");
  const [secret, setSecret] = useState<{ readonly name: string; readonly key: string }>();
  const created = useRef<HTMLElement>(null);
  // On a narrow screen, the form is far below the new key.
  useEffect(() => created.current?.scrollIntoView({ block: "nearest" }), [secret]);
  const keys = view.keys.filter((key) =>
    `${key.name} ${key.kind} ${key.owner} ${key.project ?? ""}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <div class="head">
        <div class="titles">
          <h1>API keys</h1>
          <p class="soft">
            {view.keys.length === 1 ? "1 valid key" : `${view.keys.length} valid keys`}. Each start of the platform adds
            a “console sign-in”.
          </p>
        </div>
        <div class="tools">
          <input
            data-search
            class="input"
            type="search"
            placeholder="Search  /"
            aria-label="Search keys"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
      </div>
      {secret && (
        <section ref={created} class="callout good" aria-label="New key" role="status">
          <div class="section-head">
            <h2>{secret.name} is created</h2>
            <button type="button" class="close" aria-label="Close" onClick={() => setSecret(undefined)}>
              ×
            </button>
          </div>
          <p>Copy the key now. It cannot be shown again.</p>
          <div class="secret">
            <code data-secret>{secret.key}</code>
            <CopyButton label="key" text={secret.key} />
          </div>
        </section>
      )}
      <div class="columns keys">
        <section class="table-box">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Owner</th>
                <th scope="col">Created</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="hidden">Revoke</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <KeyRow key={key.id} row={key} now={now} />
              ))}
            </tbody>
          </table>
        </section>
        <NewKey view={view} onCreated={setSecret} />
      </div>
    </>
  );
}

function KeyRow({ row, now }: { readonly row: KeyView; readonly now: number }) {
  const store = useStore();
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string>();
  const revoke = (): void => {
    ask("DELETE", `/local/keys/${row.id}`)
      .then(() => store.read())
      .catch((error: unknown) => setProblem(String(error)));
  };
  return (
    <tr>
      <th scope="row">{row.name}</th>
      <td data-title="Kind">
        <Badge tone={row.kind === "personal" ? "accent" : "quiet"}>{row.kind}</Badge>
      </td>
      <td data-title="Owner">
        {row.owner}
        {row.project !== undefined && <span class="soft">, {row.project}</span>}
      </td>
      <td class="soft" data-title="Created" title={dateText(row.createdAt)}>
        {ageText(row.createdAt, now)}
      </td>
      <td class="soft" data-title="Last used">
        {row.lastUsedAt === undefined ? "never" : ageText(row.lastUsedAt, now)}
      </td>
      <td class="end">
        {isAsked ? (
          <button
            type="button"
            class="button small danger"
            // Ignore the second click of a double click.
            onClick={({ detail }) => detail < 2 && revoke()}
            onBlur={() => setAsked(false)}
          >
            Revoke for good
          </button>
        ) : (
          <button type="button" class="button small" aria-label={`Revoke ${row.name}`} onClick={() => setAsked(true)}>
            Revoke
          </button>
        )}
        {problem !== undefined && <p class="problem">{problem}</p>}
      </td>
    </tr>
  );
}

function NewKey({
  view,
  onCreated,
}: {
  readonly view: KeysView;
  readonly onCreated: (created: { readonly name: string; readonly key: string }) => void;
}) {
  const store = useStore();
  const [name, setName] = useState("");
  const [owner, setOwner] = useState("");
  const [project, setProject] = useState("");
  const [problem, setProblem] = useState<string>();
  const organization = view.organizations.find(({ id }) => id === owner);
  const projects = store.state.projects.filter((each) => each.owner === organization?.name);
  const create = (): void => {
    const body = {
      name,
      ...(owner === "" ? {} : { org_id: owner }),
      ...(owner === "" || project === "" ? {} : { project_id: project }),
    };
    ask<{ readonly key: string }>("POST", "/local/keys", body)
      .then(({ key }) => {
        onCreated({ name, key });
        setName("");
        setProblem(undefined);
        return store.read();
      })
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
  };
  return (
    <form
      class="card form"
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <h2>New key</h2>
      <label>
        <span>Name</span>
        <input
          class="input"
          name="name"
          required
          maxLength={64}
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        <span>For</span>
        <select class="input" value={owner} onChange={(event) => setOwner(event.currentTarget.value)}>
          <option value="">you (personal key)</option>
          {view.organizations.map(({ id, name: title }) => (
            <option key={id} value={id}>
              {title} (organization key)
            </option>
          ))}
        </select>
      </label>
      {organization && (
        <label>
          <span>Limited to</span>
          <select class="input" value={project} onChange={(event) => setProject(event.currentTarget.value)}>
            <option value="">all its projects</option>
            {projects.map(({ id, name: title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="submit" class="button primary">
        Create key
      </button>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
