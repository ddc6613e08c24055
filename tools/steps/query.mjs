/** Timeout of a query: long enough to wake a compute, short enough that `npm start` ends. */
const queryMs = 10_000;

const sql = "select current_setting('server_version') as version, current_database() as database, current_user as role";

/**
 * @typedef {object} Compute
 * @property {string} type
 */

/**
 * @typedef {object} Branch
 * @property {string} id
 * @property {string} name
 * @property {string | null} folder
 * @property {Compute[]} computes
 */

/**
 * Queries the newest branch with a compute on a local platform over HTTP, with its connection URI.
 *
 * @param {string} consoleUrl
 * @returns {Promise<string>} One line with the branch's answer, or the reason why there is none.
 */
export async function queryNewestBranch(consoleUrl) {
  const began = performance.now();
  try {
    const { projects } = await getJson(`${consoleUrl}/local/status`);
    /** @type {Branch[]} */
    const branches = projects.flatMap((/** @type {{ branches: Branch[] }} */ project) => project.branches);
    const branch = branches.findLast(({ computes }) => computes.some(({ type }) => type === "read_write"));
    if (!branch) return "No query: no branch has a compute.";
    if (branch.folder === null) return "No query: no Postgres was found, so the branches have no databases.";
    const { uri } = await getJson(`${consoleUrl}/local/connection_uri?branch_id=${branch.id}`);
    const { hostname, port } = new URL(uri);
    const { rows } = await getJson(`http://${hostname}:${port || 5432}/sql`, {
      method: "POST",
      headers: { "Neon-Connection-String": uri },
      body: JSON.stringify({ query: sql, params: [] }),
    });
    const [{ version, database, role }] = rows;
    const time = Math.round(performance.now() - began);
    return `Branch ${branch.name} answers at ${hostname} (${time} ms): PostgreSQL ${version}, database ${database}, role ${role}.`;
  } catch (error) {
    return `No query: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/**
 * Gets JSON from the local platform.
 *
 * @param {string} url
 * @param {RequestInit} [init]
 */
export async function getJson(url, init) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(queryMs) });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
}
