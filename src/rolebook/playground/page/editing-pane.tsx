import { useMemo, useRef, useState } from 'preact/hooks'
import { Editor, type EditorHandle, type EditorPlace } from './editor.tsx'
import { PathForm } from './path-form.tsx'
import type { PaneProps } from './store.ts'

/** A name that gets another one. */
interface Renaming {
  readonly file: string
  readonly place: EditorPlace
  readonly name: string
}

/** The text of a file, what a person can do with it besides typing, and what is wrong with the project. */
export function EditingPane({ store, state }: PaneProps) {
  const { files, file, diagnostics, revision, written, cursor } = state
  const editor = useRef<EditorHandle>(null)
  const [renaming, setRenaming] = useState<Renaming>()
  const inFile = useMemo(() => diagnostics.filter((one) => one.file === file), [diagnostics, file])
  const define = (place: EditorPlace): void => void store.goToDefinition(place)
  const rename = async (place: EditorPlace): Promise<void> => {
    const name = await store.nameAt(place)
    setRenaming(name === undefined ? undefined : { file, place, name })
  }
  const stopRenaming = (): void => {
    setRenaming(undefined)
    editor.current?.focus()
  }
  const here = (act: (place: EditorPlace) => void) => (): void => {
    if (editor.current) act(editor.current.place())
  }
  return (
    <section class="editing" aria-labelledby="editor-title">
      <Head file={file} onDefine={here(define)} onRename={here((place) => void rename(place))} />
      {renaming?.file === file && (
        <PathForm
          label={`New name of ${renaming.name}`}
          path={renaming.name}
          verb="Rename everywhere"
          onSend={(name) => store.rename(renaming.place, name)}
          onClose={stopRenaming}
        />
      )}
      <Editor
        key={`${revision}/${file}`}
        handle={editor}
        label={`Text of ${file}`}
        text={files[file] ?? ''}
        written={written}
        cursor={cursor}
        diagnostics={inFile}
        onEdit={(text) => store.edit(text)}
        onFix={(one, fix) => store.takeFix(one, fix)}
        onDefine={define}
        onRename={(place) => void rename(place)}
        complete={(place) => store.complete(place)}
        hover={(place) => store.hover(place)}
      />
      <Problems store={store} state={state} />
    </section>
  )
}

interface HeadProps {
  readonly file: string
  onDefine(): void
  onRename(): void
}

function Head({ file, onDefine, onRename }: HeadProps) {
  return (
    <div class="editing-head">
      <h2 id="editor-title" class="pane-title">
        {file === '' ? 'No file' : file}
      </h2>
      <p class="editor-actions">
        <button type="button" class="action" aria-keyshortcuts="F12" onClick={onDefine}>
          Go to definition
        </button>
        <button type="button" class="action" aria-keyshortcuts="F2" onClick={onRename}>
          Rename symbol
        </button>
      </p>
    </div>
  )
}

function Problems({ store, state: { diagnostics } }: PaneProps) {
  if (diagnostics.length === 0) return <p class="problems muted">No mistakes found.</p>
  return (
    <ul class="problems" aria-label="Mistakes">
      {diagnostics.map((one) => (
        <li key={`${one.file}:${one.line}:${one.column} ${one.code}`}>
          <button type="button" onClick={() => store.goToProblem(one)}>
            <span class={`severity is-${one.severity}`}>{one.severity}</span> {one.file}:{one.line}:{one.column}
          </button>{' '}
          {one.message}
          {one.hint !== undefined && <span class="muted"> ({one.hint})</span>}
          {one.fixes.map((fix) => (
            <span key={fix.title}>
              {' '}
              <button type="button" class="fix" onClick={() => store.takeFix(one, fix)}>
                {fix.title}
              </button>
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
