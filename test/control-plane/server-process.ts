import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Watchdog } from './watchdog.ts'

const GRACE_MS = 10_000

/** One program of the control plane as a child process that writes its log into the folder of the run. */
export class ServerProcess {
  readonly #log: string
  readonly #child: ChildProcess
  readonly #closed: Promise<void>

  constructor(name: string, program: { path: string; args: readonly string[]; folder: string }, watchdog: Watchdog) {
    this.#log = join(program.folder, `${name}.log`)
    const log = openSync(this.#log, 'a')
    this.#child = spawn(program.path, program.args, { cwd: program.folder, stdio: ['ignore', log, log] })
    closeSync(log)
    const { pid } = this.#child
    if (pid !== undefined) watchdog.guard(pid)
    this.#closed = new Promise((resolve) => {
      this.#child.once('close', () => {
        if (pid !== undefined) watchdog.release(pid)
        resolve()
      })
      this.#child.once('error', () => resolve())
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get running(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The last lines of its log: what a person needs to see why it did not start. */
  lastWords(): string {
    return readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-15).join('\n')
  }

  /** Ends it by its pid, for good after ten seconds. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.running) return
    this.#child.kill(signal)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS)
    await this.#closed
    clearTimeout(timer)
  }
}
