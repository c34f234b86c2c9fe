import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import { type Connection, connect } from '../../src/core/kube-client/connect.ts'
import { ClusterBackend } from '../plans/cluster-backend.ts'
import { ClusterPlans, kindsOf } from '../plans/cluster-plans.ts'
import { parsePlan, printPlan } from '../plans/plan.ts'
import { prepareRole } from '../plans/prepared-role.ts'
import { printDivergences } from '../plans/print-divergence.ts'
import { ROLE_LIVES } from '../plans/role-lives.ts'
import { installCrd } from '../support/install-crd.ts'
import { sharedControlPlane } from './shared-control-plane.ts'

const PLANS = Number(process.env.PLANS ?? 1060)
const AT_ONCE = Number(process.env.AT_ONCE ?? 32)

describe('lives under faults', function () {
  this.timeout(900_000)
  let connection: Connection
  let backend: ClusterBackend
  let plans: ClusterPlans
  let count = 0

  before(async function () {
    const { kubeconfig } = await sharedControlPlane(this)
    connection = await connect({ kubeconfig, clock: systemClock, logger: nopLogger, userAgent: 'person' })
    const roles = await Promise.all(
      ROLE_LIVES.filter(({ role }) => (process.env.ROLES?.split(',') ?? ROLES).includes(role)).map(prepareRole),
    )
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
    const name = `plan-${++count}-${Date.now().toString(36)}`
    await connection.client.create(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { fieldManager: 'test' },
    )
    return name
  }

  it(`end as those without, ${PLANS} times`, async () => {
    const failures: string[] = []
    let fired = 0
    const begun = performance.now()
    const chosen = process.env.PLAN
      ? Array.from({ length: 4 }, () => parsePlan(process.env.PLAN!))
      : [...plans.choose(PLANS, 1)]
    const work = async (): Promise<void> => {
      for (let plan = chosen.pop(); plan; plan = chosen.pop()) {
        const { divergences, hasFired, seen } = await plans.run(plan)
        if (process.env.PLAN && divergences.length)
          for (const st of seen.steps) {
            console.log('##', st.step.name)
            for (const q of st.requests)
              console.log(
                '   ',
                q.index,
                q.verb,
                q.url.slice(0, 140),
                q.status,
                seen.faults.some((f) => f.firedAt === q.index) ? '<== FAULT' : '',
              )
          }
        if (hasFired) fired++
        const told = printDivergences(divergences).map((what) => `${printPlan(plan)}: ${what}`)
        failures.push(...told)
        if (process.env.TRACE) for (const f of told.slice(0, 3)) console.log(f.slice(0, 500))
        if (process.env.TRACE && chosen.length % 20 === 0)
          console.log(chosen.length, 'left', ((performance.now() - begun) / 1000).toFixed(0), 's')
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    console.log(fired, 'fired', ((performance.now() - begun) / 1000).toFixed(0), 's')
    expect(failures).to.deep.equal([])
  })
})

const ROLES = [
  'website',
  'gateway',
  'web-app',
  'listener',
  'memcached',
  'memcached-alpha',
  'maintpage',
  'release',
  'shop',
  'bucket',
]
