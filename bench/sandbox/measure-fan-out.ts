import { get, type IncomingMessage } from 'node:http'
import type { BenchServer } from './measure-server.ts'
import { configMap, KINDS } from './objects.ts'

const { path } = KINDS.ConfigMap

/** Frames a second that reach all of so many watches while one object after the other is created. */
export async function measureFanOut(server: BenchServer, watches: number, writes: number): Promise<number> {
  const counters = await Promise.all(Array.from({ length: watches }, () => openWatch(server, writes)))
  const start = performance.now()
  const objects = Array.from({ length: writes }, (_, n) => JSON.stringify(configMap(`fan-out-${n}`)))
  await server.sendAll(
    'POST',
    objects.map((body) => [path, body] as const),
  )
  await Promise.all(counters.map(({ done }) => done))
  const seconds = (performance.now() - start) / 1000
  for (const { close } of counters) close()
  return (watches * writes) / seconds
}

interface OpenWatch {
  readonly done: Promise<void>
  close(): void
}

/** Resolves once the server has taken the watch; `done` when so many frames have come. */
async function openWatch(server: BenchServer, frames: number): Promise<OpenWatch> {
  const { resourceVersion } = JSON.parse(await server.send('GET', `${path}?limit=1`)).metadata
  const headers = { authorization: `Bearer ${server.token}` }
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}${path}?watch=1&resourceVersion=${resourceVersion}`, { headers, agent: false }, resolve).on(
      'error',
      reject,
    )
  })
  const { promise: done, resolve } = Promise.withResolvers<void>()
  let seen = 0
  message.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) seen++
    if (seen >= frames) resolve()
  })
  message.on('error', () => undefined)
  return { done, close: () => message.destroy() }
}
