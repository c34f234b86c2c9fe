import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'
import { Switch } from '../../../support/switched-leadership.ts'

const ROLE = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n'

describe('A standby replica', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('holds what its roles make although discovery failed when it started', async () => {
    const { mapper } = sandbox.cluster.connection
    let failures = 0
    const mappingFor: ResourceMapper['mappingFor'] = async (gvk) => {
      if (gvk.kind === 'ConfigMap' && failures++ < 3) throw new ApiError(503, 'ServiceUnavailable', 'not yet')
      return mapper.mappingFor(gvk)
    }
    const failing = { mappingFor, preferred: mapper.preferred.bind(mapper), refresh: () => mapper.refresh() }
    const options = { mapper: failing, clock: fastClock(100), leadership: new Switch(false) }
    const operator = sandbox.run(await projectOf({ widget: ROLE }), options)
    await sandbox.until(
      async () => [...operator.watches()].filter(({ kind, live }) => kind === 'ConfigMap' && live),
      (watches) => watches.length === 1,
    )
  })
})
