/**
 * How fast and how small the sandbox is, each figure with its target and beside a baseline of the same run: the same
 * objects through JSON alone, and through a bare HTTP server that parses and prints them; with `--cluster`, beside a
 * real etcd and kube-apiserver.
 *
 *     npm run bench:sandbox -- [--objects 10000] [--rounds 5] [--crowd 100000] [--watches 1000] [--cluster]
 *
 * Writes are counted by the second of CPU, so that others on the machine do not spoil them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import { bundleServers, measureCommand, type StartedServer, startServer } from './bench-servers.ts'
import { type Crowd, measureCrowd } from './measure-crowd.ts'
import { measureFanOut } from './measure-fan-out.ts'
import { measureHttps } from './measure-https.ts'
import { measureWrites, median, type Rate } from './measure-writes.ts'
import type { MeasuredServer, Sent } from './measured-server.ts'
import { KINDS, type KindName } from './objects.ts'
import { printFigure, printHeading } from './print-figures.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    objects: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    crowd: { type: 'string', default: '100000' },
    watches: { type: 'string', default: '1000' },
    cluster: { type: 'boolean', default: false },
  },
})
const objects = Number(values.objects)
const rounds = Number(values.rounds)
const crowd = Number(values.crowd)
const watches = Number(values.watches)
const MEGABYTE = 1024 * 1024
/** Of the fan-out: each reaches every watch. */
const WRITES = 100

stdout.write(`Node ${version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
const folder = mkdtempSync(join(tmpdir(), 'rolebook-bench-'))
await bundleServers(folder)
printInProcess()
await printBesideBareServer()
await printSize()
await printBesideRealServer()
rmSync(folder, { recursive: true })

function printInProcess(): void {
  printHeading('in process, 3 KB objects, per CPU second')
  for (const kind of Object.keys(KINDS) as KindName[]) {
    const { create, update, baseline } = measureWrites(kind, rounds)
    const notes = (rate: Rate) => ({ target: '5000', ratio: rate.perCpuSecond / baseline.perCpuSecond })
    printFigure(`${kind}: creations`, create.perCpuSecond, notes(create))
    printFigure(`${kind}: updates`, update.perCpuSecond, notes(update))
    printFigure(`${kind}: JSON alone`, baseline.perCpuSecond)
  }
}

async function printBesideBareServer(): Promise<void> {
  const bare = await startThrice('echo')
  const ours = await startThrice('sandbox')
  printHeading('as a process over HTTP, beside a bare server that parses, keeps and prints the same')
  for (const kind of ['ConfigMap', 'Deployment'] as const) await printOverHttp(kind, ours.server, bare.server)
  await Promise.all([bare.server.stop(), ours.server.stop()])
  printHeading('start to ready, from a bundle')
  printFigure('bare server, ms', bare.milliseconds)
  printFigure('API server, ms', ours.milliseconds, {
    target: 'at most 300',
    ratio: ours.milliseconds / bare.milliseconds,
  })
  printFigure('API server, from ready to its first list, ms', ours.firstAnswer, {
    ratio: ours.firstAnswer / bare.firstAnswer,
  })
  const command = await measureCommand(folder)
  printFigure('rolebook sandbox, with this project, ms', command, { ratio: command / bare.milliseconds })
}

async function printOverHttp(kind: KindName, server: MeasuredServer, bare: MeasuredServer): Promise<void> {
  const { make, path } = KINDS[kind]
  const body = (name: string, version: number): string => JSON.stringify(make(name, version))
  const writes: Readonly<Record<string, (round: number, n: number) => Sent>> = {
    creations: (round, n) => ({ method: 'POST', path, body: body(`${round}-${n}`, 0) }),
    updates: (round, n) => ({ method: 'PUT', path: `${path}/0-${n}`, body: body(`0-${n}`, round + 1) }),
  }
  for (const [what, requestOf] of Object.entries(writes)) {
    const rates: Record<'server' | 'bare', Rate[]> = { server: [], bare: [] }
    for (let round = 0; round < 3; round++) {
      const requests = Array.from({ length: 2000 }, (_, n) => requestOf(round, n))
      rates.server.push(await server.sendAll(requests))
      rates.bare.push(await bare.sendAll(requests))
    }
    // The first round warms up.
    const [ours, theirs] = [median(rates.server.slice(1)), median(rates.bare.slice(1))]
    printFigure(`${kind}: ${what} a second`, ours.perSecond, { ratio: ours.perSecond / theirs.perSecond })
    printFigure(`${kind}: ${what} a second of CPU`, ours.perCpuSecond, {
      ratio: ours.perCpuSecond / theirs.perCpuSecond,
    })
  }
}

async function printSize(): Promise<void> {
  printHeading('size of a process that was just started')
  const { server } = await startServer('sandbox', folder)
  const empty = await server.usage()
  const { make, path } = KINDS.Deployment
  const bodies = Array.from({ length: objects }, (_, n) => JSON.stringify(make(`o-${n}`)))
  await server.sendAll(bodies.map((body) => ({ method: 'POST', path, body })))
  const full = await server.usage()
  const sent = bodies.reduce((sum, body) => sum + body.length, 0) / objects
  printFigure('RSS, MB', empty.rss / MEGABYTE)
  printFigure(`RSS with ${objects} Deployments, MB`, full.rss / MEGABYTE, { target: 'at most 150' })
  printFigure('of that in use after collection, MB', full.used / MEGABYTE)
  const bytes = (full.used - empty.used) / objects
  printFigure('bytes an object', bytes, { ratio: bytes / sent, of: 'its JSON as sent' })
  const start = performance.now()
  const listed = await server.send({ method: 'GET', path })
  printFigure(`list of ${objects}, ms`, performance.now() - start)
  const again = performance.now()
  JSON.stringify(JSON.parse(listed))
  printFigure(`its ${(listed.length / MEGABYTE).toFixed(0)} MB through JSON alone, ms`, performance.now() - again)
  await server.stop()
}

/** Over HTTPS, with the real server in the same rounds when it was asked for. */
async function printBesideRealServer(): Promise<void> {
  // Loaded for those alone who ask for it: it builds the real server.
  const real = values.cluster ? await (await import('./real-server.ts')).startRealServer() : undefined
  const { server } = await startServer('sandbox-tls', folder)
  printHeading('over HTTPS, 16 connections, 3 KB objects')
  for await (const { what, ours, real: theirs } of measureHttps(server, real)) {
    printFigure(`${what} a second`, ours.perSecond, { target: '2000', real: theirs?.perSecond })
    printFigure(`${what} a second of CPU`, ours.perCpuSecond, { real: theirs?.perCpuSecond })
  }
  const frames = await measureFanOut(server, watches, WRITES)
  const realFrames = real && (await measureFanOut(real, watches, WRITES))
  printFigure(`frames of ${watches} watches a second`, frames.perSecond, { real: realFrames?.perSecond })
  printFigure(`frames of ${watches} watches a second of CPU`, frames.perCpuSecond, { real: realFrames?.perCpuSecond })
  printHeading(`${crowd} ConfigMaps of 1 KB, no two alike, over HTTPS`)
  printCrowd(await measureCrowd(server, crowd), real && (await measureCrowd(real, crowd)))
  await Promise.all([server.stop(), real?.stop()])
}

function printCrowd(ours: Crowd, real: Crowd | undefined): void {
  printFigure('creations a second of CPU, the first 5000', ours.first, { real: real?.first })
  printFigure('creations a second of CPU, the last 5000', ours.last, { real: real?.last })
  printFigure('bytes an object beyond its JSON', ours.beyondJson, { target: 'at most 4096', real: real?.beyondJson })
  printFigure('all pages of 500, ms', ours.pages, { real: real?.pages })
  printFigure('the slowest page, ms', ours.slowestPage, { real: real?.slowestPage })
  printFigure('one list of all, ms', ours.list, { real: real?.list })
  printFigure('a watch that begins with all, ms', ours.watch, { real: real?.watch })
}

/** Of three starts, the one in the middle; the last server is kept. */
async function startThrice(kind: 'sandbox' | 'echo'): Promise<StartedServer> {
  const times: number[] = []
  for (;;) {
    const started = await startServer(kind, folder)
    times.push(started.milliseconds)
    if (times.length === 3) {
      return { ...started, milliseconds: times.sort((left, right) => left - right)[1] ?? 0 }
    }
    await started.server.stop()
  }
}
