import type { Answer, vendor } from "../../published/answers";

/** The libraries that Postgres can load when it starts, each with the newest version of Postgres that has the library. */
const libraries = [
  { library_name: "timescaledb", description: "Tables partitioned by time", version: "2.17.1", newestPostgres: 17 },
  { library_name: "pg_cron", description: "Runs SQL on a schedule", version: "1.6.4", newestPostgres: 18 },
  {
    library_name: "pg_partman_bgw",
    description: "Maintains partitions in the background",
    version: "5.1.0",
    newestPostgres: 18,
  },
  {
    library_name: "rag_bge_small_en_v15,rag_jina_reranker_v1_tiny_en",
    description: "Models for retrieval-augmented generation",
    is_experimental: true,
    version: "0.0.0",
    newestPostgres: 17,
  },
  {
    library_name: "pgx_ulid",
    description: "Ids that sort by time",
    is_default: false,
    version: "0.2.0",
    newestPostgres: 17,
  },
];

/** The libraries for a version of Postgres, as the API returns them. */
export function librariesFor(pgVersion: number) {
  return libraries
    .filter(({ newestPostgres }) => pgVersion <= newestPostgres)
    .map(({ newestPostgres: _newest, ...library }) => ({
      is_default: true,
      is_experimental: false,
      ...library,
    })) satisfies Answer<vendor.AvailablePreloadLibrary[]>;
}
