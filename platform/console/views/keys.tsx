import { useEffect, useRef, useState } from "preact/hooks";

import type { KeyView, ViewOf } from "../../console-server/protocol";
import { ask, errorText } from "../api";
import { ageText, dateText } from "../format";
import { CopyButton } from "../parts/copy";
import { Choice, Search } from "../parts/fields";
import { Callout, Head, Problem, Table } from "../parts/layout";
import { Badge } from "../parts/status";
import { useNow, useStore } from "../store";

type KeysView = ViewOf<"keys">;

/** The API keys: creates, lists and revokes them. */
export function KeysPage({ view }: { readonly view: KeysView }) {
  const now = useNow();
  const [search, setSearch] = useState("");
  const [secret, setSecret] = useState<{ readonly name: string; readonly key: string }>();
  const created = useRef<HTMLDivElement>(null);
  // On a narrow screen, the form is far below the new key.
  useEffect(() => created.current?.scrollIntoView({ block: "nearest" }), [secret]);
  const count = view.keys.length;
  const keys = view.keys.filter((key) =>
    `${key.name} ${key.kind} ${key.owner} ${key.project ?? ""}`.toLowerCase().includes(search.toLowerCase()),
  );
  return (
    <>
      <Head
        title="API keys"
        about={`${count} valid ${count === 1 ? "key" : "keys"}. Each start of the platform adds a “console sign-in”.`}
      >
        <Search label="Search keys" value={search} onSearch={setSearch} />
      </Head>
      {secret && (
        <div ref={created} role="status">
          <Callout label="New key" tone="good" title={`${secret.name} is created`} onClose={() => setSecret(undefined)}>
            <p>Copy the key now. It cannot be shown again.</p>
            <div class="secret">
              <code data-secret>{secret.key}</code>
              <CopyButton label="key" text={secret.key} />
            </div>
          </Callout>
        </div>
      )}
      <div class="columns keys">
        <Table titles={["Name", "Kind", "Owner", "Created", "Last used", <span class="hidden">Revoke</span>]}>
          {keys.map((key) => (
            <KeyRow key={key.id} row={key} now={now} />
          ))}
        </Table>
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
      .catch((error: unknown) => setProblem(errorText(error)));
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
        <Problem text={problem} />
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
      .catch((error: unknown) => setProblem(errorText(error)));
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
      <label class="choice">
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
      <Choice
        label="For"
        value={owner}
        options={[
          ["", "you (personal key)"],
          ...view.organizations.map(({ id, name: title }) => [id, `${title} (organization key)`] as const),
        ]}
        onChange={setOwner}
      />
      {organization && (
        <Choice
          label="Limited to"
          value={project}
          options={[["", "all its projects"], ...projects.map(({ id, name: title }) => [id, title] as const)]}
          onChange={setProject}
        />
      )}
      <button type="submit" class="button primary">
        Create key
      </button>
      <Problem text={problem} />
    </form>
  );
}
