/**
 * What an operator asks of a real API server while nothing happens: requests an hour, by verb and resource, of one that watches ten kinds, as
 * the server's audit log has them.
 *
 *     npm run bench:at-rest -- [--kinds 10] [--resources 1000] [--minutes 20] [--write docs/performance.md]
 *
 * A watch lasts 5 to 10 minutes, so that a shorter measurement says little.
 */
import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { connect } from '../../src/core/kube-client/connect.ts'
import { AUDITED_NAMESPACE, type AuditedRequest } from '../../test/control-plane/audit-log.ts'
import { ControlPlane } from '../../test/control-plane/control-plane.ts'
import { Watchdog } from '../../test/control-plane/watchdog.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { inParallel } from '../in-parallel.ts'
import { machine } from '../machine.ts'
import { ContestantProcess } from './contestant-process.ts'
import { rolebook } from './contestants.ts'
import { Observer } from './observer.ts'
import { type Table, toMarkdown, toText } from './report.ts'
import { prepare } from './stage.ts'
import { type Workload, widget } from './workload.ts'
import { writeFigures } from './write-figures.ts'

const MANAGER = { fieldManager: 'bench' }
const REQUESTS_IN_FLIGHT = 16
const ACCOUNT = 'contestant'

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    kinds: { type: 'string', default: '10' },
    resources: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '20' },
    write: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const workload: Workload = { resources: Number(values.resources), kinds: Number(values.kinds), objects: 3 }
const plane = await ControlPlane.start()
const requests = await requestsAtRest().finally(() => plane.stop())
const title = `${workload.kinds} kinds with ${workload.resources} resources, and three kinds of objects, ${minutes} minutes. ${machine()}`
const table = tableOf(requests)
stdout.write(`${title}\n\n${toText(table)}\n`)
if (values.write) writeFigures(values.write, 'at-rest', `${title}\n\n${toMarkdown(table)}`)

/** @throws Error when the operator ends, or does not come to rest */
async function requestsAtRest(): Promise<readonly AuditedRequest[]> {
  const kubeconfig = await prepareCluster()
  const folder = temporaryFolder()
  const watchdog = new Watchdog(folder.path)
  const operator = new ContestantProcess(rolebook({ workload, kubeconfig, folder }), folder.at('log'), watchdog)
  try {
    await operator.during(untilConverged())
    await operator.untilQuiet()
    const log = plane.auditLog()
    await operator.during(sleep(minutes * 60_000))
    return log.take()
  } finally {
    await operator.stop()
    watchdog.stop()
    folder.remove()
  }
}

/** Returns the kubeconfig of an account that may do everything, and whose requests are in the audit log. */
async function prepareCluster(): Promise<string> {
  const connection = await connectAs('rolebook-bench')
  const { client } = connection
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: AUDITED_NAMESPACE } }, MANAGER)
  const metadata = { namespace: AUDITED_NAMESPACE, name: ACCOUNT }
  await client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }, MANAGER)
  await prepare(connection, workload, { kind: 'ServiceAccount', ...metadata })
  const create = (index: number): Promise<unknown> => client.create(widget(workload, index, 0), MANAGER)
  await inParallel(workload.resources, create, REQUESTS_IN_FLIGHT)
  await connection.close()
  return plane.serviceAccountKubeconfig(AUDITED_NAMESPACE, ACCOUNT)
}

async function untilConverged(): Promise<void> {
  const connection = await connectAs('rolebook-observer')
  const observer = await Observer.start(connection.client, workload)
  await observer.converged()
  observer.stop()
  await connection.close()
}

function connectAs(userAgent: string): ReturnType<typeof connect> {
  return connect({ kubeconfig: plane.kubeconfig, clock: systemClock, logger: nopLogger, userAgent })
}

/** Leases apart: they show that the process lives, whatever it watches. A watch counts when it is opened, and when it has ended. */
function tableOf(requests: readonly AuditedRequest[]): Table {
  const anHour = (count: number): string => ((count * 60) / minutes).toFixed(0)
  const others = requests.filter(({ resource }) => resource !== 'leases')
  const verbs = [...new Set(others.map(({ verb }) => verb))].sort()
  return [
    ['', 'requests an hour'],
    ...verbs.map((verb) => [
      verb,
      anHour(others.filter((one) => one.verb === verb).length / (verb === 'watch' ? 2 : 1)),
    ]),
    ['renewals of the lease', anHour(requests.length - others.length)],
  ]
}
