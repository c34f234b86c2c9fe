/**
 * Lives the lives of all roles of `roles/` and `examples/` under one or two faults, as many times as are to have fired, and
 * ends with code 1 when an oracle does not hold once. A line that repeats it is printed of each plan that fails.
 *
 *     npm run proof:plans -- [--plans 25000] [--seed 1] [--role NAME] [--workers 2]
 *     npm run proof:plans -- 'memcached reset-after@17 http-429@31'
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import process, { argv, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ProofReport } from './proof-report.ts'
import { repeatPlan } from './repeat-plan.ts'
import { ROLE_LIVES } from './role-lives.ts'
import type { Share, WorkerMessage } from './worker.ts'

/** Milliseconds between two lines of progress. */
const PROGRESS = 10_000

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    plans: { type: 'string', default: '25000' },
    seed: { type: 'string', default: '1' },
    role: { type: 'string' },
    workers: { type: 'string', default: '2' },
  },
})
const [given] = positionals
process.exitCode = (given === undefined ? await runAll() : await repeatPlan(given)) ? 0 : 1

/** True: every oracle held in every plan. */
async function runAll(): Promise<boolean> {
  const roles = ROLE_LIVES.map(({ role }) => role).filter((role) => values.role === undefined || role === values.role)
  const [workers, plans, seed] = [Number(values.workers), Number(values.plans), Number(values.seed)]
  stdout.write(`${plans} plans of ${roles.length} roles, seed ${seed}, ${workers} processes\n`)
  const report = new ProofReport()
  const timer = setInterval(() => stdout.write(`${report.progress()}\n`), PROGRESS)
  const children = Array.from({ length: workers }, (_, worker) =>
    started({ roles, plans: Math.ceil(plans / workers), seed, worker, workers }, report),
  )
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  clearInterval(timer)
  stdout.write(report.summary())
  const haveEnded = codes.every((code) => code === 0)
  if (!haveEnded) stdout.write(`a process ended with code ${codes.join(' and ')}\n`)
  return haveEnded && report.failures === 0 && report.fired >= plans
}

function started(share: Share, report: ProofReport): ChildProcess {
  const child = fork(fileURLToPath(new URL('worker.ts', import.meta.url)))
  child.on('message', (message: WorkerMessage) => {
    report.add(message)
    if (message.failure) stdout.write(report.printFailure(message.failure))
  })
  child.send(share)
  return child
}
