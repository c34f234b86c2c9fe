/**
 * How fast and how small the sandbox is, each figure with its target and beside a baseline of the same run: the same
 * objects through JSON alone, and through a bare HTTP server that parses and prints them.
 *
 *     npm run bench:sandbox -- [--objects 10000] [--rounds 5]
 *
 * Writes are counted by the second of CPU, so that others on the machine do not spoil them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import { measureFanOut } from './measure-fan-out.ts'
import { BenchServer, bundleServers, measureCommand } from './measure-server.ts'
import { measureWrites, median, type Rate } from './measure-writes.ts'
import { KINDS, type KindName } from './objects.ts'

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

const folder = mkdtempSync(join(tmpdir(), 'rolebook-bench-'))
await bundleServers(folder)
stdout.write('\nas a process over HTTP, beside a bare server that parses, keeps and prints the same\n')
const [echo, echoStart] = await median3('echo')
const [server, serverStart] = await median3('sandbox')
for (const kind of ['ConfigMap', 'Deployment'] as const) {
  const { make, path } = KINDS[kind]
  const bodies = (version: number, prefix: string, at: (name: string) => string) =>
    Array.from(
      { length: 2000 },
      (_, n) => [at(`${prefix}-${n}`), JSON.stringify(make(`${prefix}-${n}`, version))] as const,
    )
  const measure = async (method: 'POST' | 'PUT', rounds: readonly ReturnType<typeof bodies>[]): Promise<void> => {
    const rates: Record<'server' | 'echo', Rate[]> = { server: [], echo: [] }
    for (const round of rounds) {
      rates.server.push(await server.sendAll(method, round))
      rates.echo.push(await echo.sendAll(method, round))
    }
    // The first round warms up.
    const [ours, bare] = [median(rates.server.slice(1)), median(rates.echo.slice(1))]
    const what = `${kind}: ${method === 'POST' ? 'creations' : 'updates'}`
    line(`${what} a second`, ours.perSecond, { ratio: ours.perSecond / bare.perSecond })
    line(`${what} a second of CPU`, ours.perCpuSecond, { ratio: ours.perCpuSecond / bare.perCpuSecond })
  }
  await measure(
    'POST',
    ['a', 'b', 'c'].map((prefix) => bodies(0, prefix, () => path)),
  )
  await measure(
    'PUT',
    [1, 2, 3].map((version) => bodies(version, 'a', (name) => `${path}/${name}`)),
  )
}
await Promise.all([echo.stop(), server.stop()])

stdout.write('\nsize of a process that was just started\n')
const fresh = await BenchServer.start('sandbox', folder)
const empty = await fresh.usage()
const { make, path } = KINDS.Deployment
const bodies = Array.from({ length: objects }, (_, n) => [path, JSON.stringify(make(`o-${n}`))] as const)
await fresh.sendAll('POST', bodies)
const full = await fresh.usage()
const sent = bodies.reduce((sum, [, body]) => sum + body.length, 0) / objects
line('RSS, MB', empty.rss / MEGABYTE)
line(`RSS with ${objects} Deployments, MB`, full.rss / MEGABYTE, { target: 'at most 150' })
line('of that in use after collection, MB', full.used / MEGABYTE)
const bytes = (full.used - empty.used) / objects
line('bytes an object', bytes, { ratio: bytes / sent, of: 'its JSON as sent' })

stdout.write('\nstart to ready, from a bundle\n')
line('bare server, ms', echoStart)
line('API server, ms', serverStart, { target: 'at most 300', ratio: serverStart / echoStart })
line('API server, from ready to its first list, ms', server.firstAnswer, {
  ratio: server.firstAnswer / echo.firstAnswer,
})
const command = await measureCommand(folder)
line('rolebook sandbox, with this project, ms', command, { ratio: command / echoStart })

stdout.write('\nlists and watches\n')
const start = performance.now()
const listed = await fresh.send('GET', path)
line(`list of ${objects}, ms`, performance.now() - start)
const again = performance.now()
JSON.stringify(JSON.parse(listed))
line(`its ${(listed.length / MEGABYTE).toFixed(0)} MB through JSON alone, ms`, performance.now() - again)
line('frames of 100 watches a second', await measureFanOut(fresh, 100, 500))
await fresh.stop()
rmSync(folder, { recursive: true })

/** Of three starts, the one in the middle; the last server is kept. */
async function median3(kind: 'sandbox' | 'echo'): Promise<readonly [BenchServer, number]> {
  const times: number[] = []
  for (;;) {
    const started = await BenchServer.start(kind, folder)
    times.push(started.milliseconds)
    if (times.length === 3) return [started, times.sort((left, right) => left - right)[1] ?? 0]
    await started.stop()
  }
}

function line(what: string, figure: number, more: { target?: string; ratio?: number; of?: string } = {}): void {
  const { target, ratio, of = 'the baseline' } = more
  const digits = ratio !== undefined && ratio < 1 ? 3 : 1
  const columns = [
    `  ${what}`.padEnd(48),
    figure.toFixed(0).padStart(8),
    target === undefined ? '' : `  target ${target}`,
    ratio === undefined ? '' : `  ${ratio.toFixed(digits)} of ${of}`,
  ]
  stdout.write(`${columns.join('')}\n`)
}
