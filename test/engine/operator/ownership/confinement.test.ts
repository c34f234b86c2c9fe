import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { failureReply } from '../../../support/failure-reply.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: settings }, data: { a: "1" } }
  - name: Read
    get: { apiVersion: v1, kind: Secret, name: secret, optional: true }
  - name: Parts
    list: { apiVersion: v1, kind: Secret, namespace: "*", labels: { part: "yes" } }
    register: parts
  - name: Foreign
    patch: { apiVersion: v1, kind: ConfigMap, metadata: { name: theirs }, data: { b: "2" } }
    when: \${$count($parts) > 0}
  - name: Show
    status: { parts: "\${$count($parts)}" }
`
const FORBIDDEN = failureReply(
  403,
  'Forbidden',
  'configmaps is forbidden: User "operator" cannot list resource "configmaps" in API group "" at the cluster scope',
)

describe('an operator', () => {
  let sandbox: OperatorSandbox
  let paths: string[] = []
  let refused: ((path: string) => boolean) | undefined

  beforeEach(async () => {
    paths = []
    refused = undefined
    sandbox = await OperatorSandbox.start({
      workloads: false,
      onRequest: ({ path, userAgent }) => void paths.push(`${userAgent} ${path}`),
      intercept: ({ phase, path }) => (phase === 'before' && refused?.(path) ? FORBIDDEN : undefined),
    })
  })
  afterEach(() => sandbox.stop())

  it('that is confined to namespaces asks for nothing outside of them', async () => {
    for (const name of ['one', 'two']) await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const secret = (name: string, namespace: string): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, labels: { part: 'yes' } },
    })
    await sandbox.apply(secret('a', 'one'))
    await sandbox.apply(secret('b', 'two'))
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs', namespace: 'one' } })
    paths = []
    sandbox.run(await projectOf({ widget: ROLE }), { watchNamespaces: ['one'] })
    const inside: KubeObject = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'one' },
      spec: {},
    }
    await sandbox.client.apply(inside, { fieldManager: 'person', force: true })
    const outside = { ...inside, metadata: { name: 'w', namespace: 'two' } }
    await sandbox.client.apply(outside, { fieldManager: 'person', force: true })
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w', 'one'),
      (widget) => JSON.stringify(widget?.status ?? {}).includes('"parts":1'),
    )
    await sandbox.settled()
    expect(await sandbox.get(CONFIG_MAP, 'settings', 'two')).to.equal(undefined)
    const reads = paths.filter((path) => /(configmaps|secrets|widgets)\?(?!fieldManager)/.test(path))
    expect(reads.filter((path) => !path.includes('/namespaces/one/'))).to.deep.equal([])
    expect(reads).to.not.have.lengthOf(0)
  })

  it('that selects resources watches no others', async () => {
    const watches =
      '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}}\n'
    sandbox.run(await projectOf({ widget: ROLE }, watches))
    await sandbox.widget('w', {}, { labels: { tier: 'one' } })
    await sandbox.ready('Ready')
    const watched = paths.filter((path) => /rolebook.*\/widgets\?.*watch=/.test(path))
    expect(watched.filter((path) => !path.includes('labelSelector='))).to.deep.equal([])
    expect(watched).to.not.have.lengthOf(0)
  })

  it('that does not watch dependent resources runs when they change only for a read of the role', async () => {
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, watchDependentResources: false}\n'
    sandbox.run(await projectOf({ widget: ROLE }, watches))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    const runs = sandbox.runs.length
    await sandbox.edit(CONFIG_MAP, 'settings', { data: { a: 'theirs' } })
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'secret' } })
    await sandbox.settled()
    expect(sandbox.runs.length).to.be.above(runs)
  })

  it('that may not read a kind says which rule would grant it, and goes on with the rest', async () => {
    refused = (path) => /\/api\/v1\/configmaps/.test(path)
    sandbox.run(await projectOf({ widget: ROLE, other: 'tasks: [{name: Show, status: {ok: true}}]\n' }, TWO))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Forbidden')
    expect(message).to.contain('cannot list configmaps in the cluster')
    expect(message).to.contain('verbs: [get, list, watch]')
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
    await sandbox.ready('Ready', { gvk: { group: 'example.com', version: 'v1', kind: 'Gadget' }, name: 'g' })
  })

  it('that is to make a kind that is not served says so', async () => {
    const role = `
tasks:
  - name: Part
    ensure: { apiVersion: absent.example.com/v1, kind: Part, metadata: { name: part } }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    const { message } = await sandbox.ready('Failed')
    expect(message).to.contain('task "Part"').and.to.contain('absent.example.com')
    expect((await sandbox.condition('Stalled'))?.status).to.equal('True')
  })

  it('does not mind kinds that are not served and not needed', async () => {
    const role = `
tasks:
  - name: Part
    when: \${spec.part = true}
    ensure: { apiVersion: absent.example.com/v1, kind: Part, metadata: { name: part } }
  - name: Foreign
    when: \${spec.part = true}
    patch: { apiVersion: absent.example.com/v1, kind: Whole, metadata: { name: whole, labels: { a: b } } }
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
  })

  it('leaves children without its marks when a client deletes the resource and keeps the children', async () => {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
    const watches = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'
    const role =
      'tasks: [{name: Remote, ensure: {apiVersion: v1, kind: Secret, metadata: {name: remote, namespace: shared}}}]\n'
    sandbox.run(await projectOf({ widget: role }, watches))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.client.delete(WIDGET, { namespace: 'default', name: 'w' }, { propagationPolicy: 'Orphan' })
    await sandbox.gone(WIDGET, 'w')
    const kept = await sandbox.get(SECRET, 'remote', 'shared')
    expect(kept?.metadata.labels ?? {}).to.deep.equal({})
  })
})

const TWO = `
- {group: example.com, version: v1, kind: Widget, role: widget}
- {group: example.com, version: v1, kind: Gadget, role: other}
`
