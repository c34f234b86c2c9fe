import { type WasmMemory, type WasmModule, webAssembly } from './web-assembly.ts'

/** What a WebAssembly module sees of the world: a clock, random bytes, and a place to complain. */
export interface World {
  readonly memory: () => WasmMemory
  /** Milliseconds since 1970. It stands still while the module runs, so that what it makes depends on its inputs alone. */
  readonly wallTime: () => number
  readonly complain: (text: string) => void
}

/** Thrown through the module when it gives up. */
class ModuleExit extends Error {}

const DONE = 0
/** The error that says that there is no such file: the answer to everything that is not here. */
const BAD_FILE = 8
const REALTIME = 0
const NANOSECONDS = 1e6
const LARGEST_RANDOM = 65_536

type Calls = { readonly [name: string]: (...args: never[]) => unknown }

/** The system interface of WASI without files, network, arguments and environment. */
export function wasiCalls(module: WasmModule, world: World): Calls {
  const known = { ...clockCalls(world), ...otherCalls(world) }
  const names = webAssembly.Module.imports(module)
    .filter(({ module: from }) => from === 'wasi_snapshot_preview1')
    .map(({ name }) => name)
  return Object.fromEntries(names.map((name) => [name, known[name] ?? (() => BAD_FILE)]))
}

function otherCalls({ memory, complain }: World): Calls {
  const view = (): DataView => new DataView(memory().buffer)
  const none = (count: number, size: number): number => {
    view().setUint32(count, 0, true)
    view().setUint32(size, 0, true)
    return DONE
  }
  return {
    args_sizes_get: none,
    args_get: () => DONE,
    environ_sizes_get: none,
    environ_get: () => DONE,
    sched_yield: () => DONE,
    random_get(pointer: number, length: number) {
      for (let at = 0; at < length; at += LARGEST_RANDOM) {
        const size = Math.min(LARGEST_RANDOM, length - at)
        crypto.getRandomValues(new Uint8Array(memory().buffer, pointer + at, size))
      }
      return DONE
    },
    fd_write(_file: number, parts: number, count: number, written: number) {
      let sum = 0
      for (let i = 0; i < count; i++) {
        const start = view().getUint32(parts + 8 * i, true)
        const length = view().getUint32(parts + 8 * i + 4, true)
        complain(Buffer.from(memory().buffer, start, length).toString('utf8'))
        sum += length
      }
      view().setUint32(written, sum, true)
      return DONE
    },
    proc_exit(code: number) {
      throw new ModuleExit(`it exits with ${code}`)
    },
  }
}

function clockCalls({ memory, wallTime }: World): Calls {
  const never = new Int32Array(new SharedArrayBuffer(4))
  const CLOCK = 0
  return {
    clock_time_get(clock: number, _precision: bigint, result: number) {
      const now = clock === REALTIME ? wallTime() : performance.now()
      new DataView(memory().buffer).setBigUint64(result, BigInt(Math.round(now * NANOSECONDS)), true)
      return DONE
    },
    /** Every timer that is waited for has run out when this returns; files are never ready. */
    poll_oneoff(subscriptions: number, events: number, count: number, ready: number) {
      const view = new DataView(memory().buffer)
      let [found, shortest] = [0, Number.POSITIVE_INFINITY]
      for (let i = 0; i < count; i++) {
        const subscription = subscriptions + 48 * i
        if (view.getUint8(subscription + 8) !== CLOCK) continue
        shortest = Math.min(shortest, Number(view.getBigUint64(subscription + 24, true)) / NANOSECONDS)
        const event = events + 32 * found++
        view.setBigUint64(event, view.getBigUint64(subscription, true), true)
        view.setUint16(event + 8, DONE, true)
        view.setUint8(event + 10, CLOCK)
      }
      if (Number.isFinite(shortest) && shortest > 0) Atomics.wait(never, 0, 0, shortest)
      view.setUint32(ready, found, true)
      return DONE
    },
  }
}
