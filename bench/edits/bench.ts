/**
 * How long a person waits for an edit while the operator has all resources to look at again: a change of the role puts each of them
 * into the queue, and edits of single resources are sent one after the other until the last resource has followed the role.
 *
 *     npm run bench:edits -- [--resources 10000] [--cluster] [--write docs/performance.md]
 *
 * Twice: after a change that writes nothing, so that all runs only look, and after one that writes an object of each resource. The server is the
 * sandbox in a process of its own, or a real control plane with `--cluster`.
 */
import { argv, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { toMarkdown, toText } from '../cluster/report.ts'
import { writeFigures } from '../cluster/write-figures.ts'
import { machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { type EditTimes, measureEdits } from './measure-edits.ts'
import { openControlPlane, openSandbox } from './servers.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    resources: { type: 'string', default: '10000' },
    cluster: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
})
const resources = Number(values.resources)
const server = await (values.cluster ? openControlPlane() : openSandbox())
const measured = await measureEdits(server, resources).finally(() => server.stop())

const where = values.cluster ? 'a real control plane' : 'the sandbox'
const title = `${resources} resources on ${where}. ${machine()}`
const head = ['', 'resources wait for', 'edits', 'edit to applied p50 ms', 'p99 ms', 'longest ms']
const table = [head, ...measured.map(rowOf)]
stdout.write(`${title}\n\n${toText(table)}\n`)
if (values.write)
  writeFigures(values.write, `edits${values.cluster ? '-cluster' : ''}`, `${title}\n\n${toMarkdown(table)}`)

function rowOf({ change, seconds, milliseconds }: EditTimes): readonly string[] {
  const figures = [50, 99, 100].map((percent) => percentile(milliseconds, percent).toFixed(1))
  return [change, `${seconds.toFixed(1)} s`, String(milliseconds.length), ...figures]
}
