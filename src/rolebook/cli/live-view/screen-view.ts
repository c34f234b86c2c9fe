import { explain } from '../../../core/base/coded-error.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { ScreenDevice } from '../screen-device.ts'
import type { Terminal } from '../terminal.ts'
import type { LiveView, LiveViewOptions } from './live-view.ts'
import { drawScreen, reduceScreen } from './reduce-screen.ts'
import { totalOf } from './resource-list.ts'
import { keyOfRow, type ResourceRow } from './resource-row.ts'
import { newScreenState, type ScreenEvent, type ScreenState, type Size } from './screen-state.ts'

/** Between two frames of what changes by itself. Keys and a new size are answered at once. */
const FRAME_MS = 100
/** Between two looks at what is open: events come without a run. */
const DETAILS_MS = 2_000

/** The whole screen of a terminal: hands what happens to the reducer, and writes the lines that are others than before. */
export class ScreenView implements LiveView {
  readonly #terminal: Terminal
  readonly #options: LiveViewOptions
  readonly #device: ScreenDevice
  readonly #changes = new Map<string, ResourceRow | undefined>()
  #state: ScreenState
  #drawn: readonly string[] = []
  #cancelFrame: (() => void) | undefined
  #cancelDetails: (() => void) | undefined

  constructor(terminal: Terminal, options: LiveViewOptions) {
    this.#terminal = terminal
    this.#options = options
    const device = terminal.takeScreen?.({
      key: (name) => this.#take({ type: 'key', name }),
      resized: (size) => this.#redraw(size),
      say: (text) => this.say(text),
    })
    if (!device) throw new Error('the terminal has no screen')
    this.#device = device
    const { heading } = options
    this.#state = newScreenState({ size: device.size, hasKeys: device.hasKeys, heading })
    terminal.stopped.addEventListener('abort', () => this.#take({ type: 'stopping' }), { once: true })
    this.#draw()
  }

  show(row: ResourceRow): void {
    this.#change(keyOfRow(row), row)
  }

  remove(request: Request): void {
    this.#change(keyOfRow({ request }), undefined)
  }

  say(text: string): void {
    this.#reduce({ type: 'said', text })
    this.#drawSoon()
  }

  showProblem(text: string | undefined): void {
    this.#reduce({ type: 'problem', text })
    this.#drawSoon()
  }

  /** Gives the screen back. What a person wants to know afterwards stays in the terminal. */
  stop(): void {
    this.#cancelFrame?.()
    this.#cancelDetails?.()
    this.#device.release()
    const { problem, resources } = this.#state
    const { ready, all } = totalOf(resources.values())
    const total = all === 0 ? [] : [`Ready ${ready} of ${all}`]
    for (const line of [...problem, ...total]) this.#terminal.out(`${line}\n`)
  }

  /** Many changes of a resource between two frames are one. */
  #change(key: string, row: ResourceRow | undefined): void {
    this.#changes.set(key, row)
    this.#drawSoon()
    const { page } = this.#state
    if (page?.kind === 'details' && page.resource === key) this.#loadDetails(key)
  }

  /** An event that a person made. */
  #take(event: ScreenEvent): void {
    const { isStopping, page } = this.#state
    this.#reduce(event)
    this.#draw()
    const now = this.#state
    if (now.isStopping && !isStopping && !this.#terminal.stopped.aborted) this.#device.interrupt()
    if (now.page?.kind === 'details' && now.page.kind !== page?.kind) this.#loadDetails(now.page.resource)
  }

  #loadDetails(resource: string): void {
    this.#cancelDetails?.()
    const request = this.#state.resources.get(resource)?.request
    const { page } = this.#state
    if (!request || page?.kind !== 'details' || page.resource !== resource) return
    const { details, clock } = this.#options
    const answer = details(request).catch((error: unknown) => [`cannot read the resource: ${explain(error)}`])
    void answer.then((lines) => {
      this.#reduce({ type: 'details', resource, lines })
      this.#drawSoon()
    })
    this.#cancelDetails = clock.schedule(DETAILS_MS, () => this.#loadDetails(resource))
  }

  #reduce(event: ScreenEvent): void {
    this.#state = reduceScreen(this.#state, event)
  }

  #redraw(size: Size): void {
    this.#drawn = []
    this.#take({ type: 'resized', size })
  }

  #drawSoon(): void {
    this.#cancelFrame ??= this.#options.clock.schedule(FRAME_MS, () => this.#draw())
  }

  #draw(): void {
    this.#cancelFrame?.()
    this.#cancelFrame = undefined
    if (this.#changes.size > 0) this.#reduce({ type: 'resources', changes: new Map(this.#changes) })
    this.#changes.clear()
    const lines = drawScreen(this.#state, this.#terminal.color)
    this.#device.draw(lines, this.#drawn)
    this.#drawn = lines
  }
}
