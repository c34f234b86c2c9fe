/**
 * Asks a real kube-apiserver every case that `recorded/` has no answer to, and writes its answers there.
 *
 *     npm run record:fields -- [--again] [--only Pod,Service] [--share 0.1] [--lanes 16] [--kubeconfig FILE]
 *
 * `--again` asks all cases, as after another version of Kubernetes. `--share` asks a part of them, the same in every run.
 * Without a kubeconfig, an API server is started for it. One that is given must be new, and have no controllers.
 */
import process, { argv, exit, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { startBareServer } from '../contract/random/bare-server.ts'
import { connectToCluster } from '../contract/server-under-test.ts'
import { AS_IT_STANDS, casesOf, idOf, isInShare, withReferences } from './cases.ts'
import { prepareServer } from './prepare-server.ts'
import { readRecording, writeRecording } from './recording.ts'
import { runCases } from './run-cases.ts'
import { nameOf, subjects } from './subjects.ts'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
    again: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '16' },
    kubeconfig: { type: 'string' },
  },
})
// What was answered until then is kept.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => exit(write() ?? 130))
const plane = values.kubeconfig === undefined ? await startBareServer() : undefined
const server = connectToCluster(plane?.kubeconfig ?? values.kubeconfig ?? '')
/** What says nothing of the case: the server was too busy. The next run asks again. */
const BUSY = /^\{"status":(429|503|504),/
let [requests, bytes] = [0, 0]
/** Writes the answers to the kind that is being asked. */
let write = (): undefined => undefined
const began = performance.now()
try {
  await prepareServer(server)
  const planned = subjects(values.only?.split(',')).map((subject) => ({ subject, cases: casesOf(subject) }))
  // Small kinds first: what goes wrong is seen early.
  for (const { subject, cases } of planned.sort((a, b) => a.cases.length - b.cases.length)) {
    const answers = new Map(values.again ? undefined : readRecording(nameOf(subject)))
    const asked = cases.filter((each) => !answers.has(idOf(each)) && isInShare(each, Number(values.share)))
    if (asked.length === 0) continue
    write = () => {
      // In the order of the cases, and not of the answers: the same answers make the same file.
      const ordered = new Map(
        cases.map(idOf).flatMap((id) => (answers.has(id) ? [[id, answers.get(id) ?? ''] as const] : [])),
      )
      const size = writeRecording(nameOf(subject), ordered)
      requests += answers.size
      bytes += size
      stdout.write(`${nameOf(subject)}: ${answers.size} answers, ${size} bytes\n`)
    }
    await runCases({ server, lanes: Number(values.lanes) }, subject, withReferences(cases, asked), (each, answer) => {
      if (BUSY.test(answer)) return
      answers.set(idOf(each), answer)
      if (each.mutation !== AS_IT_STANDS || /^\{"status":2/.test(answer)) return
      const base = idOf(each).replaceAll('\t', ' ')
      if (answer.includes('AlreadyExists')) throw new Error(`${base} is on the server already: take a new one`)
      stdout.write(`  refused: ${base}: ${answer}\n`)
    })
    write()
  }
  stdout.write(`${requests} answers, ${bytes} bytes, ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
} finally {
  await server.close()
  await plane?.stop()
}
