import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
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
import { useEffect, useRef } from 'preact/hooks'
import type { CompletionView, DiagnosticView, HoverView } from '../protocol.ts'

export interface EditorProps {
  readonly label: string
  /** At the begin: what is typed is kept by the editor. */
  readonly text: string
  readonly diagnostics: readonly DiagnosticView[]
  onEdit(text: string): void
  /** What may stand at an offset of the text. */
  complete(text: string, offset: number): Promise<CompletionView | undefined>
  /** What is known of what stands there. */
  hover(text: string, offset: number): Promise<HoverView | undefined>
}

/** An editor of YAML. It lives in a shadow tree, where its styles need no exception from the policy of the page. */
export function Editor({ diagnostics, ...rest }: EditorProps) {
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
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const { doc } = editor.state
    editor.dispatch(
      setDiagnostics(
        editor.state,
        diagnostics.map((one) => toMark(one, doc)),
      ),
    )
  }, [diagnostics])
  return <div class="editor" ref={place} />
}

function newState({ label, text, onEdit, complete, hover }: Omit<EditorProps, 'diagnostics'>): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      ...[lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), yaml()],
      ...[indentUnit.of('  '), syntaxHighlighting(COLOURS), THEME],
      autocompletion({ override: [(context) => suggestions(context, complete)] }),
      hoverTooltip((view, offset) => tooltip(view.state.doc.toString(), offset, hover)),
      // Escape, then Tab, leaves the editor by the keyboard.
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      // Readers of the page look for a tab index, although an editable text takes the focus without one.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onEdit(update.state.doc.toString())
      }),
    ],
  })
}

/** Asked for in the middle of a word, after a character that calls for it, or by Ctrl+Space. */
async function suggestions(
  context: CompletionContext,
  complete: EditorProps['complete'],
): Promise<CompletionResult | null> {
  if (!context.explicit && !context.matchBefore(/[\w.$"'/(-]$/)) return null
  const found = await complete(context.state.doc.toString(), context.pos)
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

async function tooltip(text: string, offset: number, hover: EditorProps['hover']): Promise<Tooltip | null> {
  const found = await hover(text, offset)
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

function toMark({ severity, code, message, hint, line, column, endColumn }: DiagnosticView, doc: Text): Diagnostic {
  const place = doc.line(Math.min(line, doc.lines))
  const from = Math.min(place.from + column - 1, place.to)
  const to = endColumn === undefined ? place.to : Math.min(place.from + endColumn - 1, place.to)
  const text = hint === undefined ? `${code}: ${message}` : `${code}: ${message} (${hint})`
  return { from, to: Math.max(from, to), severity: severity === 'note' ? 'info' : severity, message: text }
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
