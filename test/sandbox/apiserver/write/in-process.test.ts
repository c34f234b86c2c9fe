import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { ApiError, isAlreadyExists, isConflict, isInvalid } from '../../../../src/core/kube/api-error.ts'
import type { ObjectEvent } from '../../../../src/sandbox/apiserver/object-api.ts'
import { CONFIG_MAP, configMap, Sandbox, settle } from '../sandbox.ts'

describe('Writes in process', () => {
  const clock = new FakeClock()
  let objects: Sandbox['objects']
  beforeEach(() => {
    objects = new Sandbox({ clock }).objects
  })

  it('are refused as requests are', () => {
    const created = objects.create(configMap('a'), 'test')
    expect(isAlreadyExists(errorOf(() => objects.create(configMap('a'), 'test')))).to.equal(true)
    expect(isInvalid(errorOf(() => objects.create(configMap('A'), 'test')))).to.equal(true)
    objects.update({ ...created, data: { x: '1' } }, 'test')
    expect(isConflict(errorOf(() => objects.update({ ...created, data: { x: '2' } }, 'test')))).to.equal(true)
    const foreign = { ...created, metadata: { ...created.metadata, uid: 'other', resourceVersion: undefined } }
    expect(isConflict(errorOf(() => objects.update(foreign, 'test')))).to.equal(true)
  })

  it('that change nothing leave everything as it was, and send no event', async () => {
    const created = objects.create(configMap('a', { data: { x: '1' } }), 'test')
    const events: ObjectEvent[] = []
    objects.subscribe(CONFIG_MAP, (event) => events.push(event))
    await clock.advance(5000)
    expect(objects.update(created, 'test')).to.deep.equal(created)
    expect(objects.update(configMap('a', { data: { x: '1' } }), 'test')).to.deep.equal(created)
    expect(events).to.deep.equal([])
  })

  it('show subscribers the object before and after', () => {
    const events: ObjectEvent[] = []
    const stop = objects.subscribe(CONFIG_MAP, (event) => events.push(event))
    const created = objects.create(configMap('a'), 'test')
    const updated = objects.update({ ...created, data: { x: '1' } }, 'test')
    objects.delete(CONFIG_MAP, { namespace: 'default', name: 'a' })
    objects.delete(CONFIG_MAP, { namespace: 'default', name: 'a' })
    expect(events.map(({ type, old }) => [type, old?.metadata.resourceVersion])).to.deep.equal([
      ['ADDED', undefined],
      ['MODIFIED', created.metadata.resourceVersion],
      ['DELETED', updated.metadata.resourceVersion],
    ])
    stop()
    objects.create(configMap('b'), 'test')
    expect(events).to.have.length(3)
  })

  it('delete only what has the uid that is asked for', () => {
    objects.create(configMap('a'), 'test')
    const key = { namespace: 'default', name: 'a' }
    expect(isConflict(errorOf(() => objects.delete(CONFIG_MAP, key, { uid: 'other' })))).to.equal(true)
    expect(objects.get(CONFIG_MAP, key)).to.not.equal(undefined)
  })

  it('keep an object whose reference names its owner in a version that is not served', async () => {
    const owner = objects.create(configMap('owner'), 'test')
    const { uid = '' } = owner.metadata
    const ownerReferences = [{ apiVersion: 'v9', kind: 'ConfigMap', name: 'owner', uid }]
    objects.create(configMap('owned', { metadata: { ownerReferences } }), 'test')
    await settle()
    expect(objects.get(CONFIG_MAP, { namespace: 'default', name: 'owned' })).to.not.equal(undefined)
  })

  it('make up names that are free', () => {
    const names = new Set<string | undefined>()
    for (let index = 0; index < 50; index++) {
      const created = objects.create(configMap('', { metadata: { name: undefined, generateName: 'gen-' } }), 'test')
      expect(created.metadata.name).to.match(/^gen-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      names.add(created.metadata.name)
    }
    expect(names.size).to.equal(50)
  })

  it('that are tried out show what would become of an object that is there, and leave it', () => {
    const created = objects.create(configMap('a', { data: { x: '1' } }), 'test')
    const { object, warnings } = objects.tryOut(configMap('a', { data: { y: '2' } }), 'trial')
    expect([object.data, object.metadata.uid, warnings]).to.deep.equal([{ x: '1', y: '2' }, created.metadata.uid, []])
    expect(objects.get(CONFIG_MAP, { namespace: 'default', name: 'a' })).to.deep.equal(created)
  })

  it('find objects by namespace and labels', () => {
    objects.create(configMap('a', { metadata: { labels: { x: '1' } } }), 'test')
    objects.create(configMap('b'), 'test')
    const found = objects.list(CONFIG_MAP, { namespace: 'default', labels: ({ x }) => x === '1' })
    expect(found.map(({ metadata }) => metadata.name)).to.deep.equal(['a'])
  })

  it('go to one table whichever version names the kind', () => {
    const hpa = {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h', namespace: 'default' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
      },
    }
    objects.create(hpa, 'test')
    const gvk = { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' }
    const second = objects.get(gvk, { namespace: 'default', name: 'h' })
    expect(second?.spec).to.have.nested.property('metrics[0].resource.target.averageUtilization', 50)
    const first = objects.get({ ...gvk, version: 'v1' }, { namespace: 'default', name: 'h' })
    expect(first?.spec).to.include({ targetCPUUtilizationPercentage: 50, maxReplicas: 3, minReplicas: 1 })
    const status = { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 40 }
    objects.update({ ...(first ?? hpa), status }, 'test', 'status')
    expect(objects.get(gvk, { namespace: 'default', name: 'h' })?.status).to.have.nested.property(
      'currentMetrics[0].resource.current.averageUtilization',
      40,
    )
  })
})

function errorOf(work: () => unknown): ApiError {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
