import { useEffect, useState } from "preact/hooks";

import type { BranchDetail } from "../../console-server/protocol";
import { useAnswer } from "../answer";
import { ask } from "../api";
import { CopyButton } from "../parts/copy";
import { Choice } from "../parts/fields";
import { Problem } from "../parts/layout";

interface Connection {
  readonly uri: string;
}

const forms = { uri: "URI", psql: "psql", env: ".env" } as const;
type Form = keyof typeof forms;

/** The forms of a connection string. */
const written: Readonly<Record<Form, (uri: string) => string>> = {
  uri: (uri) => uri,
  psql: (uri) => `psql '${uri}'`,
  env: (uri) => `DATABASE_URL="${uri}"`,
};

const hidden = (uri: string): string => uri.replace(/:[^:@/]*@/, ":••••••••@");

/** Connection strings of a branch. The password is hidden until somebody wants to see it. */
export function Connect({ branchId, detail }: { readonly branchId: string; readonly detail: BranchDetail }) {
  const [database, setDatabase] = useState(detail.databases[0]?.name ?? "");
  const [role, setRole] = useState(detail.databases[0]?.owner ?? "");
  const [form, setForm] = useState<Form>("uri");
  const [isShown, setShown] = useState(false);
  const query = new URLSearchParams({ branch_id: branchId, database_name: database, role_name: role });
  const path = `/local/connection_uri?${query.toString()}`;
  const { answer, problem } = useAnswer<Connection>("GET", path);
  useEffect(() => setShown(false), [path]);
  const uri = answer?.uri;
  const text = uri === undefined ? "…" : written[form](isShown ? uri : hidden(uri));
  return (
    <section>
      <h2>Connect</h2>
      <div class="row wrap choices">
        <Choice
          label="Database"
          value={database}
          options={detail.databases.map(({ name }) => name)}
          onChange={setDatabase}
        />
        <Choice label="Role" value={role} options={detail.roles.map(({ name }) => name)} onChange={setRole} />
        <div class="tabs" role="group" aria-label="Form">
          {Object.entries(forms).map(([name, title]) => (
            <button type="button" key={name} aria-pressed={form === name} onClick={() => setForm(name as Form)}>
              {title}
            </button>
          ))}
        </div>
      </div>
      {problem === undefined ? (
        <div class="secret">
          <code>{text}</code>
          <div class="row">
            <button type="button" class="button small" onClick={() => setShown(!isShown)}>
              {isShown ? "Hide password" : "Show password"}
            </button>
            <CopyButton
              label="connection string"
              text={async () => written[form]((await ask<Connection>("GET", path)).uri)}
            />
          </div>
        </div>
      ) : (
        <Problem text={problem} />
      )}
    </section>
  );
}
