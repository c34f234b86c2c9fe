/**
 * How fast and how small the sandbox is, each figure with its target and beside a baseline of the same run: the same
 * objects through JSON alone, and through a bare HTTP server that parses and prints them.
 *
 *     npm run bench:sandbox -- [--objects 10000] [--rounds 5]
 *
 * Writes are counted by the second of CPU, so that others on the machine do not spoil them.
 */
import { cpus } from 'node:os'
import { argv, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import { measureFanOut } from './measure-fan-out.ts'
import { BenchServer } from './measure-server.ts'
import { measureWrites } from './measure-writes.ts'
import { CRD, KINDS, type KindName } from './objects.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: { objects: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
})
const objects = Number(values.objects)
const rounds = Number(values.rounds)
const MEGABYTE = 1024 * 1024

stdout.write(`Node ${version}, ${cpus().length} × ${cpus()[0]?.model}\n\nin process, 3 KB objects, per CPU second\n`)
for (const kind of Object.keys(KINDS) as KindName[]) {
  const { create, update, baseline } = measureWrites(kind, rounds)
  line(`${kind}: creations`, create.perCpuSecond, {
    target: '5000',
    ratio: create.perCpuSecond / baseline.perCpuSecond,
  })
  line(`${kind}: updates`, update.perCpuSecond, { target: '5000', ratio: update.perCpuSecond / baseline.perCpuSecond })
  line(`${kind}: JSON alone`, baseline.perCpuSecond)
}

stdout.write('\nas a process, over HTTP\n')
const [echo, echoStart] = await median3('echo')
const [server, sandboxStart] = await median3('sandbox')
line('start to ready, ms', sandboxStart, { target: 'at most 300', ratio: sandboxStart / echoStart })
line('the same of the bare server, ms', echoStart)
const empty = await server.memory()
await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', JSON.stringify(CRD))
const { make, path } = KINDS.Deployment
const bodies = Array.from({ length: objects }, (_, n) => [path, JSON.stringify(make(`o-${n}`))] as const)
const echoed = await echo.sendAll('POST', bodies)
const written = await server.sendAll('POST', bodies)
line('creations of Deployments a second', written, { ratio: written / echoed })
line('the bare server', echoed)
const full = await server.memory()
const bytes = (full.used - empty.used) / objects
const sent = bodies.reduce((sum, [, body]) => sum + body.length, 0) / objects
line(`memory with ${objects} Deployments, MB`, full.rss / MEGABYTE, { target: 'at most 150' })
line('of that in use, MB', full.used / MEGABYTE)
line('bytes an object', bytes, { ratio: bytes / sent })

const start = performance.now()
const listed = await server.send('GET', path)
line(`list of ${objects}, ms`, performance.now() - start)
const again = performance.now()
JSON.stringify(JSON.parse(listed))
line(`its ${(listed.length / MEGABYTE).toFixed(0)} MB through JSON alone, ms`, performance.now() - again)
const frames = await measureFanOut(server, 100, 500)
line('frames of 100 watches a second', frames, { ratio: frames / echoed })
await Promise.all([echo.stop(), server.stop()])

/** Of three starts, the one in the middle; the last server is kept. */
async function median3(kind: 'sandbox' | 'echo'): Promise<readonly [BenchServer, number]> {
  const times: number[] = []
  for (;;) {
    const started = await BenchServer.start(kind)
    times.push(started.times.ready)
    if (times.length === 3) return [started, times.sort((left, right) => left - right)[1] ?? 0]
    await started.stop()
  }
}

function line(what: string, figure: number, more: { target?: string; ratio?: number } = {}): void {
  const { target, ratio } = more
  const digits = ratio !== undefined && ratio < 1 ? 3 : 1
  const columns = [
    `  ${what}`.padEnd(48),
    figure.toFixed(0).padStart(8),
    target === undefined ? '' : `  target ${target}`,
    ratio === undefined ? '' : `  ${ratio.toFixed(digits)} of the baseline`,
  ]
  stdout.write(`${columns.join('')}\n`)
}
