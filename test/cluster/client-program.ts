import { type ChildProcess, spawn } from 'node:child_process'

const PATIENCE_MS = 60_000
const KEPT_OUTPUT = 20_000

/** A program that runs until it is stopped. */
export class ClientProgram {
  readonly #child: ChildProcess
  readonly #ended: Promise<number | null>
  #heard: () => void = () => undefined
  output = ''

  constructor(path: string, args: readonly string[]) {
    this.#child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString()
        this.#heard()
      })
    }
    this.#ended = new Promise((resolve) => this.#child.once('close', resolve))
  }

  /** Resolves once its output satisfies `seen`. @throws Error with the output when it ends or takes too long before that */
  async until(what: string, seen: (output: string) => boolean): Promise<void> {
    const heard = Promise.withResolvers<void>()
    const fail = (): void => heard.reject(new Error(`no sign that it ${what}: ${this.output.slice(-KEPT_OUTPUT)}`))
    const timer = setTimeout(fail, PATIENCE_MS)
    void this.#ended.then(fail)
    this.#heard = () => {
      if (seen(this.output)) heard.resolve()
    }
    this.#heard()
    await heard.promise.finally(() => clearTimeout(timer))
  }

  /** Ends it, if it has not ended yet. @returns its exit code */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM')
    return this.#ended
  }
}
