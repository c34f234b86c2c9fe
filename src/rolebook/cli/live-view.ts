import { stripVTControlCharacters } from 'node:util'
import type { Clock } from '../../core/base/clock.ts'
import { printTable, type ResourceRow } from './live-table.ts'
import type { Terminal } from './terminal.ts'

const LOG_LINES = 8
/** Lines of a problem that stay on the screen: enough for one mistake with its place and its hint. */
const PROBLEM_LINES = 10
const FRAME_MS = 100

/** Shows resources as they change: a table that redraws itself on a screen, one line per change in a pipe. */
export interface LiveView {
  show(row: ResourceRow): void
  remove(resource: string): void
  /** A line of log, or anything else worth a line. */
  say(text: string): void
  /** What is wrong now. It stays on a screen until the next call; `undefined`: nothing is. */
  showProblem(text: string | undefined): void
  stop(): void
}

export interface LiveViewOptions {
  readonly clock: Clock
  /** Text that stays above the table. */
  readonly heading: string
}

export function newLiveView(terminal: Terminal, options: LiveViewOptions): LiveView {
  return terminal.interactive ? new ScreenView(terminal, options) : new LineView(terminal, options)
}

/** For a pipe: says what changed, once. */
class LineView implements LiveView {
  readonly #terminal: Terminal
  readonly #last = new Map<string, string>()

  constructor(terminal: Terminal, { heading }: LiveViewOptions) {
    this.#terminal = terminal
    terminal.out(`${heading}\n`)
  }

  show(row: ResourceRow): void {
    const state = `${row.resource} Ready=${row.ready} ${row.reason}${row.children === undefined ? '' : ` children=${row.children}`}`
    const line = row.message === '' ? state : `${state}: ${row.message}`
    if (this.#last.get(row.resource) === line) return
    this.#last.set(row.resource, line)
    this.#terminal.out(`${line}\n`)
  }

  remove(resource: string): void {
    if (this.#last.delete(resource)) this.#terminal.out(`${resource} gone\n`)
  }

  say(text: string): void {
    this.#terminal.err(text)
  }

  showProblem(text: string | undefined): void {
    if (text !== undefined) this.#terminal.err(text)
  }

  stop(): void {}
}

/** For a screen: redraws at most ten times a second, in place. */
class ScreenView implements LiveView {
  readonly #terminal: Terminal
  readonly #options: LiveViewOptions
  readonly #rows = new Map<string, ResourceRow>()
  readonly #log: string[] = []
  #problem: readonly string[] = []
  #cancelFrame: (() => void) | undefined
  #drawn = 0

  constructor(terminal: Terminal, options: LiveViewOptions) {
    this.#terminal = terminal
    this.#options = options
    this.#drawSoon()
  }

  show(row: ResourceRow): void {
    this.#rows.set(row.resource, row)
    this.#drawSoon()
  }

  remove(resource: string): void {
    this.#rows.delete(resource)
    this.#drawSoon()
  }

  say(text: string): void {
    this.#log.push(...text.trimEnd().split('\n'))
    this.#log.splice(0, this.#log.length - LOG_LINES)
    this.#drawSoon()
  }

  /** The first lines count: further mistakes often follow from the first one. */
  showProblem(text: string | undefined): void {
    const lines = text === undefined ? [] : text.trimEnd().split('\n')
    const rest = lines.length - PROBLEM_LINES
    const more = rest > 0 ? [`… and ${rest} more lines (rolebook check prints all)`] : []
    this.#problem = lines.length === 0 ? [] : [...lines.slice(0, PROBLEM_LINES), ...more, '']
    this.#drawSoon()
  }

  stop(): void {
    this.#cancelFrame?.()
    this.#draw()
  }

  #drawSoon(): void {
    this.#cancelFrame ??= this.#options.clock.schedule(FRAME_MS, () => {
      this.#cancelFrame = undefined
      this.#draw()
    })
  }

  #draw(): void {
    const { columns } = this.#terminal
    const text = [this.#options.heading, '', this.#table(), '', ...this.#problem, ...this.#log].join('\n')
    this.#terminal.out(`${this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`}\u001b[0J${text}\n`)
    this.#drawn = linesOn(text, columns)
  }

  /** As many resources as the screen has room for, those that are not ready first. */
  #table(): string {
    const { color, columns, rows: height } = this.#terminal
    const around = linesOn(this.#options.heading, columns) + linesOfAll(this.#problem, columns) + LOG_LINES + 6
    const room = Math.max(3, height - around)
    const rows = [...this.#rows.values()].sort(byReadinessThenName(this.#rows.size > room))
    const table = printTable(rows.slice(0, room), { color, columns })
    return rows.length <= room ? table : `${table}\n… and ${rows.length - room} more`
  }
}

function byReadinessThenName(isReadinessFirst: boolean) {
  return (a: ResourceRow, b: ResourceRow): number => {
    const order = isReadinessFirst ? Number(a.ready === 'True') - Number(b.ready === 'True') : 0
    return order || a.resource.localeCompare(b.resource)
  }
}

/** Rows of the screen that a text takes when long lines wrap. */
function linesOn(text: string, columns: number): number {
  return linesOfAll(text.split('\n'), columns)
}

function linesOfAll(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / columns)), 0)
}
