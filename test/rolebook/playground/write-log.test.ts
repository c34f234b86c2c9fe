import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { WriteView } from '../../../src/rolebook/playground/protocol.ts'
import { WriteLog } from '../../../src/rolebook/playground/write-log.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'

const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }

function object(kind: string, name: string, fields: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'default' }, ...fields }
}

describe('the writes that a person sees', () => {
  const clock = new FakeClock()
  const log = new WriteLog(clock)
  let cluster: SandboxCluster
  before(async () => {
    cluster = await SandboxCluster.start({ clock, logger: nopLogger, tls: false })
    cluster.objects.subscribe(undefined, (event) => log.changed(event))
  })
  beforeEach(() => log.take())
  after(() => cluster.stop())

  /** `created ConfigMap default/a by kubectl`. */
  const print = ({ verb, object, by }: WriteView): string => {
    const { kind, namespace, name } = object
    return `${verb} ${kind} ${namespace === '' ? name : `${namespace}/${name}`}${by === '' ? '' : ` by ${by}`}`
  }
  const fieldsAfter = (write: () => unknown): WriteView['fields'] => {
    log.take()
    write()
    return log.take().flatMap(({ fields }) => fields)
  }

  it('name the object and who wrote it', () => {
    const { objects } = cluster
    objects.create(object('ConfigMap', 'a', { data: { a: '1' } }), 'kubectl')
    objects.update(object('ConfigMap', 'a', { data: { a: '1', b: '2' } }), 'editor')
    objects.delete(CONFIG_MAP, { namespace: 'default', name: 'a' })
    expect(log.take().map(print)).to.deep.equal([
      'created ConfigMap default/a by kubectl',
      'changed ConfigMap default/a by editor',
      'deleted ConfigMap default/a',
    ])
  })

  const update = (written: KubeObject): KubeObject => cluster.objects.update(written, 'editor')
  const apply = (written: KubeObject): KubeObject => cluster.objects.apply(written, 'rolebook')
  const taken = [
    { name: 'updates the object within the second', id: 'one', later: 0, write: update, by: 'editor' },
    { name: 'applies it within the second', id: 'two', later: 0, write: apply, by: 'rolebook' },
    { name: 'applies it later', id: 'three', later: 2_000, write: apply, by: 'rolebook' },
  ]
  for (const { name, id, later, write, by } of taken) {
    it(`name who takes one of the fields of another manager, and ${name}`, async () => {
      cluster.objects.create(object('ConfigMap', id, { data: { a: '1', b: '1' } }), 'kubectl')
      await clock.advance(later)
      log.take()
      write(object('ConfigMap', id, { data: { a: '2', b: '1' } }))
      expect(log.take().map(print)).to.deep.equal([`changed ConfigMap default/${id} by ${by}`])
    })
  }

  it('name who drops a field within the second in which it was written', () => {
    cluster.objects.apply(object('ConfigMap', 'dropped', { data: { a: '1', b: '1' } }), 'rolebook')
    log.take()
    cluster.objects.apply(object('ConfigMap', 'dropped', { data: { a: '1' } }), 'rolebook')
    expect(log.take().map(print)).to.deep.equal(['changed ConfigMap default/dropped by rolebook'])
  })

  it('are not what each namespace has', async () => {
    cluster.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-a' } }, 'kubectl')
    await clock.advance(1_000)
    const made = cluster.objects.list({ group: '', version: 'v1', kind: 'ServiceAccount' }, { namespace: 'team-a' })
    expect(made.map(({ metadata }) => metadata.name)).to.deep.equal(['default'])
    expect(log.take().map(print)).to.deep.equal(['created Namespace team-a by kubectl'])
  })

  it('are not those that only change who owns a field', () => {
    const text = object('ConfigMap', 'b', { data: { a: '1' } })
    cluster.objects.create(text, 'kubectl')
    log.take()
    cluster.objects.apply(text, 'other')
    expect(log.take()).to.deep.equal([])
  })

  it('name no writer where a write has removed all of them', () => {
    cluster.objects.create(object('ConfigMap', 'c', { data: { a: '1' } }), 'kubectl')
    log.take()
    const written = object('ConfigMap', 'c', { data: { a: '2' } })
    cluster.objects.update({ ...written, metadata: { ...written.metadata, managedFields: [{}] } }, 'kubectl')
    expect(log.take().map(print)).to.deep.equal(['changed ConfigMap default/c'])
  })

  it('show no value of a Secret, and the rest of it', () => {
    const secret = (data: object, labels = {}): KubeObject => {
      const plain = object('Secret', 'token', { data })
      return { ...plain, metadata: { ...plain.metadata, labels } }
    }
    cluster.objects.create(secret({ a: 'b25l', gone: 'b25l' }), 'kubectl')
    const fields = fieldsAfter(() =>
      cluster.objects.update(secret({ a: 'dHdv', b: 'dHdv' }, { app: 'web' }), 'kubectl'),
    )
    expect(fields.map(({ field, from, to }) => [field, from, to])).to.have.deep.members([
      ['data.a', '•••', '•••'],
      ['data.b', undefined, '•••'],
      ['data.gone', '•••', undefined],
      ['metadata.labels', undefined, '{"app":"web"}'],
    ])
  })
})
