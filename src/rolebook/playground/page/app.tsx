import { useEffect, useState } from 'preact/hooks'
import { TOUR } from './asked-project.ts'
import { ClusterPane } from './cluster-pane.tsx'
import { Editor } from './editor.tsx'
import { FileList } from './file-list.tsx'
import type { PageState } from './page-state.ts'
import type { PaneProps, Store } from './store.ts'
import { TourButton, TourPanel } from './tour-panel.tsx'

/** The whole page: the project on the left, what becomes of it on the right. */
export function App({ store }: { readonly store: Store }) {
  const state = useStore(store)
  const [pane, setPane] = useState<Pane>('Both')
  const { files, file, diagnostics, message } = state
  return (
    <div class={`playground shows-${pane.toLowerCase()}`}>
      <Header store={store} state={state} pane={pane} onPane={setPane} />
      <TourPanel store={store} state={state} />
      <main class="columns">
        <FileList store={store} state={state} />
        <section class="editing" aria-labelledby="editor-title">
          <h2 id="editor-title" class="pane-title">
            {file === '' ? 'No file' : file}
          </h2>
          <Editor
            key={`${state.revision}/${file}`}
            label={`Text of ${file}`}
            text={files[file] ?? ''}
            diagnostics={diagnostics.filter((one) => one.file === file)}
            onEdit={(text) => store.edit(text)}
            complete={(text, offset) => store.complete(text, offset)}
            hover={(text, offset) => store.hover(text, offset)}
          />
          <Problems state={state} onChoose={(path) => store.choose(path)} />
        </section>
        <ClusterPane store={store} state={state} />
      </main>
      <footer class="status">
        <p role="status">{message}</p>
        {state.removed && (
          <button type="button" class="action" onClick={() => store.undoDeletion()}>
            Undo the deletion
          </button>
        )}
      </footer>
    </div>
  )
}

function useStore(store: Store): PageState {
  const [state, setState] = useState(store.state)
  useEffect(() => store.subscribe(() => setState(store.state)), [store])
  return state
}

const PANES = ['Both', 'Project', 'Cluster'] as const
/** What a narrow screen has room for, or a person wants to see at full width. */
type Pane = (typeof PANES)[number]

interface HeaderProps extends PaneProps {
  readonly pane: Pane
  onPane(pane: Pane): void
}

function Header({ store, state, pane, onPane }: HeaderProps) {
  const { shipped, name } = state
  return (
    <header class="bar">
      <h1>rolebook playground</h1>
      <label class="project">
        Project{' '}
        <select value={name} onChange={(event) => void store.openShipped(event.currentTarget.value)}>
          {name === '' && <option value="">shared by link</option>}
          {name === TOUR && <option value={TOUR}>the tour</option>}
          {shipped.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="choice is-panes">
        <legend class="visually-hidden">What is shown of the page</legend>
        {PANES.map((one) => (
          <button key={one} type="button" aria-pressed={one === pane} onClick={() => onPane(one)}>
            {one}
          </button>
        ))}
      </fieldset>
      <span class="bar-end">
        <TourButton store={store} state={state} />{' '}
        {state.files !== state.original && (
          <button type="button" class="action" onClick={() => void store.reset()}>
            Reset
          </button>
        )}{' '}
        <button type="button" class="action" onClick={() => void store.share()}>
          Share
        </button>
      </span>
    </header>
  )
}

function Problems({ state, onChoose }: { readonly state: PageState; readonly onChoose: (path: string) => void }) {
  const { diagnostics } = state
  if (diagnostics.length === 0) return <p class="problems muted">No mistakes found.</p>
  return (
    <ul class="problems" aria-label="Mistakes">
      {diagnostics.map(({ severity, code, message, hint, file, line, column }) => (
        <li key={`${file}:${line}:${column} ${code}`}>
          <button type="button" onClick={() => onChoose(file)}>
            <span class={`severity is-${severity}`}>{severity}</span> {file}:{line}:{column}
          </button>{' '}
          {message}
          {hint !== undefined && <span class="muted"> ({hint})</span>}
        </li>
      ))}
    </ul>
  )
}
