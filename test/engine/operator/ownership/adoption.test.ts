import { expect } from 'chai'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import type { Project } from '../../../../src/engine/operator/project.ts'
import { long } from '../../../support/long-tests.ts'
import { DEATHS, type Death, mortal } from '../../../support/mortal-client.ts'
import { CONFIG_MAP, DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const EVENT: Gvk = { group: '', version: 'v1', kind: 'Event' }
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** Wants `a`, and `b` while the resource says so. */
const role = (adopt: string): string => `
tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: settings }
      data: { a: one, b: "\${spec.b}" }
    adopt: ${adopt}
`
const project = (adopt: string): Promise<Project> => projectOf({ widget: role(adopt) })

/** As others have made it: with a field that the role wants, one that it drops later, and one that it never names. */
const settings = (annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default', annotations },
  data: { a: 'one', b: 'two', c: 'three' },
})
const copied = settings({ [LAST_APPLIED]: '{}' })

describe('adoption of an object that others have made', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const read = async (gvk = CONFIG_MAP, name = 'settings'): Promise<KubeObject> =>
    (await sandbox.get(gvk, name)) as KubeObject
  const data = async (): Promise<unknown> => (await read()).data
  const managers = async (): Promise<readonly (string | undefined)[]> =>
    entriesOf(await read()).map(({ manager, operation }) => `${manager} ${operation}`)
  const adopt = async (given: Project): Promise<void> => {
    sandbox.run(given)
    await sandbox.widget('w', { b: 'two' })
    await sandbox.ready('Ready')
    await sandbox.settled()
  }
  const dropB = async (): Promise<void> => {
    const { metadata } = await sandbox.widget('w', { b: null })
    await sandbox.ready('Ready', { generation: metadata.generation ?? 0 })
    await sandbox.settled()
  }
  const eventsOf = async (reason: string): Promise<readonly unknown[]> => {
    const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
    return items.filter((event) => event.reason === reason).map(({ type, message }) => `${type} ${message}`)
  }
  const hear = async (reason: string): Promise<readonly unknown[]> =>
    sandbox.until(
      () => eventsOf(reason),
      (events) => events.length > 0,
    )

  const makers = [
    { name: 'kubectl apply', manager: 'kubectl-client-side-apply', from: 'kubectl', operation: 'Update' },
    { name: 'kubectl create', manager: 'kubectl-create', from: 'kubectl-create', operation: 'Update' },
    { name: 'an operator', manager: 'my-operator', from: 'my-operator', operation: 'Update' },
    { name: 'a server-side apply', manager: 'argocd-controller', from: 'argocd-controller', operation: 'Apply' },
  ]
  for (const { name, manager, from, operation } of makers) {
    it(`takes over what ${name} has set, and removes what the role does not set, at once and later`, async () => {
      if (operation === 'Apply') await sandbox.apply(copied, manager)
      else await sandbox.client.create(copied, { fieldManager: manager })
      await adopt(await project(`{from: [helm, ${from}]}`))
      expect(await data()).to.deep.equal({ a: 'one', b: 'two' })
      expect((await read()).metadata.annotations).to.not.have.property(LAST_APPLIED)
      expect(await managers()).to.deep.equal(['rolebook Apply'])
      await dropB()
      expect(await data()).to.deep.equal({ a: 'one' })
      expect(await eventsOf('FieldsShared')).to.deep.equal([])
      expect(await eventsOf('FieldsKept')).to.deep.equal([])
      expect(await hear('Adopted')).to.deep.equal([
        `Normal adopted ConfigMap default/settings with the fields of "${manager}", and changed data.c, metadata.annotations, metadata.ownerReferences`,
      ])
    })
  }

  it('writes twice, and nothing at rest or after a restart', async () => {
    await sandbox.client.create(settings(), { fieldManager: 'kubectl-create' })
    const given = await project('{from: [kubectl]}')
    sandbox.run(given)
    await sandbox.widget('w', { b: 'two' })
    await sandbox.ready('Ready')
    const adoption = ['patch ConfigMap default/settings', 'apply ConfigMap default/settings']
    expect(await sandbox.settled()).to.deep.equal([...adoption, 'patch Widget/status default/w'])
    await sandbox.restart(given)
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('leaves what a manager that is not named has set, and says so when the role drops it', async () => {
    await sandbox.client.create(settings(), { fieldManager: 'kubectl-create' })
    await sandbox.apply({ ...settings(), data: { b: 'two', d: 'four' } })
    await adopt(await project('{from: [kubectl]}'))
    expect(await data(), 'adopted').to.deep.equal({ a: 'one', b: 'two', d: 'four' })
    expect(await managers()).to.deep.equal(['person Apply', 'rolebook Apply'])
    await dropB()
    expect(await data(), 'dropped').to.deep.equal({ a: 'one', b: 'two', d: 'four' })
    const [kept] = await hear('FieldsKept')
    expect(kept).to.contain('"person" has data.b (')
  })

  it('leaves what the named manager sets afterwards', async () => {
    await sandbox.client.create(settings(), { fieldManager: 'kubectl-create' })
    await adopt(await project('{from: [kubectl, person]}'))
    await sandbox.edit(CONFIG_MAP, 'settings', { data: { d: 'four' } })
    await dropB()
    expect(await data()).to.deep.equal({ a: 'one', d: 'four' })
  })

  it('says who holds fields that it has not taken over, once, and that a dropped one stays', async () => {
    await sandbox.client.create(settings(), { fieldManager: 'kubectl-create' })
    await adopt(await project('ifUnowned'))
    expect(await hear('FieldsShared')).to.deep.equal([
      'Normal others hold fields of ConfigMap default/settings as well: "kubectl-create" has data.a, data.b; such a field stays when the role drops it (name the manager in `adopt.from` to take its fields over)',
    ])
    await dropB()
    expect(await data()).to.deep.equal({ a: 'one', b: 'two', c: 'three' })
    expect(await hear('FieldsKept')).to.deep.equal([
      'Warning cannot remove fields of ConfigMap default/settings that the role no longer sets: "kubectl-create" has data.b (name the manager in `adopt.from`, or remove the fields by hand)',
    ])
    const done = sandbox.runs.flatMap(({ trace }) => trace?.tasks ?? []).flatMap(({ objects = [] }) => objects)
    const by = 'kubectl-create'
    expect(done.flatMap(({ did, shared, kept }) => (shared || kept ? [{ did, shared, kept }] : []))).to.deep.equal([
      { did: 'adopted', shared: [{ by, fields: ['data.a', 'data.b'] }], kept: undefined },
      { did: 'changed', shared: undefined, kept: [{ by, fields: ['data.b'] }] },
    ])
    await sandbox.restart(await project('ifUnowned'))
    await sandbox.settled()
    expect([...(await eventsOf('FieldsShared')), ...(await eventsOf('FieldsKept'))]).to.have.length(2)
  })

  it('takes over the fields of an object that it adopted without them, once the role names their manager', async () => {
    await sandbox.client.create(copied, { fieldManager: 'kubectl-client-side-apply' })
    await adopt(await project('ifUnowned'))
    await dropB()
    expect(await data()).to.deep.equal({ a: 'one', b: 'two', c: 'three' })
    await sandbox.halt()
    sandbox.run(await project('{from: [kubectl]}'))
    await sandbox.until(managers, (names) => names.length === 1)
    await sandbox.settled()
    expect(await data()).to.deep.equal({ a: 'one' })
    const runs = sandbox.runs.length
    sandbox.operator?.replaceProject(await project('ifUnowned'))
    await sandbox.until(
      async () => sandbox.runs.length,
      (count) => count > runs,
    )
    expect(await sandbox.settled(), 'the note goes').to.deep.equal(['apply ConfigMap default/settings'])
    expect(JSON.stringify((await read()).metadata.annotations)).to.not.contain('adopt-from')
  })

  it('takes over what another role has let go of', async () => {
    const retained = await projectOf({ widget: role('never').replace('adopt: never', 'retain: true') })
    sandbox.run(retained)
    await sandbox.widget('first', { b: 'two' })
    await sandbox.ready('Ready', { name: 'first' })
    await sandbox.remove(WIDGET, 'first')
    await sandbox.gone(WIDGET, 'first')
    expect(await data()).to.deep.equal({ a: 'one', b: 'two' })
    await sandbox.halt()
    sandbox.run(await project('ifUnowned'))
    await sandbox.widget('w', {})
    await sandbox.ready('Ready')
    expect(await data()).to.deep.equal({ a: 'one' })
  })

  it('is not misled by the marks on a copy', async () => {
    const given = await project('{from: [kubectl]}')
    await adopt(given)
    const { metadata, data: content } = await read()
    await sandbox.halt()
    await sandbox.remove(CONFIG_MAP, 'settings')
    await sandbox.gone(CONFIG_MAP, 'settings')
    const { labels, annotations } = metadata
    const copy = { ...settings(), metadata: { ...settings().metadata, labels, annotations } }
    await sandbox.client.create(
      { ...copy, data: { ...(content as object), c: 'x' } },
      { fieldManager: 'kubectl-create' },
    )
    sandbox.run(given)
    await sandbox.until(managers, (names) => names.length === 1)
    await sandbox.settled()
    expect(await data()).to.deep.equal({ a: 'one', b: 'two' })
  })

  it('touches nothing of an object that has a controller', async () => {
    const { uid = '' } = (await sandbox.apply({ ...settings(), metadata: { name: 'controller' } })).metadata
    const controller = { apiVersion: 'v1', kind: 'ConfigMap', name: 'controller', uid, controller: true }
    const theirs = { ...settings(), metadata: { ...settings().metadata, ownerReferences: [controller] } }
    const { metadata } = await sandbox.client.create(theirs, { fieldManager: 'kubectl-create' })
    sandbox.run(await project('{from: [kubectl]}'))
    await sandbox.widget('w', {})
    await sandbox.ready('Conflict')
    expect((await read()).metadata.resourceVersion).to.equal(metadata.resourceVersion)
  })

  it('begins anew when the object changes between the look and the patch', async () => {
    await sandbox.client.create(settings(), { fieldManager: 'kubectl-create' })
    const client = changingBeforePatch(sandbox)
    sandbox.run(await project('{from: [kubectl]}'), { client })
    await sandbox.widget('w', { b: 'two' })
    await sandbox.ready('Ready')
    expect(await data()).to.deep.equal({ a: 'one', b: 'two', d: 'four' })
    expect(await managers()).to.deep.equal(['rolebook Apply', 'person Update'])
  })

  it('leaves finalizers and subresources to those who wrote them, and sets handed-over fields that have no owner', async () => {
    const labels = { app: 'web' }
    const spec = { selector: { matchLabels: labels }, template: podTemplate(labels) }
    const web = { apiVersion: 'apps/v1', kind: 'Deployment' }
    const metadata = { name: 'web', namespace: 'default', finalizers: ['example.com/theirs'] }
    await sandbox.client.create(
      { ...web, metadata, spec: { ...spec, replicas: 3 } },
      { fieldManager: 'kubectl-create' },
    )
    await sandbox.client.patch(
      DEPLOYMENT,
      { namespace: 'default', name: 'web' },
      { type: 'merge', body: { status: { observedGeneration: 1 } } },
      { fieldManager: 'kubectl-status', subresource: 'status' },
    )
    const before = entriesOf(await read(DEPLOYMENT, 'web')).filter(({ subresource }) => subresource === 'status')
    const ensure = JSON.stringify({ ...web, metadata: { name: 'web' }, spec: { ...spec, replicas: 2 } })
    const task = `{ensure: ${ensure}, adopt: {from: [kubectl]}, handOver: [spec.replicas], readyWhen: true}`
    sandbox.run(await projectOf({ widget: `tasks:\n  - ${task}\n` }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const after = await read(DEPLOYMENT, 'web')
    expect(after.metadata.finalizers).to.deep.equal(['example.com/theirs'])
    expect((after.spec as { replicas: number }).replicas).to.equal(2)
    const [first, ...rest] = entriesOf(after).filter(({ manager }) => manager !== 'rolebook')
    expect([first?.manager, first?.fieldsV1]).to.deep.equal([
      'kubectl-create',
      { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"example.com/theirs"': {} } } },
    ])
    expect(rest).to.deep.equal(before)
  })

  for (const death of DEATHS) {
    long.it(`ends in the same object when the operator dies at any write, ${death}`, async function () {
      this.timeout(60_000)
      const given = await project('{from: [kubectl]}')
      let survived = false
      for (let write = 1; !survived; write++) survived = await adoptAndDie(given, write, death)
    })
  }
})

/** True: the first life had no such write. */
async function adoptAndDie(given: Project, lastWrite: number, death: Death): Promise<boolean> {
  const sandbox = await OperatorSandbox.start({ workloads: false })
  try {
    await sandbox.client.create(copied, { fieldManager: 'kubectl-client-side-apply' })
    const { client, isDead } = mortal(sandbox.client, { lastWrite, death })
    sandbox.run(given, { client })
    await sandbox.widget('w', { b: 'two' })
    const isOver = async (): Promise<boolean> => isDead() || (await sandbox.condition('Ready'))?.status === 'True'
    await sandbox.until(isOver, (over) => over)
    await sandbox.halt()
    sandbox.run(given)
    await sandbox.ready('Ready')
    await sandbox.settled()
    const { metadata, data } = (await sandbox.get(CONFIG_MAP, 'settings')) as KubeObject
    expect(data).to.deep.equal({ a: 'one', b: 'two' })
    expect(metadata.managedFields?.map(({ manager, operation }) => [manager, operation])).to.deep.equal([
      ['rolebook', 'Apply'],
    ])
    expect(metadata.ownerReferences).to.have.length(1)
    return !isDead()
  } finally {
    await sandbox.stop()
  }
}

/** A client whose first patch of a ConfigMap comes too late: another client has changed it. */
function changingBeforePatch(sandbox: OperatorSandbox): KubeClient {
  let isFirst = true
  return {
    ...sandbox.client,
    get: (...args) => sandbox.client.get(...args),
    list: (...args) => sandbox.client.list(...args),
    watch: (...args) => sandbox.client.watch(...args),
    create: (...args) => sandbox.client.create(...args),
    apply: (...args) => sandbox.client.apply(...args),
    delete: (...args) => sandbox.client.delete(...args),
    async patch(gvk, key, ...rest) {
      if (key.name === 'settings' && isFirst) {
        isFirst = false
        await sandbox.edit(CONFIG_MAP, key.name, { data: { d: 'four' } })
      }
      return sandbox.client.patch(gvk, key, ...rest)
    },
  }
}

function entriesOf({ metadata }: KubeObject): readonly ManagedFieldsEntry[] {
  return metadata.managedFields ?? []
}

function podTemplate(labels: Record<string, string>) {
  return { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } }
}
