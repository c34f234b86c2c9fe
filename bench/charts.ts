/**
 * What a chart takes: the size of the renderer, the time of the first rendering and of warm ones of a chart of ten templates, and
 * the memory before, with a thread and when that has ended. Warm ones should take less than 20 ms.
 *
 *     npm run bench:charts -- [--renderings 500]
 */
import { readFileSync, statSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { argv, cpuUsage, memoryUsage, stdout, version } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'
import { newCollector } from '../src/rolebook/cli/idle-collection.ts'
import { type ChartCase, chartCases } from '../test/engine/chart/charts.ts'
import { chartOf, newRenderer, requestFor } from '../test/engine/chart/renderer.ts'

const { values } = parseArgs({ args: argv.slice(2), options: { renderings: { type: 'string', default: '500' } } })
const MODULE = join(import.meta.dirname, '../src/engine/chart/helm-engine.generated.bin')
const collect = newCollector()
const renderer = newRenderer({ idle: 100 })
const source = chartOf(tenTemplates(chartCases().find(({ name }) => name === 'helpers') as ChartCase))

stdout.write(`charts, Node ${version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
print('packed module, MB', statSync(MODULE).size / 1e6, 'at most 6')
print('module, MB', zstdDecompressSync(readFileSync(MODULE)).length / 1e6, 'at most 25')
const before = residentMebibytes()
const [chart, loading] = await timed(() => renderer.loadChart(source))
const [, first] = await timed(() => renderer.render(requestFor(chart)))
print('start of a thread, loading, ms', loading)
print('first rendering, ms', first)
const times: number[] = []
const cpuBefore = cpuUsage()
for (let round = 0; round < Number(values.renderings); round++) {
  const [, time] = await timed(() => renderer.render(requestFor(chart, { values: { replicaCount: round + 2 } })))
  times.push(time)
}
const cpu = cpuUsage(cpuBefore)
times.sort((a, b) => a - b)
print('warm rendering, fastest, ms', times[0] ?? 0, 'at most 20')
print('warm rendering, median, ms', times[Math.floor(times.length / 2)] ?? 0, 'at most 20')
print('warm rendering, CPU of all threads, ms', (cpu.user + cpu.system) / 1000 / times.length, 'at most 20')
const [, again] = await timed(() => renderer.render(requestFor(chart)))
print('the same once more, ms', again)
const working = residentMebibytes()
while (renderer.threads > 0) await sleep(50)
await sleep(500)
print('memory before, MiB', before)
print('memory with a thread, MiB', working)
print('memory when it has ended, MiB', residentMebibytes())

/** Ten templates of a chart that has two. */
function tenTemplates({ files }: ChartCase): Readonly<Record<string, string>> {
  const { 'templates/deployment.yaml': deployment = '', 'templates/service.yaml': service = '', ...others } = files
  const copies = [1, 2, 3, 4, 5].flatMap((index) => [
    [`templates/deployment-${index}.yaml`, deployment] as const,
    [`templates/service-${index}.yaml`, service] as const,
  ])
  return { ...others, ...Object.fromEntries(copies) }
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now()
  return [await work(), performance.now() - begun]
}

/** Without what waits to be collected. */
function residentMebibytes(): number {
  collect()
  return memoryUsage().rss / 2 ** 20
}

function print(what: string, value: number, target = ''): void {
  stdout.write(`  ${what.padEnd(42)}${value.toFixed(1).padStart(8)}${target && `   ${target}`}\n`)
}
