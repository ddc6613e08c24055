/** Settings of a Postgres server by name. */
export type Settings = Readonly<Record<string, string | number>>;

/** More than the log of any cluster, so that none of it is removed. */
export const keptLog = "1000000000MB";

/**
 * The settings of every cluster: small, reachable by a Unix socket only, and with its whole history in `pg_wal`.
 *
 * Without `fsync`, a killed process loses nothing; only a power failure loses data. `synchronous_commit` stays on: without it, a
 * commit is acknowledged before it is in the log.
 */
export function platformSettings(major: number): Settings {
  return {
    listen_addresses: "",
    shared_buffers: "16MB",
    max_connections: 112,
    jit: "off",
    huge_pages: "off",
    fsync: "off",
    wal_level: "replica",
    wal_keep_size: keptLog,
    // Pruned log must free its space on disk.
    wal_recycle: "off",
    min_wal_size: "5MB",
    max_wal_size: "256MB",
    autovacuum_naptime: "60s",
    bgwriter_lru_maxpages: 0,
    // Not below the values that initdb has written to the log, because a recovery refuses that.
    max_wal_senders: 10,
    max_worker_processes: 8,
    wal_retrieve_retry_interval: "200ms",
    timezone: "GMT",
    log_timezone: "GMT",
    // A failing statement may contain a password.
    log_min_error_statement: "panic",
    ...(major >= 18 ? { io_method: "sync" } : {}),
  };
}

/**
 * Settings that run commands, load libraries, or name files and sockets. The platform depends on them, and they would let a
 * database reach files and programs that its user must not reach.
 */
const refused = new RegExp(
  `^(${[
    ".*_command",
    ".*_library",
    ".*_libraries",
    ".*_file",
    ".*_file_name",
    ".*_conninfo",
    ".*director(y|ies)",
    "log_filename",
    "log_destination",
    "dynamic_library_path",
    "extension_control_path",
    "cluster_name",
    "event_source",
    "unix_socket_.*",
    "listen_addresses",
    "port",
    "bonjour.*",
    "ssl.*",
    "krb_.*",
    "recovery_.*",
    "primary_.*",
    "archive_.*",
    "hot_standby",
    "wal_keep_size",
    "wal_segment_size",
    "include.*",
    "allow_alter_system",
  ].join("|")})$`,
  "i",
);
const settingName = /^[a-z_][a-z0-9_$]*(\.[a-z_][a-z0-9_$]*)?$/i;

/** @throws Error if a setting of a compute is one that the platform controls. */
export function checkSettings(settings: Settings): void {
  for (const name of Object.keys(settings)) {
    if (!settingName.test(name)) throw new Error(`"${name}" is not the name of a Postgres setting`);
    if (refused.test(name)) throw new Error(`the Postgres setting "${name}" cannot be changed on the local platform`);
  }
}

/** The text of a configuration file. */
export function configuration(settings: Settings): string {
  const quoted = (value: string | number): string =>
    `'${String(value).replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${quoted(value)}\n`)
    .join("");
}
