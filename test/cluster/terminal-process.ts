import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScreenSize } from '../../src/rolebook/cli/screen-device.ts'
import { TerminalEmulator } from '../support/terminal-emulator.ts'

const PATIENCE_MS = 120_000

export interface TerminalProcessOptions {
  readonly cwd: string
  readonly size: ScreenSize
  readonly env: NodeJS.ProcessEnv
}

/** A shell command on a terminal of its own, made by `script` of util-linux, as a person would see it. */
export class TerminalProcess {
  readonly #child: ChildProcess
  readonly #cwd: string
  readonly #exited: Promise<number | null>
  readonly #listeners = new Set<() => void>()
  readonly screen: TerminalEmulator

  constructor(command: string, { cwd, size, env }: TerminalProcessOptions) {
    this.#cwd = cwd
    this.screen = new TerminalEmulator(size)
    // The settings of the terminal before and after the command are to be the same.
    // Ctrl-C reaches the shell too: without a trap, dash ends by it although the command ends well.
    const setUp = ['trap : INT', `stty cols ${size.columns} rows ${size.rows}`, 'tty > tty', 'stty -g > before']
    const steps = [...setUp, command]
    const script = `${steps.join('; ')}; code=$?; stty -g > after; exit $code`
    this.#child = spawn('script', ['-qefc', script, '/dev/null'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.screen.write(chunk.toString())
      for (const listener of this.#listeners) listener()
    })
    this.#exited = new Promise((resolve) => this.#child.on('close', resolve))
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys)
  }

  resize(size: ScreenSize): void {
    this.screen.resize(size)
    const tty = readFileSync(join(this.#cwd, 'tty'), 'utf8').trim()
    execFileSync('stty', ['-F', tty, 'cols', String(size.columns), 'rows', String(size.rows)])
  }

  /** The text on the screen, once it satisfies `seen`. @throws Error with the screen when that takes too long */
  async until(what: string, seen: (text: string) => boolean): Promise<string> {
    const found = Promise.withResolvers<string>()
    const look = async (): Promise<void> => {
      const text = (await this.screen.lines()).map((line) => line.trimEnd()).join('\n')
      if (seen(text)) found.resolve(text)
    }
    const fail = async (reason: string): Promise<void> =>
      found.reject(new Error(`${reason} before ${what}\n${(await this.screen.lines()).join('\n')}`))
    const timer = setTimeout(() => void fail('nothing more came'), PATIENCE_MS)
    const listener = (): void => void look()
    this.#listeners.add(listener)
    void this.#exited.then((code) => fail(`it ended with ${code}`))
    listener()
    return found.promise.finally(() => {
      clearTimeout(timer)
      this.#listeners.delete(listener)
    })
  }

  /** The exit code, once it has ended by itself. */
  ended(): Promise<number | null> {
    return this.#exited
  }

  /** Whether the terminal works as it did before the command. */
  isRestored(): boolean {
    const [before, after] = ['before', 'after'].map((name) => join(this.#cwd, name))
    if (before === undefined || after === undefined || !existsSync(after)) return false
    return readFileSync(before, 'utf8') === readFileSync(after, 'utf8')
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
