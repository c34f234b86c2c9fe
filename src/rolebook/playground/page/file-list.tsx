import { useEffect, useRef, useState } from 'preact/hooks'
import { groupFiles } from './file-groups.ts'
import { PathForm } from './path-form.tsx'
import type { PaneProps } from './store.ts'

/** What the form above the list asks for. */
type Asking = 'new' | 'rename' | undefined

/** The files of the project, by role: to open, add, rename and delete. */
export function FileList({ store, state }: PaneProps) {
  const [asking, setAsking] = useState<Asking>()
  const { files, file } = state
  useFocus(state.removed, asking)
  return (
    <nav class="files" aria-label="Files of the project">
      <p class="file-actions">
        <button type="button" class="action" onClick={() => setAsking('new')}>
          New file
        </button>
        <button type="button" class="action" aria-label={`Rename ${file}`} onClick={() => setAsking('rename')}>
          Rename
        </button>
        <button type="button" class="action" aria-label={`Delete ${file}`} onClick={() => store.deleteFile(file)}>
          Delete
        </button>
      </p>
      {asking !== undefined && (
        <FileForm key={asking} asking={asking} store={store} state={state} onClose={() => setAsking(undefined)} />
      )}
      {groupFiles(files).map(({ folder, names }) => (
        <section key={folder} class="file-group">
          <h2>{folder === '' ? 'project' : folder}</h2>
          <ul>
            {names.map((name) => (
              <FileLine
                key={name}
                {...{ store, state, folder, name }}
                onRename={() => {
                  store.choose(folder + name)
                  setAsking('rename')
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

/** A file that is deleted takes the focus with it, and so do the form and the button that brings the file back. */
function useFocus(removed: unknown, asking: Asking): void {
  const before = useRef({ removed, asking })
  useEffect(() => {
    const hasClosed = before.current.asking !== undefined && asking === undefined
    const isElsewhere = before.current.removed !== removed && document.activeElement === document.body
    before.current = { removed, asking }
    if (hasClosed || isElsewhere) document.querySelector<HTMLElement>('.file[aria-current]')?.focus()
  }, [removed, asking])
}

interface FileFormProps extends PaneProps {
  readonly asking: 'new' | 'rename'
  onClose(): void
}

function FileForm({ asking, store, state: { file }, onClose }: FileFormProps) {
  if (asking === 'rename') {
    const rename = (path: string): string | undefined => store.renameFile(file, path)
    return (
      <PathForm
        key={file}
        label={`New path of ${file}`}
        path={file}
        verb="Rename it"
        onSend={rename}
        onClose={onClose}
      />
    )
  }
  const [folder = 'roles/web/'] = /^roles\/[^/]+\//.exec(file) ?? []
  const add = (path: string): string | undefined => store.addFile(path)
  return (
    <PathForm
      label="Path of the new file"
      path={folder}
      verb="Add"
      kinds={kindsIn(folder)}
      onSend={add}
      onClose={onClose}
    />
  )
}

function kindsIn(folder: string): Readonly<Record<string, string>> {
  return {
    Role: 'roles/another/role.yaml',
    Test: `${folder}tests/another.yaml`,
    Sample: `${folder}samples/another.yaml`,
    Text: `${folder}files/another.txt`,
    Chart: `${folder}charts/another/Chart.yaml`,
  }
}

interface FileLineProps extends PaneProps {
  readonly folder: string
  readonly name: string
  onRename(): void
}

function FileLine({ store, state: { file, diagnostics }, folder, name, onRename }: FileLineProps) {
  const path = folder + name
  const isWrong = diagnostics.some((one) => one.severity === 'error' && one.file === path)
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key === 'F2') onRename()
    else if (key === 'Delete') store.deleteFile(path)
  }
  return (
    <li>
      <button
        type="button"
        class={isWrong ? 'file is-wrong' : 'file'}
        aria-label={isWrong ? `${path} has mistakes` : path}
        aria-current={path === file ? 'true' : undefined}
        aria-keyshortcuts="F2 Delete"
        onClick={() => store.choose(path)}
        onKeyDown={onKeyDown}
      >
        {name}
      </button>
    </li>
  )
}
