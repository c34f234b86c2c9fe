/**
 * Sends manifests of other projects to a real API server and to the sandbox, and ends with code 1 when an answer differs
 * that is not explained.
 *
 *     SEED=17 npm run proof:corpora -- [--only kueue,lws] [--sample 100] [--mutations 4] [--lanes 4] [--kubeconfig FILE]
 *
 * Without a kubeconfig, an API server is started for it. One that is given must have no controllers.
 */
import process, { argv, env, exit, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { renderCharts } from './chart-documents.ts'
import { printReport } from './print-report.ts'
import { readDocuments } from './read-documents.ts'
import { runCorpora } from './run-corpora.ts'
import { sampleOf } from './sample.ts'
import { startServers } from './servers.ts'
import { CHARTS, SOURCES } from './sources.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string' },
    mutations: { type: 'string', default: '4' },
    lanes: { type: 'string', default: '4' },
    sample: { type: 'string' },
    kubeconfig: { type: 'string' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => exit(130))
const seed = Number(env.SEED ?? Date.now() % 1_000_000_000)
stdout.write(`seed ${seed}\n`)
const began = performance.now()
const wanted = values.only?.split(',')
const isWanted = ({ name }: { readonly name: string }): boolean => !wanted || wanted.includes(name)
const charts = await renderCharts(CHARTS.filter(isWanted))
const all = [...SOURCES.filter(isWanted).flatMap(readDocuments), ...charts]
const documents = values.sample === undefined ? all : sampleOf(all, Number(values.sample), seed)
const servers = await startServers(values.kubeconfig)
try {
  const report = await runCorpora(servers, {
    documents,
    seed,
    mutations: Number(values.mutations),
    lanes: Number(values.lanes),
    onProgress: (done) => void (done % 100 === 0 && stderr.write(`${done} documents\n`)),
  })
  stdout.write(printReport(report))
  stdout.write(`seed ${seed}, ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  process.exitCode = report.found.length === 0 ? 0 : 1
} finally {
  await servers.stop()
}
