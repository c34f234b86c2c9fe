/**
 * Converges N Memcached resources in the sandbox and prints what that took, beside a loop that makes the least writes that they
 * need through the same client: what the machine allows.
 *
 *     npm run bench -- [--resources 1000] [--repetitions 3] [--json]
 *
 * The API server runs in a process of its own, a new one for every measurement, so that CPU and memory are the engine's.
 */
import { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { measureLeastWrites } from './least-writes.ts'
import { machine } from './machine.ts'
import { measureOperator } from './measured-operator.ts'
import type { Measurement } from './measurement.ts'
import { startServer } from './server-process.ts'
import { median } from './statistics.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    resources: { type: 'string', default: '1000' },
    repetitions: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
})
const resources = Number(values.resources)
const rows: Measurement[] = []

for (let repetition = 0; repetition < Number(values.repetitions); repetition++) {
  rows.push(...(await onNewServer((server) => measureOperator(server, resources))))
  rows.push(await onNewServer((server) => measureLeastWrites(server, resources)))
}

async function onNewServer<T>(measure: (server: Awaited<ReturnType<typeof startServer>>) => Promise<T>): Promise<T> {
  const server = await startServer()
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

function report(): void {
  const names = [...new Set(rows.map((row) => row.name))]
  stdout.write(`${resources} Memcacheds, medians (min–max)\n${machine()}\n\n`)
  for (const name of names) {
    const writes = rows.find((row) => row.name === name)?.writes ?? {}
    const counted = Object.entries(writes).map(([kind, count]) => `${kind} ${count}`)
    stdout.write(`${name}\n`)
    stdout.write(`  seconds      ${spread(figures(name, 'seconds'))}\n`)
    stdout.write(`  CPU seconds  ${spread(figures(name, 'cpuSeconds'))}\n`)
    stdout.write(`  RSS MB       ${spread(figures(name, 'rssMegabytes'))}\n`)
    stdout.write(`  writes       ${counted.join(', ') || '0'}\n\n`)
  }
  const engine = median(figures('first convergence', 'seconds'))
  const least = median(figures('least writes', 'seconds'))
  stdout.write(`least writes / first convergence: ${(least / engine).toFixed(2)}\n`)
}

function figures(name: string, which: 'seconds' | 'cpuSeconds' | 'rssMegabytes'): readonly number[] {
  return rows.filter((row) => row.name === name).map((row) => row[which])
}

function spread(all: readonly number[]): string {
  const digits = median(all) < 10 ? 2 : 0
  const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((one) => one.toFixed(digits))
  return `${middle} (${least}–${most})`
}

if (values.json) stdout.write(`${JSON.stringify({ resources, rows }, null, 2)}\n`)
else report()
