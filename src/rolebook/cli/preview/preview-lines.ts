import type { Terminal } from '../terminal.ts'
import type { Preview } from './preview.ts'
import type { PreviewState, PreviewView } from './preview-view.ts'
import { previewDiffLines, printParts } from './print-preview.ts'

/** For a pipe: the first preview as a whole, then a block for each change. What is wrong goes to standard error. */
export class PreviewLines implements PreviewView {
  readonly #terminal: Pick<Terminal, 'out' | 'err' | 'color'>
  #preview: Preview | undefined
  #said = ''

  constructor(terminal: Pick<Terminal, 'out' | 'err' | 'color'>) {
    this.#terminal = terminal
  }

  show({ preview, diff, said }: PreviewState): void {
    if (said !== this.#said) this.#terminal.err(said)
    this.#said = said
    if (!preview || preview === this.#preview) return
    this.#preview = preview
    this.#terminal.out(diff ? this.#block(preview, diff) : printParts(preview.parts))
  }

  stop(): void {}

  #block({ sample }: Preview, diff: NonNullable<PreviewState['diff']>): string {
    const [total, ...lines] = previewDiffLines(diff, this.#terminal.color)
    const added = diff.filter(({ action }) => action === 'create').map(({ part }) => part)
    return `\n${[`${sample}: ${total}`, ...lines].join('\n')}\n${printParts(added)}`
  }
}
