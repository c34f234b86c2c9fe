import { explain } from '../../../core/base/coded-error.ts'
import type { ProjectResult } from '../../config/load-project.ts'
import { problemsText } from '../open-project.ts'
import type { Terminal } from '../terminal.ts'
import { type Preview, type PreviewOptions, previewOf } from './preview.ts'
import { diffOfPreviews } from './preview-diff.ts'
import type { PreviewState, PreviewView } from './preview-view.ts'

export interface FollowPreviewOptions extends PreviewOptions {
  readonly view: PreviewView
  readonly terminal: Pick<Terminal, 'color'>
}

/**
 * Shows what a role makes of a sample in each state of a project. Beside what is wrong with a state, the last preview stays.
 *
 * @throws what stands in the way of the first state; of later ones, it is shown
 */
export async function followPreview(
  results: AsyncIterable<ProjectResult>,
  { view, terminal, ...options }: FollowPreviewOptions,
): Promise<void> {
  let state: PreviewState | undefined
  let good: Preview | undefined
  for await (const result of results) {
    const said = problemsText(result, terminal)
    try {
      const preview = result.project && (await previewOf(result.project, options))
      if (preview) state = { preview, diff: good && diffOfPreviews(good, preview), said: said + preview.heldUp }
      else state = { ...state, said }
      if (preview?.isGood) good = preview
    } catch (error) {
      if (!state) throw error
      state = { ...state, said: `${said}${explain(error)}\n` }
    }
    view.show(state)
  }
}
