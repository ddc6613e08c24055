/** The pictures of the navigation, drawn with one line each. */
const paths: Readonly<Record<string, string>> = {
  branches: "M6 4v12M6 12c0-4 8-2 8-7M6 16a1.5 1.5 0 1 0 0 .1M14 4.5a1.5 1.5 0 1 0 0 .1M6 4a1.5 1.5 0 1 0 0 .1",
  operations: "M3 10h3l2-6 4 12 2-6h3",
  timeline: "M3 5h7M6 10h8M10 15h7",
  sql: "M4 5c0-3 12-3 12 0v10c0 3-12 3-12 0zM4 5c0 3 12 3 12 0M4 10c0 3 12 3 12 0",
  requests: "M3 7h12l-3-3M17 13H5l3 3",
  faults: "M10 3 18 16H2zM10 8v4M10 14v.2",
  keys: "M12.5 3a4.5 4.5 0 1 0 .1 0M9.5 10.500 3 17v-2.500M5 15l2 2",
  people: "M7 9a3 3 0 1 0 .1 0M2 17c0-6 10-6 10 0M13.500 9a2.500 2.500 0 1 0-.1 0M14 12c2.500 0 4 2 4 5",
  copy: "M7 7V3h10v10h-4M3 7h10v10H3z",
  check: "M4 10l4 4 8-9",
};

export function Icon({ name }: { readonly name: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name] ?? ""} />
    </svg>
  );
}
