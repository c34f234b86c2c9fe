import type { DiagnosticView, ProjectTexts } from '../protocol.ts'

export interface FileListProps {
  readonly files: ProjectTexts
  readonly selected: string
  readonly diagnostics: readonly DiagnosticView[]
  onChoose(path: string): void
}

/** The files of the project: those of roles first, as they are what a person comes for. */
export function FileList({ files, selected, diagnostics, onChoose }: FileListProps) {
  const wrong = new Set(diagnostics.filter(({ severity }) => severity === 'error').map(({ file }) => file))
  return (
    <nav class="files" aria-label="Files of the project">
      <ul>
        {Object.keys(files).map((path) => (
          <li key={path}>
            <button
              type="button"
              class={wrong.has(path) ? 'file is-wrong' : 'file'}
              aria-current={path === selected ? 'true' : undefined}
              onClick={() => onChoose(path)}
            >
              {path}
              {wrong.has(path) && <span class="visually-hidden"> has mistakes</span>}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
