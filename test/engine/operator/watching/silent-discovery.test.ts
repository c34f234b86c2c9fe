import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import { eventually } from '../../../support/eventually.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { GADGET, OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const CONFIG = 'tasks:\n  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: c } }\n'
const STATUS = 'tasks:\n  - status: { a: b }\n'

describe('A confined operator', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  /** The cluster's mapper with another answer. */
  function mapperThat(mappingFor: ResourceMapper['mappingFor']): ResourceMapper {
    const { mapper } = sandbox.cluster.connection
    return { mappingFor, preferred: (kind) => mapper.preferred(kind), refresh: () => mapper.refresh() }
  }

  it('stops on request although discovery does not answer', async () => {
    const mapper = mapperThat(() => new Promise<never>(() => undefined))
    sandbox.run(await projectOf({ widget: STATUS }), { mapper, watchNamespaces: ['default'] })
    await sandbox.halt()
  })

  it('stops on request although discovery, which answered before, no longer answers a run', async () => {
    let hasAsked = false
    const mapper = mapperThat((gvk) => {
      if (gvk.kind !== 'ConfigMap') return sandbox.cluster.connection.mapper.mappingFor(gvk)
      hasAsked = true
      return new Promise<never>(() => undefined)
    })
    sandbox.run(await projectOf({ widget: CONFIG }), { mapper, watchNamespaces: ['default'] })
    await sandbox.widget('w')
    await eventually(() => hasAsked, 'the run asks')
    await sandbox.halt()
  })

  it('looks after a cluster-scoped kind as soon as discovery, which failed at first, says that it is one', async () => {
    let failures = 0
    const mapper = mapperThat(async (gvk) => {
      if (failures++ < 3) throw new ApiError(503, 'ServiceUnavailable', 'not yet')
      return sandbox.cluster.connection.mapper.mappingFor(gvk)
    })
    const watches = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const options = { mapper, clock: fastClock(50), watchNamespaces: ['default', 'other'] }
    sandbox.run(await projectOf({ gadget: STATUS }, watches), options)
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
    expect(await sandbox.settled()).to.deep.equal(['patch Gadget/status g'])
  })
})
