import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import type { OperatorOptions } from '../../../../src/engine/operator/operator.ts'
import { clientWith } from '../../../support/client-with.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const GADGET_ENTRY = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
const WIDGET_ENTRY = '- {group: example.com, version: v1, kind: Widget, role: widget}\n'
const ROLES = {
  widget: 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n',
  gadget: 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: g, namespace: default}}}]\n',
}
const KEY = 'Widget.example.com'
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }

describe('a kind that watches.yaml has no entry for any more', () => {
  let sandbox: OperatorSandbox
  let refusals: string[]
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    refusals = []
    sandbox.run(await projectOf(ROLES, WIDGET_ENTRY + GADGET_ENTRY))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.halt()
  })
  afterEach(() => sandbox.stop())

  async function start(options: Partial<OperatorOptions> = {}): Promise<void> {
    const project = await projectOf(ROLES, GADGET_ENTRY)
    sandbox.run(project, {
      onTeardownRefused: (reason) => void refusals.push(reason),
      clock: fastClock(10_000),
      ...options,
    })
  }
  const ledgerKeys = async (): Promise<readonly string[]> =>
    Object.keys(((await sandbox.get(CONFIG_MAP, 'rolebook-ledger'))?.data as object | undefined) ?? {})
  const forgotten = (): Promise<unknown> => sandbox.until(ledgerKeys, (keys) => !keys.includes(KEY))

  async function expectOthersGoOn(): Promise<void> {
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
    await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
  }

  long.it('and that is not served any more is forgotten', async () => {
    await sandbox.remove(CRD, 'widgets.example.com')
    await sandbox.gone(CRD, 'widgets.example.com')
    await start()
    await forgotten()
    await expectOthersGoOn()
    expect(refusals).to.deep.equal([])
  })

  it('is not forgotten while the server cannot say whether it is served', async () => {
    const { mapper } = sandbox.cluster.connection
    let asked = 0
    const away: ResourceMapper = {
      ...mapper,
      refresh: () => mapper.refresh(),
      preferred: (kind) => mapper.preferred(kind),
      mappingFor: async (gvk) => {
        if (gvk.kind !== 'Widget') return mapper.mappingFor(gvk)
        asked++
        throw new ApiError(503, 'ServiceUnavailable', 'the API server cannot reach the group')
      },
    }
    const client = clientWith(sandbox.client, {
      list: async (gvk, options) => {
        if (gvk.kind === 'Widget') throw new ApiError(503, 'ServiceUnavailable', 'away')
        return sandbox.client.list(gvk, options)
      },
    })
    await start({ mapper: away, client })
    await sandbox.until(
      async () => asked,
      (count) => count > 5,
    )
    await expectOthersGoOn()
    expect(await ledgerKeys()).to.include(KEY)
  })

  it('and that may not be read any more is said once, with the rights that are missing', async () => {
    let asked = 0
    const client = clientWith(sandbox.client, {
      list: async (gvk, options) => {
        if (gvk.kind !== 'Widget') return sandbox.client.list(gvk, options)
        asked++
        throw new ApiError(403, 'Forbidden', 'cannot list resource "widgets" at the cluster scope')
      },
    })
    await start({ client })
    await sandbox.until(
      async () => asked,
      (count) => count > 4,
    )
    await expectOthersGoOn()
    const warnings = sandbox.warnings.filter((warning) => warning.includes('may not be read'))
    expect(warnings).to.have.lengthOf(1)
    expect(warnings[0]).to.include('grant `get`, `list`, `watch` and `patch` of the kind')
    expect(await ledgerKeys()).to.include(KEY)
  })

  it('is shown in the history of its resources, for `rolebook explain`', async () => {
    await start()
    await sandbox.ready('NoRole')
    const history = (): unknown =>
      sandbox.operator?.history.of({ group: 'example.com', kind: 'Widget', namespace: 'default', name: 'w' })?.runs[0]
    const run = await sandbox.until(async () => history(), Boolean)
    expect(run).to.deep.include({
      outcome: 'spared',
      ready:
        'NoRole: no watch entry selects the resource any more: its objects stay as they are and are not reconciled',
    })
  })

  it('leaves the status alone where it belongs to the role', async () => {
    const own = `${WIDGET_ENTRY.replace('}', ', manageStatus: false}')}${GADGET_ENTRY}`
    sandbox.run(await projectOf(ROLES, own))
    await sandbox.settled()
    await sandbox.halt()
    await start()
    await sandbox.until(
      async () => refusals.length,
      (count) => count === 1,
    )
    expect(await sandbox.settled()).to.deep.equal([])
    expect((await sandbox.condition('Ready'))?.reason).to.equal('Ready')
  })

  it('is not looked for when it was forgotten', async () => {
    await sandbox.remove(WIDGET, 'w')
    await start()
    await forgotten()
    await sandbox.halt()
    let asked = 0
    const client = clientWith(sandbox.client, {
      list: (gvk, options) => {
        if (gvk.kind === 'Widget') asked++
        return sandbox.client.list(gvk, options)
      },
    })
    await start({ client })
    await expectOthersGoOn()
    await sandbox.settled()
    expect(asked).to.equal(0)
  })
})
