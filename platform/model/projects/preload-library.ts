/** A library that Postgres loads when it starts. */
interface PreloadLibrary {
  readonly library_name: string;
  readonly description: string;
  readonly is_default: boolean;
  readonly is_experimental: boolean;
  readonly version: string;
  /** The newest version of Postgres that has it. */
  readonly newestPostgres: number;
}

const libraries: readonly PreloadLibrary[] = [
  {
    library_name: "timescaledb",
    description: "Tables partitioned by time",
    is_default: true,
    is_experimental: false,
    version: "2.17.1",
    newestPostgres: 17,
  },
  {
    library_name: "pg_cron",
    description: "Runs SQL on a schedule",
    is_default: true,
    is_experimental: false,
    version: "1.6.4",
    newestPostgres: 18,
  },
  {
    library_name: "pg_partman_bgw",
    description: "Maintains partitions in the background",
    is_default: true,
    is_experimental: false,
    version: "5.1.0",
    newestPostgres: 18,
  },
  {
    library_name: "rag_bge_small_en_v15,rag_jina_reranker_v1_tiny_en",
    description: "Models for retrieval-augmented generation",
    is_default: true,
    is_experimental: true,
    version: "0.0.0",
    newestPostgres: 17,
  },
  {
    library_name: "pgx_ulid",
    description: "Ids that sort by time",
    is_default: false,
    is_experimental: false,
    version: "0.2.0",
    newestPostgres: 17,
  },
];

/** The libraries for a version of Postgres, as the API returns them. */
export function preloadLibraries(pgVersion: number): object[] {
  return libraries
    .filter(({ newestPostgres }) => pgVersion <= newestPostgres)
    .map(({ newestPostgres: _newest, ...visible }) => visible);
}
