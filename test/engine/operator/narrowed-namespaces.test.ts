import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { OperatorOptions } from '../../../src/engine/operator/operator.ts'
import { clientWith } from '../../support/client-with.ts'
import { fastClock } from '../../support/fast-clock.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" } }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}", namespace: shared } }
`
/** Its children have owner references, and it needs no finalizer. */
const PLAIN = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${metadata.name}"}}}]\n'
const inNamespaces = (...namespaces: readonly string[]): string =>
  `- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared], namespaces: [${namespaces}]}\n`
const EVERYWHERE = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'
const refusal = 'the new namespaces would tear down 1 existing resources (Widget team/w); --allow-teardown permits that'

describe('namespaces that an entry does not look into any more', () => {
  let sandbox: OperatorSandbox
  let refusals: string[]
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    for (const name of ['shared', 'team', 'other'])
      await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    refusals = []
  })
  afterEach(() => sandbox.stop())

  async function start(watches: string, options: Partial<OperatorOptions> = {}, role = ROLE): Promise<void> {
    const project = await projectOf({ widget: role }, watches)
    sandbox.run(project, { onTeardownRefused: (reason) => void refusals.push(reason), ...options })
  }

  const widget = (): Promise<KubeObject | undefined> => sandbox.get(WIDGET, 'w', 'team')
  const reason = async (): Promise<string | undefined> => {
    const { conditions = [] } = ((await widget())?.status ?? {}) as { conditions?: { type: string; reason: string }[] }
    return conditions.find(({ type }) => type === 'Ready')?.reason
  }
  const says = (wanted: string): Promise<unknown> => sandbox.until(reason, (seen) => seen === wanted)
  const child = (namespace: string): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, 'w', namespace)
  const isLeft = (): Promise<unknown> =>
    sandbox.until(
      async () => [await child('team'), await child('shared')],
      (seen) => seen.every((object) => object === undefined),
    )

  async function make(): Promise<void> {
    await sandbox.widget('w', {}, { namespace: 'team' })
    await says('Ready')
    await sandbox.settled()
  }

  const changes: { name: string; before: string; after: string; role: string; options?: Partial<OperatorOptions> }[] = [
    { name: 'of several', before: inNamespaces('team', 'other'), after: inNamespaces('other'), role: ROLE },
    { name: 'of all', before: EVERYWHERE, after: inNamespaces('other'), role: ROLE },
    { name: 'with children alone', before: inNamespaces('team', 'other'), after: inNamespaces('other'), role: PLAIN },
    {
      name: 'of WATCH_NAMESPACE',
      before: EVERYWHERE,
      after: EVERYWHERE,
      role: ROLE,
      options: { watchNamespaces: ['other'] },
    },
  ]
  for (const { name, before, after, role, options } of changes) {
    it(`${name}: spare what is there, look after its end, and take it up again`, async () => {
      await start(before, {}, role)
      await make()
      if (!options) {
        const reload = sandbox.operator?.replaceProject(await projectOf({ widget: role }, after))
        expect(reload).to.deep.equal({ kind: 'refused', reason: refusal })
      }
      await sandbox.halt()
      await start(after, options, role)
      await says('NoRole')
      expect(await sandbox.settled()).to.deep.equal(['patch Widget/status team/w'])
      await sandbox.halt()
      await start(before, {}, role)
      await says('Ready')
      expect(await sandbox.settled()).to.deep.equal(['patch Widget/status team/w'])
      await sandbox.halt()
      await start(after, options, role)
      await says('NoRole')
      await sandbox.client.delete(WIDGET, { namespace: 'team', name: 'w' }, { propagationPolicy: 'Background' })
      await sandbox.until(widget, (object) => object === undefined)
      await isLeft()
      expect(refusals).to.deep.equal([refusal, refusal])
    })
  }

  it('are torn down with --allow-teardown', async () => {
    await start(EVERYWHERE, { allowTeardown: true })
    await make()
    const reload = sandbox.operator?.replaceProject(await projectOf({ widget: ROLE }, inNamespaces('other')))
    expect(reload).to.deep.equal({ kind: 'replaced' })
    await isLeft()
    await sandbox.until(widget, (object) => (object?.metadata.finalizers ?? []).length === 0)
    await says('Deleting')
  })

  it('and may not be read any more hold nothing else up: the log says once which rights are missing', async () => {
    await start(inNamespaces('team', 'other'))
    await make()
    await sandbox.halt()
    let asked = 0
    const client = clientWith(sandbox.client, {
      list: async (gvk, options) => {
        if (gvk.kind !== 'Widget' || options?.namespace !== 'team') return sandbox.client.list(gvk, options)
        asked++
        throw new ApiError(403, 'Forbidden', 'cannot list resource "widgets" in the namespace "team"')
      },
    })
    await start(inNamespaces('other'), { client, clock: fastClock(10_000) })
    await sandbox.until(
      async () => asked,
      (count) => count > 3,
    )
    await sandbox.widget('b', {}, { namespace: 'other' })
    await sandbox.until(() => sandbox.get(CONFIG_MAP, 'b', 'other'), Boolean)
    expect(sandbox.warnings.filter((warning) => warning.includes('may not be read'))).to.deep.equal([
      'cannot look for resources without a watch entry: they may not be read (grant `get`, `list`, `watch` and `patch` of the kind there; or, when none is left, delete the key Widget.example.com of the ConfigMap rolebook-ledger)',
    ])
  })
})
