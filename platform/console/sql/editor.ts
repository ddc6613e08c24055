import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { PostgreSQL, sql, type SQLNamespace } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** A statement, and where it is in the text. */
export interface Statement {
  readonly text: string;
  readonly from: number;
}

export interface Editor {
  /** The statements of the selection, or of the whole text. */
  statements(): Statement[];
  /** The statement at the cursor. */
  current(): Statement | undefined;
  setText(text: string): void;
  /** Sets the names for completions. */
  setSchema(schema: SQLNamespace): void;
  /** Marks the position of an error; `undefined` removes the mark. */
  markError(at: number | undefined): void;
  text(): string;
  focus(): void;
  destroy(): void;
}

interface Options {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly nonce: string;
  readonly onRun: () => void;
  readonly onChange: (text: string) => void;
}

const setError = StateEffect.define<number | undefined>();

const errorMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setError)) return markAt(transaction.state, effect.value);
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function markAt(state: EditorState, at: number | undefined): DecorationSet {
  if (at === undefined || at >= state.doc.length) return Decoration.none;
  const word = state.wordAt(at);
  const range = { from: at, to: word && word.to > at ? word.to : Math.min(state.doc.length, at + 1) };
  return Decoration.set([Decoration.mark({ class: "sql-error" }).range(range.from, range.to)]);
}

/** Colors of the page, which has a light and a dark scheme. */
const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.typeName, color: "var(--code-type)" },
]);

/**
 * Replaces a selection by the typed text. Chromium itself would keep the style of the replaced text as an inline style, which the
 * page does not allow.
 */
function replaceSelection({ inputType, data }: InputEvent, view: EditorView): boolean {
  const isTyped = inputType === "insertText" && data !== null && /^[\w\s]$/.test(data);
  if (!isTyped || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type" });
  return true;
}

/** Opens the editor. Only the SQL page needs the code of the editor, so this module is loaded there. */
export function openEditor({ parent, text, nonce, onRun, onChange }: Options): Editor {
  const language = new Compartment();
  const run = (): boolean => {
    closeCompletion(view);
    onRun();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        keymap.of([{ key: "Escape", run: ({ contentDOM }) => (contentDOM.blur(), true) }, indentWithTab]),
        placeholder("select …"),
        language.of(sql({ dialect: PostgreSQL })),
        syntaxHighlighting(highlighting),
        errorMark,
        EditorView.lineWrapping,
        EditorView.domEventHandlers({ beforeinput: replaceSelection }),
        EditorView.contentAttributes.of({ "aria-label": "SQL" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const statements = (): Statement[] => {
    const { from, to, empty } = view.state.selection.main;
    const start = empty ? 0 : from;
    return statementsOf(view.state.sliceDoc(start, empty ? undefined : to)).map((each) => ({
      ...each,
      from: each.from + start,
    }));
  };
  return {
    statements,
    current: () => {
      const all = statements();
      return all.findLast(({ from }) => from <= view.state.selection.main.head) ?? all[0];
    },
    setText: (value) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } }),
    setSchema: (schema) =>
      view.dispatch({ effects: language.reconfigure(sql({ dialect: PostgreSQL, schema, defaultSchema: "public" })) }),
    markError: (at) => {
      view.dispatch({ effects: setError.of(at), ...(at === undefined ? {} : { selection: { anchor: at } }) });
    },
    text: () => view.state.doc.toString(),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Splits a text at the semicolons that end statements, but not at those in literals and comments. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  PostgreSQL.language.parser.parse(text).iterate({
    enter: (node) => {
      if (node.name === "Script") return true;
      if (node.name === "Statement") {
        const content = text.slice(node.from, node.to).replace(/;\s*$/, "");
        if (content.trim() !== "") statements.push({ text: content, from: node.from });
      }
      return false;
    },
  });
  return statements;
}
