import { stderr } from 'node:process'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { ClusterBackend } from '../plans/cluster-backend.ts'
import { ClusterPlans, kindsOf } from '../plans/cluster-plans.ts'
import { printPlan } from '../plans/plan.ts'
import { prepareRole } from '../plans/prepared-role.ts'
import { printDivergences } from '../plans/print-divergence.ts'
import { printStep } from '../plans/print-step.ts'
import { ROLE_LIVES } from '../plans/role-lives.ts'
import type { LifeEvidence } from '../plans/run-life.ts'
import { installCrd } from '../support/install-crd.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

/**
 * Roles whose objects lie in one namespace, so that many lives can be lived at once, and whose workloads become ready soon. None makes a
 * bare Pod: kwok removes Pods by name alone, and may remove the one that came after.
 */
const ROLES: ReadonlySet<string> = new Set(['website', 'gateway', 'web-app', 'listener', 'memcached', 'shop', 'bucket'])
/** So many plans are to have fired. Some do not: a life may have fewer requests than the one that they were chosen for. */
const FIRED = 1000
const CHOSEN = 1300
const AT_ONCE = 32

describe('lives under faults on a real server', function () {
  this.timeout(1_200_000)
  let connection: Connection
  let backend: ClusterBackend
  let plans: ClusterPlans
  let namespaces = 0

  before(async function () {
    const { kubeconfig } = await sharedControlPlane(this)
    connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'person' })
    const roles = await Promise.all(ROLE_LIVES.filter(({ role }) => ROLES.has(role)).map(prepareRole))
    for (const { project } of roles) for (const crd of project.crds) await installCrd(connection, crd)
    backend = new ClusterBackend(kubeconfig, connection.client, kindsOf(roles))
    plans = new ClusterPlans(backend, roles, newNamespace)
    await plans.start()
  })
  after(async () => {
    await backend?.stop()
    await connection?.close()
  })

  async function newNamespace(): Promise<string> {
    const name = `plan-${++namespaces}-${Date.now().toString(36)}`
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    await connection.client.create(namespace, { fieldManager: 'test' })
    return name
  }

  it(`end as those without, in ${FIRED} plans`, async () => {
    const failures: string[] = []
    let fired = 0
    const left = [...plans.choose(CHOSEN, 1)]
    const work = async (): Promise<void> => {
      for (let plan = left.pop(); plan && fired < FIRED; plan = left.pop()) {
        const { divergences, hasFired, seen } = await plans.run(plan)
        if (hasFired) fired++
        const line = printPlan(plan)
        const found = printDivergences(divergences).map((what) => `${line}: ${what}`)
        // At once: a run that is stopped before its end prints no report.
        for (const failure of found) stderr.write(`${failure}\n`)
        if (found.length > 0) stderr.write(printLife(seen))
        failures.push(...found)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(failures).to.deep.equal([])
    expect(fired).to.be.at.least(FIRED)
  })
})

function printLife({ steps, faults }: LifeEvidence): string {
  const fired = new Set(faults.map(({ firedAt }) => firedAt))
  return steps.map((step) => printStep(step, fired)).join('')
}
