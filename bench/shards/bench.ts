/**
 * Converges the same resources with one process and with several that share the work, on the sandbox's API server in a process of its own.
 *
 *     npm run bench -- --shards [--resources 50000] [--processes 4] [--count 8] [--write docs/performance.md]
 */
import { argv, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { toMarkdown, toText } from '../cluster/report.ts'
import { writeFigures } from '../cluster/write-figures.ts'
import { machine } from '../machine.ts'
import { measureShards } from './measure.ts'
import { shardTable } from './report.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    shards: { type: 'boolean' },
    resources: { type: 'string', default: '50000' },
    processes: { type: 'string', default: '4' },
    count: { type: 'string', default: '8' },
    write: { type: 'string' },
  },
})
const resources = Number(values.resources)
const [one, several] = [
  { processes: 1, shards: 1 },
  { processes: Number(values.processes), shards: Number(values.count) },
]
const measured = []
for (const setting of [one, several]) {
  measured.push(await measureShards(resources, setting))
  stderr.write(`${setting.processes} processes: ${measured.at(-1)?.seconds.toFixed(1)} s\n`)
}
const title = `${resources} resources, 3 objects each, with ${several.shards} shards. ${machine()}`
const table = shardTable(measured, resources)
stdout.write(`${title}\n\n${toText(table)}\n`)
if (values.write) writeFigures(values.write, 'shards', `${title}\n\n${toMarkdown(table)}`)
