/**
 * Converges N Memcached resources in the sandbox and prints what that took, beside a bare loop that makes the same writes
 * through the same client: what the machine allows.
 *
 *     npm run bench -- [--resources 1000] [--repetitions 3] [--json]
 *
 * The API server runs in a process of its own, a new one for every measurement, so that CPU and memory are the engine's.
 */
import { cpus } from 'node:os'
import { argv, stdout, version } from 'node:process'
import { parseArgs } from 'node:util'
import { measureBareLoop } from './bare-loop.ts'
import { measureOperator } from './measured-operator.ts'
import type { Measurement } from './measurement.ts'
import { startServer } from './server-process.ts'

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
  const operated = await onNewServer((server) => measureOperator(server, resources))
  rows.push(...operated)
  const writes = operated[0]?.writes ?? {}
  rows.push(await onNewServer((server) => measureBareLoop(server, { resources, writes })))
}

async function onNewServer<T>(measure: (server: Awaited<ReturnType<typeof startServer>>) => Promise<T>): Promise<T> {
  const server = await startServer()
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}

function median(name: string, read: (row: Measurement) => number): { median: number; text: string } {
  const figures = rows
    .filter((row) => row.name === name)
    .map(read)
    .sort((a, b) => a - b)
  const middle = figures[Math.floor(figures.length / 2)] ?? 0
  const digits = middle < 10 ? 2 : 0
  return {
    median: middle,
    text: `${middle.toFixed(digits)} (${figures[0]?.toFixed(digits)}–${figures.at(-1)?.toFixed(digits)})`,
  }
}

function report(): void {
  const names = [...new Set(rows.map((row) => row.name))]
  stdout.write(
    `${resources} Memcacheds, Node ${version}, ${cpus().length} × ${cpus()[0]?.model}, medians (min–max)\n\n`,
  )
  for (const name of names) {
    const seconds = median(name, (row) => row.seconds)
    const cpu = median(name, (row) => row.cpuSeconds)
    const memory = median(name, (row) => row.rssMegabytes)
    const writes = rows.find((row) => row.name === name)?.writes ?? {}
    const counted = Object.entries(writes).map(([kind, count]) => `${kind} ${count}`)
    stdout.write(`${name}\n  seconds      ${seconds.text}\n  CPU seconds  ${cpu.text}\n  RSS MB       ${memory.text}\n`)
    stdout.write(`  writes       ${counted.join(', ') || '0'}\n\n`)
  }
  const engine = median('first convergence', (row) => row.seconds).median
  const loop = median('bare loop', (row) => row.seconds).median
  stdout.write(`bare loop / first convergence: ${(loop / engine).toFixed(2)}\n`)
}

if (values.json) stdout.write(`${JSON.stringify({ resources, rows }, null, 2)}\n`)
else report()
