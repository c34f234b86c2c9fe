import { join } from 'node:path'
import { expect } from 'chai'
import { type Gvk, gvkOf } from '../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { contentOf } from '../../src/engine/reconcile/trace/run-tracer.ts'
import { connectToCluster } from '../sandbox/contract/server-under-test.ts'
import { KIND } from '../scenarios/cluster-driver.ts'
import { at, has, ready } from '../scenarios/objects.ts'
import { OwnProject, type Stage, THING, thing } from '../scenarios/own-project.ts'
import { ADOPTION_CASES } from '../support/adoption-cases.ts'
import { DEATHS, mortal } from '../support/mortal-client.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { KubectlSession } from './kubectl/kubectl-session.ts'

const EVENT: Gvk = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const NOTHING = 'tasks: [{set: {a: 1}}]'

/** Wants `a`, and `b` while the resource says so. */
const role = (adopt: string): string => `
tasks:
  - ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: it}
      data: {a: one, b: "\${spec.b}"}
    adopt: ${adopt}
`
const MANIFEST = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'it' },
  data: { a: 'one', b: 'two', c: 'three' },
})

describe('adoption of what others have made, on a real server', function () {
  this.timeout(300_000)
  const folder = temporaryFolder()
  let own: OwnProject
  let stage: Stage
  let session: KubectlSession
  let shells = 0
  before(async function () {
    own = await OwnProject.start(this)
  })
  beforeEach(async () => {
    stage = await own.play(NOTHING)
    const { namespace, kubeconfig, kubectl = 'kubectl' } = stage
    session = new KubectlSession({ folder: join(folder.path, `${++shells}`), kubectl, kubeconfig, namespace })
  })
  afterEach(() => own.halt())
  after(async () => {
    await own?.stop()
    folder.remove()
  })

  async function shell(run: string): Promise<void> {
    const { exitCode, stderr } = await session.run({ run })
    expect(exitCode, stderr.join('\n')).to.equal(0)
  }
  async function apply(object: string, flags = ''): Promise<void> {
    await shell(`kubectl apply ${flags} -f - <<'END'\n${object}\nEND`)
  }
  const map = async (): Promise<KubeObject> => (await stage.driver.read(KIND.configMap, 'it')) as KubeObject
  const data = async (): Promise<unknown> => (await map()).data
  const managers = (object: KubeObject): readonly string[] =>
    (object.metadata.managedFields ?? []).map(({ manager, operation }) => `${manager} ${operation}`)

  async function adopt(adoption: string): Promise<void> {
    await own.run(role(adoption), stage.namespace)
    await stage.driver.apply(thing('one', { b: 'two' }))
    await stage.driver.until(THING, 'one', ready)
    await own.settled()
  }
  async function dropB(): Promise<void> {
    await stage.driver.patch(THING, 'one', { spec: { b: null } })
    await stage.driver.until(THING, 'one', ready)
    await own.settled()
  }
  async function hear(reason: string): Promise<readonly unknown[]> {
    for (;;) {
      const { items } = await stage.client.list(EVENT, { namespace: stage.namespace })
      const events = items.filter((event) => event.reason === reason)
      if (events.length > 0) return events.map(({ note }) => note)
    }
  }

  const makers = [
    { name: 'kubectl apply', make: () => apply(MANIFEST), manager: 'kubectl-client-side-apply' },
    { name: 'kubectl apply --server-side', make: () => apply(MANIFEST, '--server-side'), manager: 'kubectl' },
    {
      name: 'kubectl create and kubectl edit',
      async make() {
        await shell('kubectl create configmap it --from-literal=a=one')
        await shell(`KUBE_EDITOR='sed -i "s/  a: one/  a: one\\n  b: two\\n  c: three/"' kubectl edit configmap it`)
        expect(await data()).to.deep.equal({ a: 'one', b: 'two', c: 'three' })
      },
      manager: 'kubectl-create", "kubectl-edit',
    },
    {
      name: 'an Ansible operator',
      async make() {
        const { send, close } = connectToCluster(stage.kubeconfig)
        const headers = { 'user-agent': 'OpenAPI-Generator/34.1.0/python', 'content-type': 'application/json' }
        const path = `/api/v1/namespaces/${stage.namespace}/configmaps`
        expect((await send({ method: 'POST', path, headers, body: MANIFEST })).status).to.equal(201)
        await close()
      },
      manager: 'OpenAPI-Generator',
    },
  ]
  for (const { name, make, manager } of makers) {
    const from = '{from: [kubectl, OpenAPI-Generator]}'
    it(`takes over what ${name} has set: what the role does not name goes, at once and later`, async () => {
      await make()
      await adopt(from)
      expect(await data()).to.deep.equal({ a: 'one', b: 'two' })
      const adopted = await map()
      expect(managers(adopted)).to.deep.equal(['rolebook Apply'])
      expect(JSON.stringify(adopted.metadata.annotations)).to.not.contain('last-applied-configuration')
      const [note] = await hear('Adopted')
      expect(note).to.contain(
        `adopted ConfigMap ${stage.namespace}/it with the fields of "${manager}", and changed data.c`,
      )
      await dropB()
      expect(await data()).to.deep.equal({ a: 'one' })
      await own.run(role(from), stage.namespace)
      expect(await own.settled(), 'after a restart').to.deep.equal({})
    })
  }

  it('names those who hold fields that were not taken over, and says that a dropped field stays', async () => {
    await apply(MANIFEST)
    await adopt('ifUnowned')
    expect((await hear('FieldsShared'))[0]).to.contain('"kubectl-client-side-apply" has data.a, data.b;')
    await dropB()
    expect(await data()).to.deep.equal({ a: 'one', b: 'two', c: 'three' })
    expect((await hear('FieldsKept'))[0]).to.contain('"kubectl-client-side-apply" has data.b (name')
    await own.reload(role('{from: [kubectl]}'))
    await stage.driver.until(KIND.configMap, 'it', has(['data'], { a: 'one' }))
    expect(managers(await map())).to.deep.equal(['rolebook Apply'])
  })

  it('leaves to a manager that is not named what it has set', async () => {
    await apply(MANIFEST)
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'it' }, data: { b: 'two', d: 'four' } }
    await apply(JSON.stringify(theirs), '--server-side --field-manager=other')
    await adopt('{from: [kubectl-client-side-apply]}')
    await dropB()
    expect(await data()).to.deep.equal({ a: 'one', b: 'two', d: 'four' })
    expect((await hear('FieldsKept'))[0]).to.contain('"other" has data.b (')
  })

  for (const [lastWrite, what] of [
    [1, 'patch that takes the fields over'],
    [2, 'apply after it'],
  ] as const) {
    for (const death of DEATHS) {
      it(`goes on where an operator died at the ${what}, ${death}`, async () => {
        await apply(MANIFEST)
        const { promise: died, resolve } = Promise.withResolvers<void>()
        await own.run(role('{from: [kubectl]}'), stage.namespace, (client) => {
          const dying = mortal(client, { lastWrite, death, isCounted: (name) => name === 'it' })
          dying.died.then(resolve)
          return dying.client
        })
        await stage.driver.apply(thing('one', { b: 'two' }))
        await died
        await adopt('{from: [kubectl]}')
        const { data: content, metadata } = await map()
        expect(content).to.deep.equal({ a: 'one', b: 'two' })
        expect(managers(await map())).to.deep.equal(['rolebook Apply'])
        expect(metadata.ownerReferences).to.have.length(1)
      })
    }
  }

  for (const { name, made, others, wanted } of ADOPTION_CASES) {
    it(`comes out as a dry run has said: ${name}`, async () => {
      await own.halt()
      const text = `tasks:\n  - {ensure: ${JSON.stringify(wanted)}, adopt: {from: [kubectl]}, readyWhen: true}\n`
      await apply(JSON.stringify(made))
      if (others) await apply(JSON.stringify(others), '--server-side --field-manager=other')
      await stage.driver.apply(thing('one'))
      const gvk = gvkOf(made)
      // Its controller writes it as well: a dry run in that moment would be refused.
      if (made.kind === 'Deployment') await stage.driver.until(gvk, 'it', has(['status', 'availableReplicas'], 3))
      const { resources } = await own.foresee(text, stage.namespace)
      const foreseen = resources.flatMap(({ objects }) => objects).find(({ now }) => now?.kind === gvk.kind)
      await own.run(text, stage.namespace)
      await stage.driver.until(THING, 'one', ready)
      await own.settled()
      const adopted = (await stage.driver.read(gvk, 'it')) as KubeObject
      expect(statedOf(foreseen?.now as KubeObject)).to.deep.equal(statedOf(adopted))
      const stated = Object.keys((wanted.spec ?? wanted.data ?? {}) as object)
      expect(Object.keys((at(adopted, 'spec') ?? at(adopted, 'data') ?? {}) as object)).to.include.members(stated)
    })
  }
})

/** The content of an object without what its controller notes in it. */
function statedOf(object: KubeObject): unknown {
  const { 'deployment.kubernetes.io/revision': _revision, ...annotations } = object.metadata.annotations ?? {}
  return contentOf({ ...object, metadata: { ...object.metadata, annotations } })
}
