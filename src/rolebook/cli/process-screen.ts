import { emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { ScreenDevice, ScreenSize, ScreenUser } from './screen-device.ts'

/** What a screen needs of a process. */
export type ScreenProcess = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'on' | 'off' | 'kill'>

/** The other buffer, so that what was in the terminal before is there again afterwards; no cursor; long lines end at the edge. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'
/** Terminals that know it show the text between them at once. */
const BEGIN = '\u001b[?2026h'
const END = '\u001b[?2026l'
/** Milliseconds after which a lone escape is the key, and not the begin of another one. */
const ESCAPE_MS = 50

/** Takes screen and keys until they are given back, which happens in any case before the process ends. */
export class ProcessScreen implements ScreenDevice {
  readonly #process: ScreenProcess
  readonly #user: ScreenUser
  readonly #interrupt: () => void
  readonly #released: () => void
  readonly hasKeys: boolean
  #isTaken = false
  readonly #listeners: readonly (() => void)[]

  /** `interrupt`: what Ctrl-C does, which is a key here. `released`: called when it is given back. */
  constructor(of: ScreenProcess, user: ScreenUser, interrupt: () => void, released: () => void) {
    this.#process = of
    this.#user = user
    this.#interrupt = interrupt
    this.#released = released
    this.hasKeys = of.stdin.isTTY === true && typeof of.stdin.setRawMode === 'function'
    this.#listeners = this.#listen()
    this.#enter()
  }

  get size(): ScreenSize {
    const { columns = 80, rows = 24 } = this.#process.stdout
    return { columns, rows }
  }

  draw(lines: readonly string[], before: readonly string[]): void {
    if (!this.#isTaken) return
    const clear = before.length === 0 ? '\u001b[2J' : ''
    const changed = lines.flatMap((line, index) =>
      line === before[index] ? [] : [`\u001b[${index + 1};1H\u001b[2K${line}\u001b[0m`],
    )
    if (changed.length > 0) this.#process.stdout.write(BEGIN + clear + changed.join('') + END)
  }

  interrupt(): void {
    this.#interrupt()
  }

  release(): void {
    for (const stopListening of this.#listeners) stopListening()
    this.#leave()
    this.#released()
  }

  #enter(): void {
    this.#isTaken = true
    const { stdin, stdout } = this.#process
    if (this.hasKeys) stdin.setRawMode(true).resume()
    stdout.write(ENTER)
  }

  #leave(): void {
    if (!this.#isTaken) return
    this.#isTaken = false
    const { stdin, stdout } = this.#process
    stdout.write(LEAVE)
    if (this.hasKeys) stdin.setRawMode(false).pause()
  }

  #listen(): readonly (() => void)[] {
    const { stdin, stdout } = this.#process
    const listeners: (() => void)[] = []
    const on = (target: Emitter, event: string, listener: (...args: never[]) => void): void => {
      target.on(event, listener as () => void)
      listeners.push(() => target.off(event, listener as () => void))
    }
    const leave = (): void => this.#leave()
    on(stdout, 'resize', () => this.#user.resized(this.size))
    // The first one comes before Node prints what ends the process.
    const signals = this.#process as unknown as Emitter
    on(signals, 'uncaughtExceptionMonitor', leave)
    on(signals, 'exit', leave)
    on(signals, 'SIGHUP', this.#interrupt)
    on(signals, 'SIGCONT', () => this.#resume())
    if (this.hasKeys) {
      emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface)
      on(stdin, 'keypress', (text: string | undefined, key: Key) => this.#press(nameOf(text, key)))
    }
    return listeners
  }

  #press(name: string): void {
    if (name === 'ctrl+c') this.#interrupt()
    else if (name === 'ctrl+z') this.#suspend()
    else if (name === 'ctrl+l') this.#user.resized(this.size)
    else this.#user.key(name)
  }

  /** As the terminal does when it is not in raw mode: all processes that it runs. */
  #suspend(): void {
    this.#leave()
    this.#process.kill(0, 'SIGTSTP')
  }

  #resume(): void {
    if (!this.#isTaken) this.#enter()
    this.#user.resized(this.size)
  }
}

type Emitter = Pick<NodeJS.EventEmitter, 'on' | 'off'>

function nameOf(text: string | undefined, { name, ctrl }: Key): string {
  if (ctrl === true) return `ctrl+${name}`
  // Of characters, only what was typed counts: `G` and `?` have the names of other keys, or none.
  const isCharacter = text !== undefined && /^[^\p{Cc}]$/u.test(text)
  return isCharacter ? text : (name ?? '')
}
