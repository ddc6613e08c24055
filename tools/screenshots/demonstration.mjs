/**
 * A local platform.
 *
 * @typedef {object} Platform
 * @property {string} apiUrl
 * @property {string} apiKey
 * @property {string} consoleUrl
 * @property {() => Promise<void>} close
 */

const pollMs = 250;
const dayMs = 86_400_000;

/** What the provider calls itself, so that the requests count as a run of Pulumi. */
const client = "neon-pulumi (node 22.12.0; linux x64)";

const orders = [
  "create table customers (id int primary key, name text not null)",
  "create table orders (id int primary key, customer text, total numeric(10,2), placed timestamptz)",
  `insert into orders select n, 'customer ' || n % 40, round((random() * 500)::numeric, 2), now() - n * interval '1 hour'
   from generate_series(1, 2000) n`,
];

/**
 * Makes a shop with its branches, as a program would.
 *
 * @param {Platform} platform
 */
export async function demonstration({ apiUrl, apiKey, consoleUrl }) {
  /** @param {string} method @param {string} path @param {object} [body] */
  const call = async (method, path, body) => {
    const response = await fetch(apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "user-agent": client },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
  const { organizations } = await call("GET", "/users/me/organizations");
  const { project, branch: main } = await call("POST", "/projects", {
    project: { name: "shop", org_id: organizations[0].id, region_id: "aws-eu-central-1", branch: { name: "main" } },
  });
  const at = `/projects/${project.id}`;
  const settle = async () => {
    for (;;) {
      const { operations } = await call("GET", `${at}/operations`);
      if (operations.every((/** @type {{ status: string }} */ { status }) => /finished|error/.test(status))) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  /** @param {string} name @param {object} [more] */
  const branch = async (name, more = {}) => {
    await settle();
    const body = { branch: { name, parent_id: main.id, ...more }, endpoints: [{ type: "read_write" }] };
    return (await call("POST", `${at}/branches`, body)).branch;
  };
  const staging = await branch("staging");
  const expires_at = `${new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 19)}Z`;
  await branch("preview-pr-42", { parent_id: staging.id, expires_at });
  await branch("preview-pr-57", { parent_id: staging.id, expires_at });
  await branch("dev-ann");
  await settle();
  await call("POST", `${at}/branches/${main.id}/roles`, { role: { name: "reporting" } });
  await settle();
  await call("POST", `${at}/branches/${main.id}/databases`, {
    database: { name: "analytics", owner_name: "reporting" },
  });
  await settle();
  await call("PATCH", `${at}/branches/${main.id}`, { branch: { protected: true } });
  await call("POST", `${at}/branches/${main.id}/snapshot?name=before-release`);
  await settle();
  const response = await fetch(`${consoleUrl}/console/sql`, {
    method: "POST",
    body: JSON.stringify({ branch_id: main.id, database_name: "neondb", statements: orders }),
  });
  await response.text();
  // The sizes of the branches are read again.
  await call("GET", `${at}/branches`);
}
