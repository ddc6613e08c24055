/**
 * Settings of `pg` for the platform's own sessions. `pg` takes those that are missing from the environment, where `PGSSLMODE` and
 * the like are for the user's databases. A text that is empty counts as missing.
 */
export const ownSettings = { ssl: false, sslnegotiation: "postgres", options: " " } as const;
