import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const PART = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}]\n'
const KEPT = 'tasks: [{retain: true, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}]\n'

describe('RoleReconciler', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  it('says in the status itself which of its fields the server refuses', async () => {
    const status = {
      type: 'object',
      properties: {
        phase: { type: 'string', enum: ['Up', 'Down'] },
        observedGeneration: { type: 'integer' },
        conditions: { type: 'array', items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    }
    const parts = { group: 'example.com', version: 'v1', kind: 'Sprocket' }
    await sandbox.cluster.install(crd(parts, { status }))
    const watches = '- {group: example.com, version: v1, kind: Sprocket, role: widget}\n'
    sandbox.run(await projectOf({ widget: 'tasks: [{status: {phase: "${spec.phase}"}}]\n' }, watches))
    const sprocket = (phase: string) =>
      sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Sprocket', metadata: { name: 'w' }, spec: { phase } })
    await sprocket('Sideways')
    const at = { gvk: parts, name: 'w' }
    const { message } = await sandbox.ready('Invalid', at)
    expect(message).to.match(/^task "status": .*status\.phase/)
    expect((await sandbox.condition('Stalled', at))?.reason).to.equal('Invalid')
    await sprocket('Up')
    await sandbox.ready('Ready', at)
    expect((await sandbox.get(parts, 'w'))?.status).to.include({ phase: 'Up' })
  })

  it('looks after a kind that counts no generations', async () => {
    const watches = '- {group: "", version: v1, kind: Secret, role: widget, manageStatus: false}\n'
    const role = `
tasks:
  - {wait: {for: "\${$exists(data.go)}", message: m, timeout: 1h}}
  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}
`
    sandbox.run(await projectOf({ widget: role }, watches))
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'w' } }
    await sandbox.apply(secret)
    await sandbox.until(
      async () => sandbox.runs,
      (runs) => runs.some(({ outcome }) => outcome === 'waiting'),
    )
    await sandbox.apply({ ...secret, data: { go: '' } })
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'part'),
      (part) => part !== undefined,
    )
  })

  for (const { name, error, says } of [
    {
      name: 'a right that is missing is said',
      error: new ApiError(403, 'Forbidden', 'x cannot patch resource "configmaps" in API group ""'),
      says: 'configmaps',
    },
    { name: 'a fault that passes is not', error: new ApiError(503, 'ServiceUnavailable', 'x'), says: undefined },
  ]) {
    it(`goes on with a deletion when what holds it up is over: ${name}`, async () => {
      const faults: ApiError[] = []
      const patch: KubeClient['patch'] = async (gvk, key, body, options) => {
        const fault = gvk.kind === 'ConfigMap' && key.name === 'part' ? faults[0] : undefined
        if (fault) throw fault
        return sandbox.client.patch(gvk, key, body, options)
      }
      // On a faster clock it would soon be a fault that does not pass.
      const options = { clock: systemClock, client: clientWith(sandbox.client, { patch }) }
      sandbox.run(await projectOf({ widget: KEPT }), options)
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      await sandbox.settled()
      faults.push(error)
      await sandbox.remove(WIDGET, 'w')
      if (says === undefined) await sandbox.settled()
      else expect((await sandbox.ready('Deleting')).message).to.include(says)
      expect((await sandbox.condition('Ready'))?.reason).to.equal(says === undefined ? 'Ready' : 'Deleting')
      faults.length = 0
      await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/reconcile-at': 'now' } } })
      await sandbox.gone(WIDGET, 'w')
      expect((await sandbox.get(CONFIG_MAP, 'part'))?.metadata.labels).to.equal(undefined)
    })
  }

  it('is stopped when it runs on its own output, also where the engine has no say in the status', async () => {
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, manageStatus: false}\n'
    const role = `
tasks:
  - {list: {apiVersion: example.com/v1, kind: Widget}, register: all}
  - {status: {seen: "\${$join($all.metadata.resourceVersion)}"}}
`
    sandbox.run(await projectOf({ widget: role }, watches))
    await sandbox.widget('w')
    const stopped = await sandbox.until(
      async () => sandbox.runs.find(({ outcome }) => outcome === 'failed'),
      (run) => run !== undefined,
    )
    expect([stopped?.ready?.message?.includes('status.seen'), stopped?.wroteStatus]).to.deep.equal([true, true])
    await sandbox.settled()
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('runs again, and says so, when what it read can no longer be read', async () => {
    const role = `
tasks:
  - {get: {apiVersion: example.com/v1, kind: Gadget, name: g}, register: gadget}
  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}}}
`
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {read: ["*"]}}\n'
    sandbox.run(await projectOf({ widget: role }, watches))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }
    await sandbox.client.delete(CRD, { namespace: '', name: 'gadgets.example.com' }, {})
    await sandbox.until(
      () => sandbox.condition('Ready'),
      (ready) => ready?.status === 'False',
    )
    expect(await sandbox.get(CONFIG_MAP, 'part')).to.not.equal(undefined)
  })

  it('begins anew with a resource that was replaced by one of its name', async () => {
    sandbox.run(await projectOf({ widget: PART }))
    const first = await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.widget('w')
    const part = await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'part'),
      (found) => ![undefined, first.metadata.uid].includes(found?.metadata.labels?.['rolebook.dev/owner-uid']),
    )
    expect(part?.metadata.ownerReferences?.map(({ uid }) => uid)).to.not.include(first.metadata.uid)
  })
})
