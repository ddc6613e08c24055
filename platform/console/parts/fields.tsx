interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** The values, each with its text if that is another one. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice without a visible label. */
export function Select({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select class="input" aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {options
        .map((option) => (typeof option === "string" ? ([option, option] as const) : option))
        .map(([each, text]) => (
          <option key={each} value={each} selected={each === value}>
            {text}
          </option>
        ))}
    </select>
  );
}

/** A choice below its label. */
export function Choice(props: ChoiceProps) {
  return (
    <label class="choice">
      <span>{props.label}</span>
      <Select {...props} />
    </label>
  );
}

/** The search of a page, to which the key `/` leads. */
export function Search({
  label,
  placeholder = "Search  /",
  isWide = false,
  value,
  onSearch,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly isWide?: boolean;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}) {
  return (
    <input
      data-search
      class={isWide ? "input wide" : "input"}
      type="search"
      placeholder={placeholder}
      aria-label={label}
      value={value}
      onInput={(event) => onSearch(event.currentTarget.value)}
    />
  );
}
