import type { ComponentChildren } from "preact";

/** The head of a page: its title, a line about it, and its tools. */
export function Head({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="head">
      <div class="titles">
        <h1>{title}</h1>
        {about !== undefined && <p class="soft">{about}</p>}
      </div>
      {children !== undefined && <div class="tools">{children}</div>}
    </div>
  );
}

/** A box that shows one thing above a list, until it is closed. */
export function Callout({
  label,
  tone,
  title,
  onClose,
  children,
}: {
  readonly label: string;
  readonly tone: string;
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`callout ${tone}`} aria-label={label}>
      <div class="section-head">
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {children}
    </section>
  );
}

/** A table with the titles of its columns. On a narrow screen, it becomes a list unless it is slim. */
export function Table({
  titles,
  isSlim = false,
  children,
}: {
  readonly titles: readonly ComponentChildren[];
  readonly isSlim?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={isSlim ? "table-box slim" : "table-box"}>
      <table>
        <thead>
          <tr>
            {titles.map((title, index) => (
              <th key={index} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** Facts with their names. A fact that is undefined is left out. */
export function Pairs({ facts }: { readonly facts: readonly (readonly [name: string, fact: ComponentChildren])[] }) {
  return (
    <dl class="pairs">
      {facts
        .filter(([, fact]) => fact !== undefined)
        .map(([name, fact]) => (
          <>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </>
        ))}
    </dl>
  );
}

/** A text that a computer reads, such as an id. */
export const Code = ({ children }: { readonly children: ComponentChildren }) => <span class="mono">{children}</span>;

/** The reason why something has failed; nothing without one. */
export function Problem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
