import { expect } from 'chai'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { clientWith } from '../../../support/client-with.ts'
import { fastClock } from '../../../support/fast-clock.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: one } }
  - name: Foreign
    patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: foreign }, data: { by: "\${metadata.name}" } }
`
const OTHER = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: two } }
`
const SELECTED =
  '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}}\n'
const BOTH = `${SELECTED}- {group: example.com, version: v1, kind: Widget, role: other, selector: {matchLabels: {tier: two}}}\n`

describe('a resource and the selectors of the watches', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { own: 'x' } })
  })
  afterEach(() => sandbox.stop())

  const child = async (): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, 'w')
  const relabel = (tier: string | null): Promise<unknown> =>
    sandbox.edit(WIDGET, 'w', { metadata: { labels: { tier } } })

  async function expectTornDown(): Promise<void> {
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => (widget?.metadata.finalizers ?? []).length === 0,
    )
    expect(await child()).to.equal(undefined)
    expect((await sandbox.get(CONFIG_MAP, 'foreign'))?.data).to.deep.equal({ own: 'x' })
  }

  async function leaveWhileAway(project: Project): Promise<void> {
    sandbox.run(project)
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await sandbox.halt()
    await relabel(null)
  }

  it('is looked after only while one selects it', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, SELECTED))
    await sandbox.widget('w', {}, { labels: { tier: 'none' } })
    await sandbox.settled()
    expect(await child()).to.equal(undefined)
    await relabel('one')
    await sandbox.ready('Ready')
    expect((await child())?.data).to.deep.equal({ by: 'one' })
  })

  it('is torn down when it leaves', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, SELECTED))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await relabel(null)
    await expectTornDown()
  })

  it('is torn down when it left while the operator was away', async () => {
    const project = await projectOf({ widget: ROLE }, SELECTED)
    await leaveWhileAway(project)
    sandbox.run(project)
    await expectTornDown()
  })

  it('is torn down when it left while the operator was away, although another kind of the role is not served', async () => {
    const late =
      '  - { when: false, ensure: { apiVersion: late.example.com/v1, kind: Late, metadata: { name: l }, spec: {} } }\n'
    const project = await projectOf({ widget: `${ROLE}${late}` }, SELECTED)
    await sandbox.widget('other', {}, { labels: { tier: 'none' } })
    await leaveWhileAway(project)
    sandbox.run(project)
    await expectTornDown()
  })

  it('is torn down when it left although the server did not answer at first who had left', async () => {
    const project = await projectOf({ widget: ROLE }, SELECTED)
    await leaveWhileAway(project)
    let refusals = 0
    const { client } = sandbox
    const refusing = clientWith(client, {
      list: async (gvk, options) => {
        if (gvk.kind === 'Widget' && refusals++ < 1) throw new ApiError(500, 'InternalError', 'not now')
        return client.list(gvk, options)
      },
    })
    sandbox.run(project, { client: refusing, clock: fastClock(50) })
    await expectTornDown()
    expect(refusals).to.be.greaterThan(1)
  })

  it('is torn down by a confined operator, whichever entry had it, also for what only a former role made', async () => {
    const watches = `
- {group: example.com, version: v1, kind: Widget, role: other, selector: {matchLabels: {tier: two}}, namespaces: [kube-public]}
- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}, namespaces: [default]}
`
    const secret = 'tasks: [{ensure: {apiVersion: v1, kind: Secret, metadata: {name: "${metadata.name}"}}}]\n'
    sandbox.run(await projectOf({ widget: secret, other: OTHER }, watches))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.halt()
    await relabel(null)
    sandbox.run(await projectOf({ widget: OTHER, other: OTHER }, watches))
    await sandbox.gone(SECRET, 'w')
  })

  it('is forgotten when it is deleted, and looked for no more', async () => {
    sandbox.run(await projectOf({ widget: OTHER }, SELECTED))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.until(
      async () => sandbox.runs.at(-1)?.outcome,
      (outcome) => outcome === 'gone',
    )
  })

  it('keeps its children when its labels move it to another entry', async () => {
    sandbox.run(await projectOf({ widget: ROLE, other: OTHER }, BOTH))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    const before = await child()
    await relabel('two')
    const after = await sandbox.until(child, (object) => JSON.stringify(object?.data) === '{"by":"two"}')
    expect(after?.metadata.uid).to.equal(before?.metadata.uid)
    await sandbox.settled()
    expect((await sandbox.get(CONFIG_MAP, 'foreign'))?.data).to.deep.equal({ own: 'x' })
  })
})
