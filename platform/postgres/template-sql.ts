/** The role whose rights every role of the API has. It is not a superuser. */
export const privilegedRole = "neon_superuser";

/**
 * The attributes of a role of the API. Below Postgres 16, a role with `CREATEROLE` could grant itself the right to run programs
 * of the operating system.
 */
export function roleAttributes(major: number): string {
  return `INHERIT CREATEDB ${major >= 16 ? "CREATEROLE" : "NOCREATEROLE"} BYPASSRLS REPLICATION`;
}

/** The statements that prepare an empty cluster for the platform. */
export function preparationOf(major: number): readonly string[] {
  const memberships = ["pg_read_all_data", "pg_write_all_data"];
  const newer = major >= 16 ? ["pg_create_subscription"] : [];
  const newest = major >= 17 ? ["pg_maintain"] : [];
  return [
    `CREATE ROLE ${privilegedRole} NOLOGIN ${roleAttributes(major)}`,
    `GRANT ${[...memberships, ...newer, ...newest].join(", ")} TO ${privilegedRole}`,
    // With the admin option, roles can grant these to others.
    `GRANT pg_monitor, pg_signal_backend TO ${privilegedRole} WITH ADMIN OPTION`,
    // Only the platform may create objects in its own database.
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
  ];
}

/** The databases of an empty cluster. All others are copies of a template. */
export const firstDatabases = ["template0", "template1", "postgres"];

/** The statements for each of these databases: they grant functions that only a superuser may call otherwise. */
export function databasePreparationOf(major: number): readonly string[] {
  const newer = major >= 16 ? ["pg_log_standby_snapshot()"] : [];
  return ["pg_show_replication_origin_status()", ...newer].map(
    (name) => `GRANT EXECUTE ON FUNCTION pg_catalog.${name} TO ${privilegedRole}`,
  );
}
