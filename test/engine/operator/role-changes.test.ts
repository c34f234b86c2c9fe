import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { Operator } from '../../../src/engine/operator/operator.ts'
import { OPERATOR_ANNOTATION } from '../../../src/engine/reconcile/ownership/ownership.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

/** The second child has no owner reference: it takes our finalizer. */
const ROLE = `
tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" } }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}", namespace: shared } }
`
const entry = (more = '', version = 'v1'): string =>
  `- {group: example.com, version: ${version}, kind: Widget, allowedNamespaces: [shared], ${more}}\n`
const PLAIN = entry('role: widget')
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' }

describe('changes that leave a resource its role, or take it away with all that it has', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
  })
  afterEach(() => sandbox.stop())

  const child = (namespace = 'default'): Promise<KubeObject | undefined> => sandbox.get(CONFIG_MAP, 'w', namespace)

  async function make(): Promise<KubeObject | undefined> {
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    return child()
  }

  it('a role that has another name keeps all as it is', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, PLAIN))
    const before = await make()
    const renamed = await projectOf({ other: ROLE }, entry('role: other'))
    expect(sandbox.operator?.replaceProject(renamed)).to.deep.equal({ kind: 'replaced' })
    expect(await sandbox.settled()).to.deep.equal([])
    expect((await child())?.metadata).to.deep.equal(before?.metadata)
  })

  long.it('an entry for another version of the kind keeps all children, whose owner reference follows', async () => {
    const definition = crd(WIDGET)
    const { versions } = definition.spec as { versions: readonly JsonObject[] }
    const second = { ...versions[0], name: 'v2', storage: false }
    await sandbox.apply({ ...definition, spec: { ...(definition.spec as object), versions: [...versions, second] } })
    sandbox.run(await projectOf({ widget: ROLE }, PLAIN))
    const before = await make()
    const next = await projectOf({ widget: ROLE }, entry('role: widget', 'v2'))
    expect(sandbox.operator?.replaceProject(next)).to.deep.equal({ kind: 'replaced' })
    await sandbox.until(child, (seen) => seen?.metadata.ownerReferences?.[0]?.apiVersion === 'example.com/v2')
    await sandbox.settled()
    expect((await child())?.metadata.uid).to.equal(before?.metadata.uid)
    expect((await sandbox.condition('Ready'))?.status).to.equal('True')
  })

  it('a CRD that is removed takes the resources with it, and before them what no garbage collector removes', async () => {
    sandbox.run(await projectOf({ widget: ROLE }, PLAIN))
    await make()
    await sandbox.remove(CRD, 'widgets.example.com')
    await sandbox.gone(CRD, 'widgets.example.com')
    expect(await child('shared')).to.equal(undefined)
  })

  it('a label that moves a resource to another installation: the first one removes its children, the second makes its own', async () => {
    const shard = (value: string): string => entry(`role: widget, selector: {matchLabels: {shard: ${value}}}`)
    sandbox.run(await projectOf({ widget: ROLE }, shard('a')))
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'second' } })
    const { client, mapper, openApi } = sandbox.cluster.connection
    const common = { client, mapper, openApi, clock: systemClock, logger: nopLogger, namespace: 'second' }
    const stop = new AbortController()
    const second = new Operator({ ...common, project: await projectOf({ widget: ROLE }, shard('b')) })
    const running = second.start(stop.signal)
    try {
      await sandbox.widget('w', {}, { labels: { shard: 'a' } })
      await sandbox.ready('Ready')
      const before = await child()
      await sandbox.edit(WIDGET, 'w', { metadata: { labels: { shard: 'b' } } })
      const isTheirs = (seen: KubeObject | undefined): boolean =>
        seen?.metadata.annotations?.[OPERATOR_ANNOTATION]?.startsWith('second/') ?? false
      const after = await sandbox.until(child, isTheirs)
      await sandbox.until(() => child('shared'), isTheirs)
      await sandbox.ready('Ready')
      expect(after?.metadata.uid).to.not.equal(before?.metadata.uid)
      await sandbox.until(
        () => sandbox.get(WIDGET, 'w'),
        (seen) => seen?.metadata.finalizers?.length === 1,
      )
    } finally {
      stop.abort()
      await running
    }
  })
})
