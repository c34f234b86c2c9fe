import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, forEachDiagnostic, lintGutter, nextDiagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { RefObject } from 'preact'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'preact/hooks'
import type { CompletionView, DiagnosticView, FixView, HoverView, TextRange } from '../protocol.ts'
import { differenceOf } from '../text-edits.ts'

/** An offset in the text as it is now. */
export interface EditorPlace {
  readonly text: string
  readonly offset: number
}

/** What others may ask of the editor. */
export interface EditorHandle {
  /** Where the cursor is. */
  place(): EditorPlace
  focus(): void
}

export interface EditorProps {
  readonly handle: RefObject<EditorHandle | null>
  readonly label: string
  /** At the begin, and when `written` changes: what is typed is kept by the editor. */
  readonly text: string
  readonly written: number
  /** What a person is taken to, when it is another object than before. */
  readonly cursor: TextRange | undefined
  readonly diagnostics: readonly DiagnosticView[]
  onEdit(text: string): void
  onFix(diagnostic: DiagnosticView, fix: FixView): void
  /** A person wants to go to where a name comes from. */
  onDefine(place: EditorPlace): void
  /** A person wants to give a name another one. */
  onRename(place: EditorPlace): void
  /** What may stand at a place. */
  complete(place: EditorPlace): Promise<CompletionView | undefined>
  /** What is known of what stands there. */
  hover(place: EditorPlace): Promise<HoverView | undefined>
}

/** An editor of YAML. It lives in a shadow tree, where its styles need no exception from the policy of the page. */
export function Editor({ handle, written, cursor, diagnostics, ...rest }: EditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  useEffect(() => {
    const host = place.current
    if (!host) return undefined
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
    const editor = new EditorView({ root, parent: root, state: newState(rest) })
    view.current = editor
    return () => editor.destroy()
  }, [])
  useImperativeHandle(handle, () => ({
    place: () => (view.current ? placeIn(view.current) : { text: rest.text, offset: 0 }),
    focus: () => view.current?.focus(),
  }))
  // Before a person can type on: a text that was typed meanwhile would be lost.
  useLayoutEffect(() => {
    if (view.current) takeOver(view.current, rest.text)
  }, [written])
  useEffect(() => {
    if (view.current) showMarks(view.current, diagnostics, rest.onFix)
  }, [diagnostics])
  useEffect(() => {
    if (view.current && cursor) goTo(view.current, cursor)
  }, [cursor])
  return <div class="editor" ref={place} />
}

function placeIn({ state }: EditorView): EditorPlace {
  return { text: state.doc.toString(), offset: state.selection.main.head }
}

function takeOver(editor: EditorView, text: string): void {
  const { start, end, text: insert } = differenceOf(editor.state.doc.toString(), text)
  if (start !== end || insert !== '') editor.dispatch({ changes: { from: start, to: end, insert } })
}

function showMarks(editor: EditorView, diagnostics: readonly DiagnosticView[], onFix: EditorProps['onFix']): void {
  const { doc } = editor.state
  const marks = diagnostics.map((one) => toMark(one, doc, onFix))
  editor.dispatch(setDiagnostics(editor.state, marks))
}

function goTo(editor: EditorView, { start, end }: TextRange): void {
  const { length } = editor.state.doc
  const selection = { anchor: Math.min(start, length), head: Math.min(end, length) }
  editor.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) })
  editor.focus()
}

type Given = Omit<EditorProps, 'handle' | 'written' | 'cursor' | 'diagnostics'>

function newState({ label, text, onEdit, onDefine, onRename, complete, hover }: Given): EditorState {
  const here = (act: (place: EditorPlace) => void) => (editor: EditorView) => {
    act(placeIn(editor))
    return true
  }
  return EditorState.create({
    doc: text,
    extensions: [
      ...[lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), yaml()],
      ...[indentUnit.of('  '), syntaxHighlighting(COLOURS), THEME],
      autocompletion({ override: [(context) => suggestions(context, complete)] }),
      hoverTooltip((view, offset) => tooltip({ text: view.state.doc.toString(), offset }, hover)),
      EditorView.domEventHandlers({ mousedown: (event, editor) => defineAt(event, editor, onDefine) }),
      keymap.of([
        ...[
          { key: 'F12', run: here(onDefine) },
          { key: 'F2', run: here(onRename) },
        ],
        ...[
          { key: 'F8', run: nextDiagnostic },
          { key: 'Mod-.', run: fixLine },
        ],
        // Escape, then Tab, leaves the editor by the keyboard.
        ...[...defaultKeymap, ...historyKeymap, indentWithTab],
      ]),
      // Readers of the page look for a tab index, although an editable text takes the focus without one.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onEdit(update.state.doc.toString())
      }),
    ],
  })
}

/** A click with Ctrl or Cmd. */
function defineAt(event: MouseEvent, editor: EditorView, onDefine: EditorProps['onDefine']): boolean {
  const offset = event.ctrlKey || event.metaKey ? editor.posAtCoords({ x: event.clientX, y: event.clientY }) : null
  if (offset === null) return false
  onDefine({ text: editor.state.doc.toString(), offset })
  return true
}

/** Does what the first mark in the line of the cursor proposes. */
function fixLine(editor: EditorView): boolean {
  const { state } = editor
  const line = state.doc.lineAt(state.selection.main.head)
  const fixes: (() => void)[] = []
  forEachDiagnostic(state, ({ actions = [] }, from, to) => {
    const [action] = actions
    if (action && from <= line.to && to >= line.from) fixes.push(() => action.apply(editor, from, to))
  })
  fixes[0]?.()
  return fixes.length > 0
}

/** Asked for in the middle of a word, after a character that calls for it, or by Ctrl+Space. */
async function suggestions(
  context: CompletionContext,
  complete: EditorProps['complete'],
): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\w.$"'/(-]$/)) return null
  const found = await complete({ text: context.state.doc.toString(), offset: context.pos })
  if (!found || found.suggestions.length === 0) return null
  const options = found.suggestions.map(({ label, kind, detail, doc, insert }, index) => ({
    ...{ label, type: TYPES[kind], apply: insert ?? label, boost: -Math.min(index, 99) },
    ...(detail !== undefined && { detail }),
    ...(doc !== undefined && doc !== '' && { info: plain(doc) }),
  }))
  return { from: found.start, to: found.end, options, filter: true }
}

const TYPES = {
  ...{ task: 'class', field: 'property', value: 'enum', variable: 'variable', function: 'function' },
  ...{ file: 'text', name: 'constant' },
} as const

async function tooltip(place: EditorPlace, hover: EditorProps['hover']): Promise<Tooltip | null> {
  const found = await hover(place)
  if (!found) return null
  const create = () => {
    const dom = document.createElement('div')
    dom.className = 'known'
    dom.textContent = plain(found.text)
    return { dom }
  }
  return { pos: found.start, end: found.end, create }
}

/** Markdown as a text: marks of code are left out. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/^```\w*\n?/gm, '')
    .replaceAll('**', '')
    .trim()
}

function toMark(one: DiagnosticView, doc: Text, onFix: EditorProps['onFix']): Diagnostic {
  const { severity, code, message, hint, line, column, endColumn, fixes } = one
  const place = doc.line(Math.min(line, doc.lines))
  const from = Math.min(place.from + column - 1, place.to)
  const to = endColumn === undefined ? place.to : Math.min(place.from + endColumn - 1, place.to)
  return {
    ...{ from, to: Math.max(from, to), severity: severity === 'note' ? 'info' : severity },
    message: hint === undefined ? `${code}: ${message}` : `${code}: ${message} (${hint})`,
    actions: fixes.map((fix) => ({ name: fix.title, apply: () => onFix(one, fix) })),
  }
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--warn)' },
])

const THEME = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)',
  },
  '.known': { padding: '6px 10px', maxWidth: '420px', whiteSpace: 'pre-wrap', fontSize: '12px' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
})
