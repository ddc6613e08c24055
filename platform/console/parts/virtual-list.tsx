import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly label: string;
  readonly role: "treegrid" | "grid";
  readonly columns: readonly string[];
  /** Renders the cells of a row. */
  readonly cells: (row: Row) => ComponentChildren;
  readonly keyOf: (row: Row) => string;
  readonly rowProps?: (row: Row) => Readonly<Record<string, string | number | boolean | undefined>>;
  readonly selected?: string | undefined;
  /** Stands in the place of the rows while there are none. */
  readonly empty: string;
  readonly onOpen: (row: Row) => void;
  /** Handles keys other than the arrows and Enter. Returns whether it has used the key. */
  readonly onKey?: (key: string, row: Row) => boolean;
  /** Called when the end of the list is near. */
  readonly onEnd?: () => void;
  readonly class?: string;
}

/** The rows that the server renders, and a browser before it knows its own height. */
const firstRows = 60;
const overscan = 8;

/** A long list. Only the rows in sight are in the document. The arrow keys move in it. */
export function VirtualList<Row>({
  rows,
  rowHeight,
  keyOf,
  onKey,
  onEnd,
  onOpen,
  cells,
  columns,
  ...props
}: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const [window, setWindow] = useState({ from: 0, to: firstRows });
  const [active, setActive] = useState<string>();
  const measure = (): void => {
    const box = scroller.current;
    if (!box) return;
    const from = Math.max(0, Math.floor(box.scrollTop / rowHeight) - overscan);
    const to = Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + overscan;
    setWindow((before) => (before.from === from && before.to === to ? before : { from, to }));
    if (to >= rows.length) onEnd?.();
  };
  useLayoutEffect(measure, [rows.length]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [rows.length]);
  const from = Math.min(window.from, Math.max(0, rows.length - 1));
  const visible = rows.slice(from, window.to);
  // The position is in the document, so that Tab always leads into the list.
  const position = Math.min(
    from + visible.length - 1,
    Math.max(
      from,
      rows.findIndex((row) => keyOf(row) === (active ?? props.selected)),
    ),
  );
  /** Scrolls to a row. */
  const show = (index: number): void => {
    const box = scroller.current;
    if (!box) return;
    const top = index * rowHeight;
    if (top < box.scrollTop) box.scrollTop = top;
    if (top + rowHeight > box.scrollTop + box.clientHeight - rowHeight) {
      box.scrollTop = top + 2 * rowHeight - box.clientHeight;
    }
  };
  useEffect(() => {
    const index = rows.findIndex((row) => keyOf(row) === props.selected);
    if (index >= 0) show(index);
  }, [props.selected]);
  const move = (to: number): void => {
    const index = Math.min(rows.length - 1, Math.max(0, to));
    const row = rows[index];
    if (!row) return;
    show(index);
    setActive(keyOf(row));
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[position];
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: position + 1,
      ArrowUp: position - 1,
      PageDown: position + page,
      PageUp: position - page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) move(to);
    else if (event.key === "Enter") onOpen(row);
    else if (!(onKey?.(event.key, row) ?? false)) return;
    event.preventDefault();
  };
  return (
    <div class={`list ${props.class ?? ""}`} ref={scroller} onScroll={measure}>
      <div role={props.role} aria-label={props.label} aria-rowcount={rows.length + 1} onKeyDown={onKeyDown}>
        <div class="list-head" role="row" aria-rowindex={1}>
          {columns.map((name) => (
            <span role="columnheader" key={name}>
              {name}
            </span>
          ))}
        </div>
        <Space rows={from} height={rowHeight} />
        {visible.map((row, index) => {
          const key = keyOf(row);
          return (
            <div
              class="list-row"
              role="row"
              key={key}
              aria-rowindex={from + index + 2}
              aria-selected={key === props.selected}
              tabIndex={from + index === position ? 0 : -1}
              onClick={() => {
                setActive(key);
                onOpen(row);
              }}
              {...props.rowProps?.(row)}
            >
              {cells(row)}
            </div>
          );
        })}
        <Space rows={Math.max(0, rows.length - from - visible.length)} height={rowHeight} />
      </div>
      {rows.length === 0 && (
        <p class="soft list-empty" role="status">
          {props.empty}
        </p>
      )}
    </div>
  );
}

/** Takes the space of rows that are out of sight. A script sets the height, because the page allows no styles in its markup. */
function Space({ rows, height }: { readonly rows: number; readonly height: number }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.style.height = `${rows * height}px`;
  }, [rows, height]);
  return <div ref={box} role="presentation" />;
}
