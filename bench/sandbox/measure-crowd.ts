import { randomBytes } from 'node:crypto'
import { untilSeen } from './measure-fan-out.ts'
import { median } from './measure-writes.ts'
import type { MeasuredServer } from './measured-server.ts'

const PATH = '/api/v1/namespaces/crowd/configmaps'
const PAGE = 500
/** Written and measured at a time, so that neither side holds all bodies at once. */
const BATCH = 1000

export interface Crowd {
  /** Creations a second of CPU, at the beginning and at the end. */
  readonly first: number
  readonly last: number
  /** Bytes in use for an object, beyond its JSON as it is read. Of a real server, all that its processes took. */
  readonly beyondJson: number
  /** Milliseconds for all pages of 500, for the slowest of them, for one list of all, and for a watch that begins with all. */
  readonly pages: number
  readonly slowestPage: number
  readonly list: number
  readonly watch: number
}

/** Makes `count` ConfigMaps in a namespace of their own. No two of them have the same data. */
export async function measureCrowd(server: MeasuredServer, count: number): Promise<Crowd> {
  await server.send({ method: 'POST', path: '/api/v1/namespaces', body: '{"metadata":{"name":"crowd"}}' })
  const empty = await server.usage()
  const rates = []
  for (let made = 0; made < count; made += BATCH) rates.push(await createBatch(server, made))
  const full = await server.usage()
  const one = await server.send({ method: 'GET', path: `${PATH}/crowd-0` })
  const { pages, slowestPage } = await measurePages(server)
  const list = await timeOf(() => server.send({ method: 'GET', path: PATH }))
  const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  const watch = await timeOf(async () => untilSeen(await server.watch(`${PATH}?${initial}`), count))
  return {
    first: median(rates.slice(0, 5)).perCpuSecond,
    last: median(rates.slice(-5)).perCpuSecond,
    beyondJson: (full.used - empty.used) / count - one.length,
    pages,
    slowestPage,
    list,
    watch,
  }
}

function createBatch(server: MeasuredServer, from: number): ReturnType<MeasuredServer['sendAll']> {
  const body = (n: number): string =>
    JSON.stringify({ metadata: { name: `crowd-${n}` }, data: { text: randomBytes(500).toString('hex') } })
  return server.sendAll(Array.from({ length: BATCH }, (_, n) => ({ method: 'POST', path: PATH, body: body(from + n) })))
}

async function measurePages(server: MeasuredServer): Promise<Pick<Crowd, 'pages' | 'slowestPage'>> {
  const times: number[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const path: string = `${PATH}?limit=${PAGE}&continue=${token}`
    let page = ''
    times.push(
      await timeOf(async () => {
        page = await server.send({ method: 'GET', path })
      }),
    )
    token = (JSON.parse(page) as { metadata: { continue?: string } }).metadata.continue
  }
  return { pages: times.reduce((sum, time) => sum + time, 0), slowestPage: Math.max(...times) }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
