import { expect } from 'chai'
import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { shareUnchanged } from '../../../../src/sandbox/apiserver/write/share-unchanged.ts'
import { configMap, Sandbox } from '../sandbox.ts'

describe('What states of objects have in common', () => {
  const cases: readonly { name: string; value: JsonValue; old: JsonValue; isOld: boolean }[] = [
    { name: 'equal objects', value: { a: [1, { b: 2 }] }, old: { a: [1, { b: 2 }] }, isOld: true },
    { name: 'another value', value: { a: 1 }, old: { a: 2 }, isOld: false },
    { name: 'one more field', value: { a: 1, b: 2 }, old: { a: 1 }, isOld: false },
    { name: 'one field less', value: { a: 1 }, old: { a: 1, b: 2 }, isOld: false },
    { name: 'fields in another order', value: { a: 1, b: 2 }, old: { b: 2, a: 1 }, isOld: false },
    { name: 'an inherited field', value: { toString: 1 }, old: { a: 1 }, isOld: false },
    { name: 'longer lists', value: [1, 2], old: [1], isOld: false },
    { name: 'another type', value: [], old: {}, isOld: false },
  ]
  for (const { name, value, old, isOld } of cases) {
    it(`is kept once, and the rest as it is: ${name}`, () => {
      const shared = shareUnchanged(value, old)
      expect(JSON.stringify(shared)).to.equal(JSON.stringify(value))
      expect(shared === old).to.equal(isOld)
    })
  }

  it('is kept once in objects that are created one after the other', () => {
    const { objects } = new Sandbox()
    const made = ['one', 'two'].map((name) => objects.create(withAnnotations(name), 'test'))
    const [one, two] = made as [KubeObject, KubeObject]
    expect(two.metadata.annotations).to.equal(one.metadata.annotations)
    expect(two.data).to.deep.equal({ name: 'two' })
    expect(one.data).to.deep.equal({ name: 'one' })
    expect(two.metadata.uid).not.to.equal(one.metadata.uid)
  })

  it('is kept once in objects that are updated one after the other, and what an update leaves alone stays the very part', () => {
    const { objects } = new Sandbox()
    const created = ['one', 'two'].map((name) => objects.create(withAnnotations(name), 'test'))
    const finalizers = ['example.com/wait']
    const updated = created.map((object) => {
      const copy: KubeObject = structuredClone(object)
      return objects.update({ ...copy, metadata: { ...copy.metadata, finalizers: [...finalizers] } }, 'test')
    })
    const [one, two] = updated as [KubeObject, KubeObject]
    expect(two.metadata.finalizers).to.deep.equal(finalizers)
    expect(two.metadata.finalizers).to.equal(one.metadata.finalizers)
    expect(two.data).to.equal(created[1]?.data)
    expect(one.data).to.equal(created[0]?.data)
  })

  it('leaves the labels of a Job without its own one map with those of its template', () => {
    const { objects } = new Sandbox()
    objects.create(jobOf('one', { metadata: { name: 'one', namespace: 'default', labels: { app: 'other' } } }), 'test')
    // One that cannot be read is the last that was sent, and not the last that was written.
    const metadata = { labels: { app: 'unread' } }
    expect(() =>
      objects.create(jobOf('unread', { spec: { parallelism: 'x', template: { metadata } } }), 'test'),
    ).to.throw()
    const { labels } = objects.create(jobOf('two'), 'test').metadata
    expect(labels).to.include({ app: 'web', 'batch.kubernetes.io/job-name': 'two' })
  })
})

function jobOf(name: string, fields: JsonObject = {}): KubeObject {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'web', image: 'web' }] }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec } },
    ...fields,
  } as KubeObject
}

function withAnnotations(name: string): KubeObject {
  const object = configMap(name, { data: { name } })
  return { ...object, metadata: { ...object.metadata, annotations: { 'example.com/origin': 'test' } } }
}
