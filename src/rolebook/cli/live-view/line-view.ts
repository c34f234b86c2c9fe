import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { Terminal } from '../terminal.ts'
import { printHeading } from './heading.ts'
import type { LiveView, LiveViewOptions } from './live-view.ts'
import { keyOfRow, nameOfRow, type ResourceRow } from './resource-row.ts'

/** For a pipe: says what changed, once. */
export class LineView implements LiveView {
  readonly #terminal: Pick<Terminal, 'out' | 'err'>
  readonly #last = new Map<string, string>()

  constructor(terminal: Pick<Terminal, 'out' | 'err'>, { heading }: Pick<LiveViewOptions, 'heading'>) {
    this.#terminal = terminal
    terminal.out(`${printHeading(heading)}\n`)
  }

  show(row: ResourceRow): void {
    const children = row.children === undefined ? '' : ` children=${row.children}`
    const state = `${nameOfRow(row)} Ready=${row.ready} ${row.reason}${children}`
    const line = row.message === '' ? state : `${state}: ${row.message}`
    if (this.#last.get(keyOfRow(row)) === line) return
    this.#last.set(keyOfRow(row), line)
    this.#terminal.out(`${line}\n`)
  }

  remove(request: Request): void {
    if (this.#last.delete(keyOfRow({ request }))) this.#terminal.out(`${nameOfRow({ request })} gone\n`)
  }

  say(text: string): void {
    this.#terminal.err(text)
  }

  showProblem(text: string | undefined): void {
    if (text !== undefined) this.#terminal.err(text)
  }

  stop(): void {}
}
