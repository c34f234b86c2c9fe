import type { ScreenDevice } from '../screen-device.ts'
import type { Terminal } from '../terminal.ts'
import type { PreviewState, PreviewView } from './preview-view.ts'
import { moved, type PreviewPage, renderPreview } from './render-preview.ts'

/** The whole screen of a terminal. */
export class PreviewScreen implements PreviewView {
  readonly #color: boolean
  readonly #device: ScreenDevice
  #page: PreviewPage
  #drawn: readonly string[] = []

  constructor({ color }: Pick<Terminal, 'color'>, takeScreen: NonNullable<Terminal['takeScreen']>) {
    this.#color = color
    this.#device = takeScreen({
      key: (name) => (name === 'q' ? this.#device.interrupt() : this.#change(moved(this.#page, name))),
      resized: (size) => {
        this.#drawn = []
        this.#change({ size })
      },
      say: (text) => this.#change({ said: this.#page.said + text }),
    })
    const { size, hasKeys } = this.#device
    this.#page = { size, hasKeys, scroll: 0, said: '' }
    this.#change({})
  }

  show(state: PreviewState): void {
    this.#change(state)
  }

  stop(): void {
    this.#device.release()
  }

  #change(change: Partial<PreviewPage>): void {
    this.#page = { ...this.#page, ...change }
    const lines = renderPreview(this.#page, this.#color)
    this.#device.draw(lines, this.#drawn)
    this.#drawn = lines
  }
}
