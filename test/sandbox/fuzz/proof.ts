/**
 * Sends 100,000 requests made from a seed to the sandbox, and ends with code 1 when one of them is answered by an error of
 * the server, by nothing, too late, or harms what it is not about.
 *
 *     npm run proof:fuzz -- [--requests 100000] [--seed 1]
 */
import process, { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { type FuzzReport, runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
stdout.write(`${requests} requests, seed ${seed}\n`)
const report = await runFuzz({
  requests,
  seed,
  patience: 5000,
  onProgress: (done, megabytes) => {
    if (done % 1000 === 0) stdout.write(`${done} sent, ${megabytes} MB\n`)
  },
})
print(report)
process.exitCode = report.faults.length === 0 ? 0 : 1

function print({ requests: sent, seconds, counts, meant, times, megabytes, faults }: FuzzReport): void {
  const isStatus = (key: string): boolean => /^\d+$/.test(key)
  const sorted = [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
  const list = (entries: typeof sorted): string => entries.map(([key, count]) => `${key}: ${count}`).join(', ')
  stdout.write(`\n${sent} requests in ${seconds.toFixed(0)} s, the server takes ${megabytes} MB at the end\n`)
  stdout.write(`topics    ${list(sorted.filter(([key]) => !isStatus(key)))}\n`)
  stdout.write(`answers   ${list(sorted.filter(([key]) => isStatus(key)))}\n`)
  stdout.write(`          of those above 499, ${meant} are what the real server says to the same request\n`)
  const { median, p99, slowest } = times
  stdout.write(
    `times     median ${median.toFixed(1)} ms, 99 % ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms\n`,
  )
  stdout.write(`faults    ${faults.length}\n`)
  for (const { index, what, request } of faults) {
    stdout.write(`\n#${index} (seed ${seed}): ${what.slice(0, 600)}\n`)
    if (!request) continue
    const headers = request.headers.map(([name, value]) => `${name}: ${value.slice(0, 80)}`).join('; ')
    stdout.write(`  ${request.method} ${request.path.slice(0, 300)}  [${headers}]\n`)
    if (request.body) stdout.write(`  ${request.body.toString().slice(0, 1500)}\n`)
  }
}
