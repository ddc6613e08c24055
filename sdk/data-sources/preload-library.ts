// Generated from api/lookups/preload-library.ts by `npm run generate`: do not edit.
import { dataSource } from "../data-source";
import type { Inputs, LookupOptions } from "../lookup-options";

/** A library that Postgres can load when it starts. */
export interface PreloadLibraryResult {
  /** Name of the library, as `enabledLibraries` takes it. */
  readonly libraryName: string;
  /** The purpose of the library. */
  readonly description: string;
  /** Whether it is loaded if `useDefaults` is set. */
  readonly isDefault: boolean;
  /** Whether it is experimental. */
  readonly isExperimental: boolean;
  /** Version of the library. */
  readonly version: string;
}

/** Arguments of `getPreloadLibraries`. */
export interface GetPreloadLibrariesArgs {
  /** Id of the project. */
  readonly projectId: string;
}

const getPreloadLibrariesSource = dataSource<GetPreloadLibrariesArgs, PreloadLibraryResult[]>("getPreloadLibraries");

/**
 * Lists the libraries that the computes of a project can preload.
 *
 * Neon API: `GET /projects/{project_id}/available_preload_libraries`.
 *
 * @example
 * ```ts
 * const libraries = neon.getPreloadLibrariesOutput({ projectId: project.id });
 * export const names = libraries.apply((all) => all.map(({ libraryName }) => libraryName));
 * ```
 */
export function getPreloadLibraries(args: GetPreloadLibrariesArgs, options?: LookupOptions) {
  return getPreloadLibrariesSource.invoke(args, options);
}

/** Output form of {@link getPreloadLibraries}: the arguments can be outputs. */
export function getPreloadLibrariesOutput(args: Inputs<GetPreloadLibrariesArgs>, options?: LookupOptions) {
  return getPreloadLibrariesSource.output(args, options);
}
