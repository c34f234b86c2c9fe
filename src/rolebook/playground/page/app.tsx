import { useEffect, useState } from 'preact/hooks'
import { TOUR } from './asked-project.ts'
import { ClusterPane } from './cluster-pane.tsx'
import { EditingPane } from './editing-pane.tsx'
import { FileList } from './file-list.tsx'
import type { PageState } from './page-state.ts'
import type { PaneProps, Store } from './store.ts'
import { TourButton, TourPanel } from './tour-panel.tsx'

/** The whole page: the project on the left, what becomes of it on the right. */
export function App({ store }: { readonly store: Store }) {
  const state = useStore(store)
  const [pane, setPane] = useState<Pane>('Both')
  const { message } = state
  return (
    <div class={`playground shows-${pane.toLowerCase()}`}>
      <Header store={store} state={state} pane={pane} onPane={setPane} />
      <TourPanel store={store} state={state} />
      <main class="columns">
        <FileList store={store} state={state} />
        <EditingPane store={store} state={state} />
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
