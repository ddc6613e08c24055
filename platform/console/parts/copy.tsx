import { useState } from "preact/hooks";

import { errorText } from "../api";
import { after } from "../clock";
import { Icon } from "./icons";

const shownMs = 1_500;

/** Copies a text, which may have to be read from the platform first. */
export function CopyButton({
  text,
  label,
  name = "Copy",
}: {
  readonly text: string | (() => Promise<string>);
  readonly label: string;
  /** The text on the button. */
  readonly name?: string;
}) {
  const [said, setSaid] = useState<string>();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setSaid("Copied");
    } catch (error) {
      setSaid(errorText(error));
    }
    after(shownMs, () => setSaid(undefined));
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()} aria-label={`Copy ${label}`}>
      <Icon name={said === "Copied" ? "check" : "copy"} />
      <span aria-live="polite">{said ?? name}</span>
    </button>
  );
}
