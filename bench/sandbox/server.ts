/** The servers of the benchmark, as child processes: the sandbox, or an echo that parses and prints what it is sent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process, { argv } from 'node:process'
import type { ApiServerAddress } from '../../src/apiserver/api-server.ts'

export interface ServerMemory {
  readonly rss: number
  /** What is in use: on the heap and in buffers. */
  readonly used: number
}

const address = argv[2] === 'echo' ? await startEcho() : await startSandbox()
process.on('message', () => {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  process.send?.({ rss, used: heapUsed + external } satisfies ServerMemory)
})
process.on('disconnect', () => process.exit(0))
process.send?.({ address, milliseconds: performance.now() })

async function startSandbox(): Promise<ApiServerAddress> {
  const [{ ApiServer }, { systemClock }, { loadBuiltinSchemas }] = await Promise.all([
    import('../../src/apiserver/api-server.ts'),
    import('../../src/base/clock.ts'),
    import('../../src/cli/sandbox-cluster.ts'),
  ])
  return new ApiServer({ schemas: loadBuiltinSchemas(), clock: systemClock, workloads: false, tls: false }).start()
}

async function startEcho(): Promise<ApiServerAddress> {
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const body = text === '' ? 'ok' : JSON.stringify(JSON.parse(text))
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: '', ca: '' }
}
