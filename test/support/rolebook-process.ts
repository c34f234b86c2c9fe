import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { explain } from '../../src/core/base/coded-error.ts'
import { builtProgram, compileCache } from './built-program.ts'

const BIN = join(import.meta.dirname, '../../bin/rolebook.cjs')
const PATIENCE_MS = 50_000

interface ProcessOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Defaults to this one. */
  readonly node?: string
  /** Defaults to the program as it is released or, where coverage is measured, its sources. */
  readonly program?: string
}

/** The program as a process of its own. */
export class RolebookProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<number | null>
  readonly #listeners = new Set<() => void>()
  stdout = ''
  stderr = ''

  constructor(args: readonly string[], { node = execPath, program = theProgram(), ...options }: ProcessOptions = {}) {
    this.#child = spawn(node, [program, ...args], {
      ...options,
      env: { ...compileCache(), ...(options.env ?? env) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#hear('stdout', chunk))
    this.#child.stderr?.on('data', (chunk: Buffer) => this.#hear('stderr', chunk))
    this.#exited = new Promise((resolve) => this.#child.on('close', resolve))
  }

  /** Resolves once what it has printed satisfies `seen`. @throws Error when it ends or takes too long before that */
  async until(what: string, seen: (process: RolebookProcess) => boolean): Promise<void> {
    const heard = Promise.withResolvers<void>()
    const look = (): void => {
      if (seen(this)) heard.resolve()
    }
    const fail = (reason: string): void =>
      heard.reject(new Error(`${reason} before ${what}\nstdout: ${this.stdout}\nstderr: ${this.stderr}`))
    const timer = setTimeout(() => fail('nothing more came'), PATIENCE_MS)
    this.#listeners.add(look)
    void this.#exited.then((code) => fail(`it ended with ${code}`))
    look()
    try {
      await heard.promise
    } finally {
      clearTimeout(timer)
      this.#listeners.delete(look)
    }
  }

  /** What becomes of `work`, for which it must go on. @throws Error with what it printed, when it ends or `work` fails */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    const ended = this.#exited.then((code) => {
      throw new Error(`it ended with ${code}`)
    })
    try {
      return await Promise.race([work, ended])
    } catch (error) {
      throw new Error(`${explain(error)}\nstdout: ${this.stdout}\nstderr: ${this.stderr}`, { cause: error })
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The exit code, once it has ended by itself. */
  ended(): Promise<number | null> {
    return this.#exited
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal)
    return this.#exited
  }

  #hear(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    this[stream] += chunk.toString()
    for (const listener of this.#listeners) listener()
  }
}

function theProgram(): string {
  return env.NODE_V8_COVERAGE ? BIN : join(builtProgram(), 'rolebook.mjs')
}
