import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { env } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Watchdog } from '../../test/control-plane/watchdog.ts'
import { cpuSecondsOf, memoryMebibytesOf } from '../../test/support/process-usage.ts'

/** How a program is started. */
export interface Command {
  readonly path: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const POLL_MS = 50
/** Without more work than `CALM_SECONDS` in it, a process is quiet. */
const CALM_MS = 2_000
const CALM_SECONDS = 0.03
const PATIENCE_MS = 300_000

/** A contestant at work: what Linux says of its process. */
export class ContestantProcess {
  readonly #child: ChildProcess
  readonly #log: string
  readonly #ended: Promise<unknown>

  /** @param watchdog ends it when the bench is gone, however it went */
  constructor({ path, args, env: more }: Command, log: string, watchdog: Watchdog) {
    this.#log = log
    const output = openSync(log, 'a')
    this.#child = spawn(path, args, { env: { ...env, ...more }, stdio: ['ignore', output, output] })
    closeSync(output)
    const { pid = 0 } = this.#child
    watchdog.guard(pid)
    this.#ended = once(this.#child, 'exit').finally(() => watchdog.release(pid))
  }

  /** Seconds of user and system since it started. */
  cpuSeconds(): number {
    return cpuSecondsOf(this.#pid)
  }

  memoryMebibytes(which: 'now' | 'peak'): number {
    return memoryMebibytesOf(this.#pid, which)
  }

  /** Resolves when it has had nothing to do for two seconds, with the moment from which that was so (`performance.now()`). */
  async untilQuiet(): Promise<number> {
    const end = performance.now() + PATIENCE_MS
    let since = performance.now()
    let cpu = this.cpuSeconds()
    while (performance.now() < since + CALM_MS) {
      await sleep(POLL_MS)
      const now = this.cpuSeconds()
      if (now > cpu + CALM_SECONDS) {
        since = performance.now()
        cpu = now
      }
      if (since > end) throw new Error(`the contestant is busy for ever${this.#lastWords()}`)
    }
    return since
  }

  /** What becomes of `work`, for which it must go on. @throws Error with the end of its log, when it ends before */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    const ended = this.#ended.then(() => {
      throw new Error(`the contestant has ended${this.#lastWords()}`)
    })
    return Promise.race([work, ended])
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000)
    await this.#ended
    clearTimeout(timer)
  }

  get #pid(): number {
    if (this.#child.exitCode !== null) throw new Error(`the contestant has ended${this.#lastWords()}`)
    return this.#child.pid ?? 0
  }

  #lastWords(): string {
    return `; its last words:\n${readFileSync(this.#log, 'utf8').trimEnd().split('\n').slice(-15).join('\n')}`
  }
}
