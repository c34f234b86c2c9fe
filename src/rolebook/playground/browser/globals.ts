/** What Node has as globals and browsers do not. To be imported before everything else. */
import { Buffer } from './node-buffer.ts'

const channel = new MessageChannel()
const turns: (() => void)[] = []

channel.port1.addEventListener('message', () => turns.shift()?.())
channel.port1.start()

/** The next turn of the event loop. Timers of browsers wait for milliseconds. */
function setImmediate(callback: (...given: unknown[]) => void, ...given: unknown[]): void {
  turns.push(() => callback(...given))
  channel.port2.postMessage(undefined)
}

/** A timer with the methods of Node's. `ref` and `unref` do nothing, because timers do not decide how long a page lives. */
class Timer {
  readonly id: number

  constructor(id: number) {
    this.id = id
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

const scope = globalThis as unknown as Record<string, (...given: unknown[]) => unknown>
const starts = { setTimeout: scope.setTimeout, setInterval: scope.setInterval }
const ends = { clearTimeout: scope.clearTimeout, clearInterval: scope.clearInterval }

for (const [name, start] of Object.entries(starts)) {
  scope[name] = (...given) => new Timer(start?.(...given) as number)
}
for (const [name, end] of Object.entries(ends)) {
  scope[name] = (timer) => end?.(timer instanceof Timer ? timer.id : timer)
}

interface WebAssemblyApi {
  readonly Memory: new (limits: object) => { readonly buffer: object }
}

/** Browsers keep its name from pages that are not isolated from others, but not the class: what waits for a time needs it. */
function sharedArrayBuffer(): unknown {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }
  return new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer.constructor
}

Object.assign(globalThis, {
  SharedArrayBuffer: sharedArrayBuffer(),
  Buffer,
  setImmediate,
  process: { env: {}, cwd: () => '/' },
})
