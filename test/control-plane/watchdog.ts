import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'

const PROGRAM = join(import.meta.dirname, 'watchdog-program.ts')

/**
 * Ends the guarded processes when this one ends, for whatever reason. Only this process holds one end of a pipe: when the
 * pipe closes, a second process kills the guarded ones and removes the folder.
 */
export class Watchdog {
  readonly #process: ChildProcess

  constructor(folder: string) {
    // In a group of its own: Ctrl+C in a terminal ends the guarded, not the guard.
    this.#process = spawn(execPath, [PROGRAM, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
    this.#process.unref()
  }

  guard(pid: number): void {
    this.#send(`+${pid}`)
  }

  /** The process has ended: its pid may belong to another soon. */
  release(pid: number): void {
    this.#send(`-${pid}`)
  }

  /** Ends what is still guarded, and the guard. */
  stop(): void {
    this.#process.stdin?.end()
  }

  #send(line: string): void {
    this.#process.stdin?.write(`${line}\n`)
  }
}
