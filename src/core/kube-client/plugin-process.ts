import type { KubeConfig } from '@kubernetes/client-node'

/** What is known here of a process that the library has started. */
interface Child {
  readonly stdout: { destroy(): void }
  readonly stderr: { destroy(): void }
  kill(signal: 'SIGKILL'): boolean
}

/** What comes of a start: where no more files may be open, no process, no streams, and an event of the error. */
type Started = Child | { readonly stdout?: undefined; on(event: 'error', listener: () => void): unknown }

/** How the library gets credentials; with `execFn` if by an exec plugin. */
interface Authenticator {
  execFn?: (...given: readonly unknown[]) => Started
}

/** The process of an exec plugin. The library starts it, and then waits for it without end. */
export class PluginProcess {
  #child: Child | undefined

  /** Takes note of the process that `config` starts. There is one at a time. */
  follow(config: KubeConfig): void {
    for (const authenticator of Reflect.get(config, 'authenticators') as readonly Authenticator[]) {
      const start = authenticator.execFn
      if (!start) continue
      authenticator.execFn = (...given) => {
        this.#child = running(start(...given))
        return this.#child
      }
    }
  }

  /** Ends it, if it has not come to its end. Its output is closed, too: a process that it has started may hold that. */
  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child?.stdout.destroy()
    this.#child?.stderr.destroy()
    this.#child = undefined
  }
}

/** The library takes streams for granted, and listens to errors only after. */
function running(started: Started): Child {
  if (started.stdout) return started
  started.on('error', () => undefined)
  throw new Error('too many files are open to start a program')
}
