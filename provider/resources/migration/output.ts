import { stripVTControlCharacters } from "node:util";

import { withoutSecrets } from "../../../api/core/redaction";
import { encoded } from "../../../api/core/request";

/** How many characters a line may have. The rest is shown as further lines. */
const maxLine = 10_000;

/** How a terminal code begins, and how one goes on that moves to the first column or erases the line. */
const codeStart = "\u001b[";
const lineRestart = /^\d*[GK]/;

/** Cuts the output of a command into lines, and takes the secrets out, also where they arrive in several pieces. */
export class CommandOutput {
  readonly #secrets: readonly string[];
  /** The length of the longest secret. */
  readonly #longest: number;
  readonly #show: (line: string) => void;
  #rest = "";

  /** @param secrets the values to take out. A value of several lines is taken out line by line. */
  constructor(secrets: readonly string[], show: (line: string) => void) {
    this.#secrets = secrets.flatMap((secret) => [secret, ...secret.split(/[\r\n]+/)]).flatMap(formsOf);
    this.#longest = Math.max(0, ...this.#secrets.map(({ length }) => length));
    this.#show = show;
  }

  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
    if (this.#rest.length <= maxLine + this.#longest) return;
    // A secret at the end may still be incomplete.
    const redacted = this.#redacted(this.#rest);
    const end = Math.max(0, redacted.length - this.#longest);
    this.#line(redacted.slice(0, end));
    this.#rest = redacted.slice(end);
  }

  end(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#rest = "";
  }

  #line(line: string): void {
    // As in a terminal, what begins the line again replaces it: of a progress bar, only its end is shown.
    const shown = this.#redacted(line)
      .split("\r")
      .findLast((part) => part.trim() !== "");
    if (shown !== undefined) this.#show(shown.trimEnd());
  }

  #redacted(text: string): string {
    const [first = "", ...others] = text.split(codeStart);
    const rest = others.map((one) => (lineRestart.test(one) ? one.replace(lineRestart, "\r") : codeStart + one));
    return withoutSecrets(stripVTControlCharacters([first, ...rest].join("")), this.#secrets);
  }
}

/** The forms in which a tool may print a secret: as it is, and in a URL. */
function formsOf(secret: string): readonly string[] {
  const inUrl = encoded(secret);
  const lowercase = inUrl.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
  return [...new Set([secret, inUrl, lowercase])];
}
