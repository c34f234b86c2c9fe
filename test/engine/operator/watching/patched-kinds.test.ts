import { expect } from 'chai'
import type { Operator } from '../../../../src/engine/operator/operator.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'

const LATE = { group: 'late.example.com', version: 'v1', kind: 'Late' }
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
const SECRET_PATCH = '- patch: { apiVersion: v1, kind: Secret, metadata: { name: theirs'

describe('Patches, by kind', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('of a Secret register its data in every run, changed or not', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs' }, data: { k: 'aGVsbG8=' } })
    const role = `
tasks:
  ${SECRET_PATCH}, labels: { touched: "yes" } } }
    register: secret
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: copy }, data: { k: "\${$secret.data.k}" } }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.widget('w', { x: 1 })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect((await sandbox.get(CONFIG_MAP, 'copy'))?.data).to.deep.equal({ k: 'aGVsbG8=' })
  })

  it('of a Secret say whose a field is, and not what is in it', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs' }, data: { k: 'aGVsbG8=' } })
    sandbox.run(await projectOf({ widget: `tasks:\n  ${SECRET_PATCH} }, data: { k: d29ybGQ= } }\n` }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Conflict')
    expect(message).to.contain('.data.k').and.to.contain('"person"').and.to.not.contain('aGVsbG8')
    expect((await sandbox.get(SECRET, 'theirs'))?.data).to.deep.equal({ k: 'aGVsbG8=' })
  })

  const LATE_PATCH =
    'tasks:\n  - patch: { apiVersion: late.example.com/v1, kind: Late, metadata: { name: l }, spec: { z: x } }\n'

  /** A resource whose role has patched an object of a kind that is served no more. */
  async function patchedAndGone(): Promise<Operator> {
    await sandbox.cluster.install(crd(LATE))
    await sandbox.apply({ apiVersion: 'late.example.com/v1', kind: 'Late', metadata: { name: 'l' }, spec: {} })
    const operator = sandbox.run(await projectOf({ widget: LATE_PATCH }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(CRD, 'lates.late.example.com')
    await sandbox.gone(CRD, 'lates.late.example.com')
    return operator
  }

  it('of a kind that is not served any more do not hold the resource', async () => {
    await patchedAndGone()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
  })

  it('of a kind that is not served any more may be dropped from the role', async () => {
    const operator = await patchedAndGone()
    operator.replaceProject(await projectOf({ widget: 'tasks: [{ status: { patches: none } }]\n' }))
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => (widget?.status as { patches?: string } | undefined)?.patches === 'none',
    )
    expect(await sandbox.condition('Stalled')).to.equal(undefined)
    await sandbox.ready('Ready')
  })
})
