/** The role whose rights every role of the API has. It is no superuser. */
export const privilegedRole = "neon_superuser";

/**
 * The attributes of a role of the API. Below Postgres 16, a role with `CREATEROLE` could grant itself the right to run programs
 * of the operating system.
 */
export function roleAttributes(major: number): string {
  return `INHERIT CREATEDB ${major >= 16 ? "CREATEROLE" : "NOCREATEROLE"} BYPASSRLS REPLICATION`;
}

/** The statements that make an empty cluster one of the platform. */
export function preparationOf(major: number): readonly string[] {
  const memberships = ["pg_read_all_data", "pg_write_all_data", "pg_monitor", "pg_signal_backend"];
  const newer = major >= 16 ? ["pg_create_subscription"] : [];
  const newest = major >= 17 ? ["pg_maintain"] : [];
  return [
    `CREATE ROLE ${privilegedRole} NOLOGIN ${roleAttributes(major)}`,
    `GRANT ${[...memberships, ...newer, ...newest].join(", ")} TO ${privilegedRole}`,
    // The platform's own database is closed to everybody else's objects.
    "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
  ];
}
