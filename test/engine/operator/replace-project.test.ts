import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { Operator } from '../../../src/engine/operator/operator.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, GADGET, OperatorSandbox, projectOf } from '../../support/operator-sandbox.ts'

const SELECTED =
  '- {group: example.com, version: v1, kind: Widget, role: widget, selector: {matchLabels: {tier: one}}}\n'

describe('Operator.replaceProject', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const simple = (data: string, extra = ''): string => `
tasks:
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { by: ${data} } }${extra}
`

  it('brings a changed role to every resource, with one write each and none for the rest', async () => {
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    for (const name of ['a', 'b']) await sandbox.widget(name)
    for (const name of ['a', 'b']) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    expect(operator.replaceProject(await projectOf({ widget: simple('two') }))).to.deep.equal({ kind: 'replaced' })
    expect([...(await sandbox.settled())].sort()).to.deep.equal([
      'apply ConfigMap default/a',
      'apply ConfigMap default/b',
    ])
    operator.replaceProject(await projectOf({ widget: simple('two') }))
    const runs = sandbox.runs.length
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
  })

  it('brings the role that mends a failure at once, however long the next try would be off', async () => {
    const isWrong = ({ data }: KubeObject): boolean => (data as { by?: string } | undefined)?.by === 'wrong'
    const client = clientWith(sandbox.client, {
      apply: async (object, options) => {
        if (isWrong(object)) throw new ApiError(500, 'InternalError', 'a webhook cannot cope with it')
        return sandbox.client.apply(object, options)
      },
    })
    // It stands still: no try comes by itself.
    const operator = sandbox.run(await projectOf({ widget: simple('wrong') }), { client, clock: new FakeClock() })
    await sandbox.widget('a')
    await sandbox.until(
      async () => sandbox.runs.at(-1)?.outcome,
      (outcome) => outcome === 'failed',
    )
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('right') }))
    await sandbox.ready('Ready', { name: 'a' })
    expect((await sandbox.get(CONFIG_MAP, 'a'))?.data).to.deep.equal({ by: 'right' })
  })

  it('removes what the new role does not make any more', async () => {
    const extra = '\n  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: extra } }'
    const operator = sandbox.run(await projectOf({ widget: simple('one', extra) }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one') }))
    expect(await sandbox.settled()).to.deep.equal(['delete Secret default/extra'])
  })

  it('removes also after a restart what only a former role made: the ledger knows its kind', async () => {
    const extra = '\n  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: extra } }'
    sandbox.run(await projectOf({ widget: simple('one', extra) }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    await sandbox.restart(await projectOf({ widget: simple('one') }))
    expect(await sandbox.settled()).to.deep.equal(['delete Secret default/extra'])
  })

  it('starts and stops watches without disturbing the others', async () => {
    const gadgets = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const widgets = '- {group: example.com, version: v1, kind: Widget, role: widget}\n'
    const role = 'tasks: [{name: Show, status: {seen: true}}]\n'
    const operator = sandbox.run(await projectOf({ widget: simple('one') }, widgets))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one'), gadget: role }, widgets + gadgets))
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
    await sandbox.until(
      async () => sandbox.runs.some(({ request }) => request.kind === 'Gadget'),
      (ran) => ran,
    )
    expect((await sandbox.settled()).filter((write) => write.includes('/a'))).to.deep.equal([])
    operator.replaceProject(await projectOf({ widget: simple('one') }, widgets))
    const runs = sandbox.runs.length
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'h' }, spec: {} })
    await sandbox.settled()
    expect(sandbox.runs.length).to.equal(runs)
  })

  it('restarts a watch whose settings have changed, and writes nothing for that', async () => {
    const watch = '- {group: example.com, version: v1, kind: Widget, role: widget, maxConcurrentReconciles: 2}\n'
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    operator.replaceProject(await projectOf({ widget: simple('one') }, watch))
    await sandbox.settled()
    await sandbox.widget('b')
    await sandbox.ready('Ready', { name: 'b' })
    expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/b', 'patch Widget/status default/b'])
  })

  it('refuses to tear down what exists, unless that is allowed', async () => {
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    await sandbox.widget('a')
    await sandbox.ready('Ready', { name: 'a' })
    await sandbox.settled()
    const result = operator.replaceProject(await projectOf({ widget: simple('one') }, SELECTED))
    expect(result.kind).to.equal('refused')
    expect(JSON.stringify(result)).to.contain('1 existing resources').and.to.contain('default/a')
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('names three of many that it would tear down, and tears all down when that is allowed', async () => {
    const operator = sandbox.run(await projectOf({ widget: simple('one') }))
    const names = ['a', 'b', 'c', 'd']
    for (const name of names) await sandbox.widget(name)
    for (const name of names) await sandbox.ready('Ready', { name })
    await sandbox.settled()
    const narrower = await projectOf({ widget: simple('one') }, SELECTED)
    const result = operator.replaceProject(narrower)
    expect(JSON.stringify(result)).to.match(/tear down 4 existing resources \(\S+ \S+, \S+ \S+, \S+ \S+, …\)/)
    await sandbox.halt()
    const allowed = sandbox.run(await projectOf({ widget: simple('one') }), { allowTeardown: true })
    await sandbox.settled()
    expect(allowed.replaceProject(narrower).kind).to.equal('replaced')
    for (const name of names) {
      await sandbox.gone(CONFIG_MAP, name)
    }
  })

  it('counts before the start, and does nothing after the end', async () => {
    const { mapper, openApi } = sandbox.cluster.connection
    const project = await projectOf({ widget: simple('one') })
    const options = { project, mapper, openApi, client: sandbox.client, clock: systemClock, logger: nopLogger }
    const operator = new Operator({ ...options, namespace: 'default' })
    operator.replaceProject(await projectOf({ widget: simple('two') }))
    expect([...operator.resources()]).to.deep.equal([])
    await sandbox.widget('a')
    const stop = new AbortController()
    const running = operator.start(stop.signal)
    await sandbox.ready('Ready', { name: 'a' })
    expect((await sandbox.get(CONFIG_MAP, 'a'))?.data).to.deep.equal({ by: 'two' })
    stop.abort()
    await running
    expect(operator.replaceProject(project)).to.deep.equal({ kind: 'replaced' })
    await operator.idle()
    await new Operator({ ...options, namespace: 'default' }).start(stop.signal)
    expect((await sandbox.get(CONFIG_MAP, 'a'))?.data).to.deep.equal({ by: 'two' })
  })

  describe('refuses to leave resources that keep a finalizer', () => {
    const role = `tasks: [{name: Kept, retain: true, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept}}}]\n`
    const others = { gadget: 'tasks: [{name: Show, status: {seen: true}}]\n' }
    const gadgets = '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n'
    const watching = (more: string, kind = 'Widget'): string =>
      `- {group: example.com, version: v1, kind: ${kind}, role: widget, ${more}}\n`

    it('when their kind is not watched any more', async () => {
      const operator = sandbox.run(await projectOf({ widget: role }))
      await sandbox.widget('a')
      await sandbox.ready('Ready', { name: 'a' })
      expect(operator.replaceProject(await projectOf(others, gadgets))).to.deep.equal({
        kind: 'refused',
        reason:
          'the removal of all entries of Widget.example.com would tear down 1 existing resources (Widget default/a); --allow-teardown permits that',
      })
    })

    const cases: { name: string; next: string; refuses: boolean }[] = [
      { name: 'when their namespace is not watched any more', next: watching('namespaces: [other]'), refuses: true },
      { name: 'and none of a namespace that stays', next: watching('namespaces: [default]'), refuses: false },
      {
        name: 'and none when something else of the watch changes',
        next: watching('maxConcurrentReconciles: 2'),
        refuses: false,
      },
    ]
    for (const { name, next, refuses } of cases) {
      it(name, async () => {
        const operator = sandbox.run(await projectOf({ widget: role }))
        await sandbox.widget('a')
        await sandbox.ready('Ready', { name: 'a' })
        const { kind, ...rest } = operator.replaceProject(await projectOf({ widget: role }, next))
        expect(kind).to.equal(refuses ? 'refused' : 'replaced')
        if (refuses) expect(JSON.stringify(rest)).to.contain('the new namespaces would tear down 1 existing resources')
      })
    }

    it('and none of a kind that is in no namespace, whatever namespaces are given', async () => {
      const final = 'tasks: [{status: {a: b}}]\nfinalize: [{set: {a: b}}]\n'
      const operator = sandbox.run(await projectOf({ widget: final }, watching('namespaces: [default]', 'Gadget')))
      await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' }, spec: {} })
      await sandbox.ready('Ready', { gvk: GADGET, name: 'g' })
      expect((await sandbox.get(GADGET, 'g'))?.metadata.finalizers).to.deep.equal(['rolebook.dev/finalizer'])
      const next = await projectOf({ widget: final }, watching('namespaces: [other]', 'Gadget'))
      expect(operator.replaceProject(next)).to.deep.equal({ kind: 'replaced' })
    })
  })
})
