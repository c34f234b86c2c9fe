import { cpuUsage, memoryUsage } from 'node:process'

/** What a piece of work took of this process. */
export interface Measurement {
  readonly name: string
  readonly seconds: number
  readonly cpuSeconds: number
  readonly rssMegabytes: number
  /** By kind: `Deployment 1000`. */
  readonly writes: Readonly<Record<string, number>>
}

/** Runs `work` and measures it. `work` returns the writes it counted. */
export async function measure(name: string, work: () => Promise<Record<string, number>>): Promise<Measurement> {
  const start = performance.now()
  const before = cpuUsage()
  const writes = await work()
  const { user, system } = cpuUsage(before)
  return {
    name,
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (user + system) / 1e6,
    rssMegabytes: memoryUsage().rss / 1024 / 1024,
    writes: { ...writes },
  }
}
