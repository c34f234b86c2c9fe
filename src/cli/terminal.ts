import process from 'node:process'

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
  /** Width of the screen in characters. */
  readonly columns: number
  /** Height of the screen in lines. */
  readonly rows: number
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborts when the process is asked to stop (SIGINT, SIGTERM). */
  readonly stopped: AbortSignal
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
export type ProcessPart = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env' | 'on' | 'exit'>

/** The terminal of this process. A second signal ends the process at once. */
export function processTerminal(of: ProcessPart = process): Terminal {
  const { stdout, stderr, env } = of
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that went away (`rolebook check | head`) is no error.
      if (error.code !== 'EPIPE') throw error
      of.exit(EXIT.ok)
    })
  }
  const interactive = stdout.isTTY === true && env.TERM !== 'dumb'
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    interactive,
    color: interactive && (env.NO_COLOR ?? '') === '',
    get columns() {
      return stdout.columns ?? 120
    },
    get rows() {
      return stdout.rows ?? 40
    },
    environment: env,
    stopped: abortOnSignal(of),
  }
}

function abortOnSignal(of: ProcessPart): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    of.on(signal, () => {
      if (controller.signal.aborted) of.exit(EXIT.failure)
      controller.abort()
    })
  }
  return controller.signal
}
