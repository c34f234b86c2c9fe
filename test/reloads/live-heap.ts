import type { RolebookProcess } from '../support/rolebook-process.ts'

/** Where a process that was started with `--inspect` says that it can be asked. */
const ADDRESS = /Debugger listening on (ws:\S+)/

export interface LiveHeap {
  readonly kilobytes: number
  /** Objects of all kinds, functions among them. */
  readonly objects: number
}

interface Answer {
  readonly id?: number
  readonly result?: {
    readonly usedSize?: number
    readonly result?: { readonly objectId?: string; readonly value?: number }
    readonly objects?: { readonly objectId?: string }
  }
}

/** What is reachable on the heap of a process: garbage is collected first. */
export async function liveHeapOf(program: RolebookProcess): Promise<LiveHeap> {
  await program.until('it can be inspected', ({ stderr }) => ADDRESS.test(stderr))
  const inspector = await Inspector.open(ADDRESS.exec(program.stderr)?.[1] ?? '')
  try {
    // What finalizers free is garbage of the next collection, and so is code that has not run for some.
    for (let round = 0; round < 8; round++) await inspector.ask('HeapProfiler.collectGarbage')
    const usage = await inspector.ask('Runtime.getHeapUsage')
    const root = await inspector.ask('Runtime.evaluate', { expression: 'Object.prototype' })
    const found = await inspector.ask('Runtime.queryObjects', { prototypeObjectId: root?.result?.objectId })
    const functionDeclaration = 'function () { return this.length }'
    const call = { objectId: found?.objects?.objectId, functionDeclaration, returnByValue: true }
    const objects = (await inspector.ask('Runtime.callFunctionOn', call))?.result?.value
    if (usage?.usedSize === undefined || objects === undefined) throw new Error('the process did not report its heap')
    return { kilobytes: Math.round(usage.usedSize / 1024), objects }
  } finally {
    inspector.close()
  }
}

/** Asks a process over the protocol of its inspector. What was handed out is let go when it is closed. */
class Inspector {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.resolve(answer)
    })
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values())
        reject(new Error('the process ended before it reported its heap'))
    })
  }

  static async open(address: string): Promise<Inspector> {
    const socket = new WebSocket(address)
    const { promise, resolve, reject } = Promise.withResolvers<Event>()
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('cannot inspect the process: it does not answer')))
    await promise
    return new Inspector(socket)
  }

  async ask(method: string, params: object = {}): Promise<Answer['result']> {
    const answer = Promise.withResolvers<Answer>()
    const id = ++this.#last
    this.#waiting.set(id, answer)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return (await answer.promise).result
  }

  close(): void {
    this.#socket.close()
  }
}
