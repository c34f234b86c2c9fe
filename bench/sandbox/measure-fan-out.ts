import type { Rate } from './measure-writes.ts'
import type { MeasuredServer } from './measured-server.ts'
import { configMap, KINDS } from './objects.ts'

const { path } = KINDS.ConfigMap
const NEWLINE = 0x0a

/** Frames that reach all of so many watches while objects are created: a second of the clock, and of the server's CPU. */
export async function measureFanOut(server: MeasuredServer, watches: number, writes: number): Promise<Rate> {
  const { resourceVersion } = JSON.parse(await server.send({ method: 'GET', path: `${path}?limit=1` })).metadata
  const open = async (): Promise<() => Promise<void>> => {
    const frames = await server.watch(`${path}?watch=1&resourceVersion=${resourceVersion}`)
    return () => untilSeen(frames, writes)
  }
  const counters = await Promise.all(Array.from({ length: watches }, open))
  const before = await server.usage()
  const start = performance.now()
  const seen = Promise.all(counters.map((count) => count()))
  const objects = Array.from({ length: writes }, (_, n) => JSON.stringify(configMap(`fan-out-${watches}-${n}`)))
  await server.sendAll(objects.map((body) => ({ method: 'POST', path, body })))
  await seen
  const seconds = (performance.now() - start) / 1000
  const { cpu } = await server.usage()
  const frames = watches * writes
  return { perSecond: frames / seconds, perCpuSecond: frames / (cpu - before.cpu) }
}

/** Reads `count` frames and then ends the stream. Each frame is a line. */
export async function untilSeen(frames: AsyncIterable<Buffer>, count: number): Promise<void> {
  let seen = 0
  for await (const chunk of frames) {
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) seen++
    if (seen >= count) return
  }
  throw new Error(`a watch ended after ${seen} frames of ${count}`)
}
