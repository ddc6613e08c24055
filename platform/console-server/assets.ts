import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";

import type { PageState } from "./protocol";

/** The folder of the built page: scripts and styles, compressed, and the program that renders the page. */
const folder = join(__dirname, "..", "console");

const manifestSchema = z.object({
  script: z.string(),
  styles: z.string(),
  /** The files that a browser may ask for, with their types. */
  files: z.record(z.string(), z.string()),
});
type Manifest = z.infer<typeof manifestSchema>;

interface Renderer {
  readonly render: (state: PageState) => string;
  readonly titleOf: (state: PageState) => string;
}

/** A file of the page, as it is sent. */
export interface Asset {
  readonly type: string;
  /** Compressed with gzip. */
  readonly content: Buffer;
}

/** The built page. Nothing is loaded before somebody opens the console. */
export class Assets {
  #manifest: Promise<Manifest> | undefined;
  #renderer: Promise<Renderer> | undefined;
  readonly #files = new Map<string, Promise<Asset>>();

  manifest(): Promise<Manifest> {
    return (this.#manifest ??= readManifest());
  }

  renderer(): Promise<Renderer> {
    const url = pathToFileURL(join(folder, "render.cjs")).href;
    return (this.#renderer ??= import(url) as Promise<Renderer>);
  }

  /** Finds a file of the page. Only the names in the manifest lead to files. */
  async file(name: string): Promise<Asset | undefined> {
    const { files } = await this.manifest();
    const type = Object.hasOwn(files, name) ? files[name] : undefined;
    if (type === undefined) return undefined;
    const known = this.#files.get(name);
    if (known) return await known;
    const asset = readFile(join(folder, `${name}.gz`)).then((content) => ({ type, content }));
    this.#files.set(name, asset);
    return await asset;
  }
}

async function readManifest(): Promise<Manifest> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  } catch (cause) {
    throw new Error(`the console page is not built: ${folder} has no manifest. Run \`npm run build\``, { cause });
  }
}
