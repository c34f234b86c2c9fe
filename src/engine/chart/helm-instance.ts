import { zstdDecompressSync } from 'node:zlib'
import { ChartFailure } from './chart-failure.ts'
import { wasiCalls } from './wasi.ts'
import { type WasmMemory, webAssembly } from './web-assembly.ts'

/** The functions that the module exports. */
export type HelmCall = 'load' | 'render'

interface Exports {
  readonly memory: WasmMemory
  readonly _initialize: () => void
  readonly load: (length: number) => void
  readonly render: (length: number) => void
}

/** Helm's renderer, loaded and warm. A call blocks its thread; after one that throws, the instance is of no use any more. */
export class HelmInstance {
  readonly #exports: Exports
  readonly #largestAnswer: number
  #request = Buffer.alloc(0)
  #answer = ''
  #complaints = ''
  #wallTime = 0

  /** @param packed what `npm run build:helm-engine` wrote */
  constructor(packed: Uint8Array, options: { readonly largestAnswer: number }) {
    this.#largestAnswer = options.largestAnswer
    const module = new webAssembly.Module(zstdDecompressSync(packed))
    const calls = wasiCalls(module, {
      memory: () => this.#exports.memory,
      wallTime: () => this.#wallTime,
      complain: (text) => {
        this.#complaints = (this.#complaints + text).slice(0, COMPLAINTS)
      },
    })
    const { exports } = new webAssembly.Instance(module, {
      wasi_snapshot_preview1: calls,
      rolebook: { read: this.#read, write: this.#write },
    })
    this.#exports = exports as unknown as Exports
    this.#exports._initialize()
  }

  /**
   * Calls a function of the module with JSON, and gives its JSON. Its clock stands at `wallTime`.
   *
   * @throws ChartFailure when a limit is reached
   */
  call(name: HelmCall, request: string, wallTime: number): string {
    this.#request = Buffer.from(request)
    this.#answer = ''
    this.#complaints = ''
    this.#wallTime = wallTime
    try {
      this.#exports[name](this.#request.length)
      return this.#answer
    } catch (error) {
      throw toFailure(error, this.#complaints)
    }
  }

  readonly #read = (pointer: number): void => {
    new Uint8Array(this.#exports.memory.buffer).set(this.#request, pointer)
  }

  readonly #write = (pointer: number, length: number): void => {
    const largest = this.#largestAnswer
    if (length > largest)
      throw new ChartFailure('size', `the chart renders to ${length} bytes, and ${largest} are allowed`)
    this.#answer = Buffer.from(this.#exports.memory.buffer, pointer, length).toString('utf8')
  }
}

/** The first of what the module says, in characters: when it dies, the reason stands there. */
const COMPLAINTS = 4096

function toFailure(error: unknown, complaints: string): ChartFailure {
  if (error instanceof ChartFailure) return error
  if (/out of memory|cannot allocate memory/.test(complaints)) {
    return new ChartFailure('memory', 'rendering the chart takes more memory than it may have', { cause: error })
  }
  if (error instanceof RangeError || /stack overflow|stack exceeds/.test(complaints)) {
    return new ChartFailure('depth', 'the templates of the chart are nested too deeply', { cause: error })
  }
  const reason = complaints.split('\n', 1)[0] || String(error)
  return new ChartFailure('engine', `the renderer of charts has stopped: ${reason}`, { cause: error })
}
