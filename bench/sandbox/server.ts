/** The servers of the benchmark, as child processes: the sandbox, or one that parses, keeps and prints what it is sent. */
import type { AddressInfo } from 'node:net'
import process, { argv } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiServerAddress } from '../../src/sandbox/apiserver/api-server.ts'

export interface ServerUsage {
  readonly rss: number
  /** What is in use after a collection of garbage: on the heap and in buffers. */
  readonly used: number
  /** Seconds of all its threads. */
  readonly cpu: number
}

/** `sandbox-tls` is the sandbox over HTTPS. */
export type ServerKind = 'sandbox' | 'sandbox-tls' | 'echo'

const kind = argv[2] as ServerKind
const address = kind === 'echo' ? await startEcho() : await startSandbox(kind === 'sandbox-tls')
process.on('message', () => void sendUsage())
process.on('disconnect', () => process.exit(0))
process.send?.(address)

/** Sends the memory of the process as it is, and the memory in use after two collections: buffers are freed in the second. */
async function sendUsage(): Promise<void> {
  const { rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  globalThis.gc?.()
  await sleep(100)
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  process.send?.({ rss, used: heapUsed + external, cpu: (user + system) / 1e6 } satisfies ServerUsage)
}

async function startSandbox(tls: boolean): Promise<ApiServerAddress> {
  const { keepHeapSmall } = await import('../../src/rolebook/cli/keep-heap-small.ts')
  keepHeapSmall({ growth: 33 })
  const [{ ApiServer }, { systemClock }, { loadBuiltinSchemas }] = await Promise.all([
    import('../../src/sandbox/apiserver/api-server.ts'),
    import('../../src/core/base/clock.ts'),
    import('../../src/sandbox/cluster/load-builtin-schemas.ts'),
  ])
  return new ApiServer({ schemas: loadBuiltinSchemas(), clock: systemClock, workloads: false, tls }).start()
}

/** As anybody writes it. Imported here: the sandbox must not pay for what only the bare server needs. */
async function startEcho(): Promise<ApiServerAddress> {
  const { createServer } = await import('node:http')
  const kept = new Map<string, unknown>()
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const object = JSON.parse(text || '{}')
      kept.set(`${message.url?.split('/')[3]} ${object.metadata?.name}`, object)
      const body = JSON.stringify(object)
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '', ca: '' }
}
