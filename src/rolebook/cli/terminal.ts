import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { type Clock, systemClock } from '../../core/base/clock.ts'
import { ProcessScreen, type ScreenProcess } from './process-screen.ts'
import type { ScreenDevice, ScreenUser } from './screen-device.ts'

/** What a command knows of the process: streams, environment, signals. Tests pass one of their own. */
export interface Terminal {
  /** For what was asked for: results, tables. */
  out(text: string): void
  /** For everything said beside it: progress, logs, errors. */
  err(text: string): void
  /** Whether a person sees `out` on a screen that can be redrawn. */
  readonly interactive: boolean
  /** Whether `out` may hold colour: never when `NO_COLOR` is set. */
  readonly color: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Asks the person at the terminal; rejects when they end the input. Absent when there is no terminal, as on a pipe. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Aborts when the process is asked to stop (SIGINT, SIGTERM). */
  readonly stopped: AbortSignal
  /** Takes the whole screen and the keys. Absent when `out` is no screen that can be redrawn. */
  readonly takeScreen?: ((user: ScreenUser) => ScreenDevice) | undefined
}

export type ExitCode = 0 | 1 | 2 | 3

export const EXIT = {
  ok: 0,
  /** Something went wrong while running. */
  failure: 1,
  /** Wrong usage or a configuration that cannot be loaded. */
  usage: 2,
  /** A check found something: what is wrong is its result. */
  findings: 3,
} as const satisfies Record<string, ExitCode>

/** What a terminal needs of a process. */
export type ProcessPart = ScreenProcess & Pick<NodeJS.Process, 'stderr' | 'env' | 'exit'>

/** The terminal of this process. A second signal ends the process at once. */
export function processTerminal(of: ProcessPart = process, clock: Pick<Clock, 'monotonic'> = systemClock): Terminal {
  const { stdout, stderr, env } = of
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that went away (`rolebook check | head`) is not an error.
    if (error.code === 'EPIPE') return of.exit(EXIT.ok)
    stderr.write(`rolebook: cannot write the output: ${error.message}\n`)
    of.exit(EXIT.failure)
  })
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    // On a full disk the failure cannot be reported either, and an operator is worth more than its log.
    if (error.code === 'EPIPE') of.exit(EXIT.ok)
  })
  const interactive = stdout.isTTY === true && env.TERM !== 'dumb'
  const { signal: stopped, interrupt } = abortOnSignal(of, clock)
  let user: ScreenUser | undefined
  const takeScreen = (next: ScreenUser): ScreenDevice => {
    const screen = new ProcessScreen(of, next, interrupt, () => (user = undefined))
    user = next
    return screen
  }
  return {
    out: (text) => void stdout.write(text),
    err: (text) => (user ? user.say(text) : void stderr.write(text)),
    interactive,
    color: interactive && (env.NO_COLOR ?? '') === '',
    environment: env,
    get ask() {
      return askerOf(of)
    },
    stopped,
    takeScreen: interactive ? takeScreen : undefined,
  }
}

/** Questions go to stderr: what a command prints stays what was asked for. */
function askerOf({ stdin, stderr }: ProcessPart): Terminal['ask'] {
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  return async (question) => {
    const lines = createInterface({ input: stdin, output: stderr })
    lines.on('SIGINT', () => lines.close())
    const ended = once(lines, 'close').then(() => {
      throw new Error('the input has ended')
    })
    try {
      return await Promise.race([lines.question(question), ended])
    } finally {
      lines.close()
      await ended.catch(() => undefined)
    }
  }
}

/**
 * Milliseconds in which a Ctrl-C counts once. A terminal sends it to every process that it runs, and those which started
 * this one (npm, npx, `bin/rolebook.cjs` on an older Node) pass it on once more.
 */
const ONE_CTRL_C = 500

interface Stopping {
  readonly signal: AbortSignal
  /** What Ctrl-C does. */
  interrupt(): void
}

function abortOnSignal(of: ProcessPart, clock: Pick<Clock, 'monotonic'>): Stopping {
  const controller = new AbortController()
  let pressed = Number.NEGATIVE_INFINITY
  const stop = (): void => {
    if (controller.signal.aborted) of.exit(EXIT.failure)
    controller.abort()
  }
  const interrupt = (): void => {
    const now = clock.monotonic()
    if (now - pressed < ONE_CTRL_C) return
    pressed = now
    stop()
  }
  of.on('SIGTERM', stop)
  of.on('SIGINT', interrupt)
  return { signal: controller.signal, interrupt }
}
