import { expect } from 'chai'
import type { KubeObject, ObjectMeta } from '../../../../src/core/kube/object.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { WatchEntry } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { ResourceMemory } from '../../../../src/engine/reconcile/run/reconcile-context.ts'
import { contentHash, isPaused, periodOf } from '../../../../src/engine/reconcile/run/run-inputs.ts'

describe('ResourceMemory', () => {
  it('counts runs in a row that end alike', () => {
    const memory = new ResourceMemory('u')
    for (const end of ['waiting', 'waiting', 'terminal', 'terminal', 'terminal'] as const) memory.count(end)
    expect(memory.attempts).to.deep.equal({ waiting: 0, terminal: 3, retriable: 0 })
    memory.count(undefined)
    expect(memory.attempts).to.deep.equal({ waiting: 0, terminal: 0, retriable: 0 })
  })

  it('starts the backoff of a terminal failure anew when the reason is another one', () => {
    const memory = new ResourceMemory('u')
    const counts = (['Forbidden', 'Forbidden', 'Forbidden', 'Failed', 'Failed', 'Forbidden'] as const).map((reason) => {
      memory.countFailure({ retriable: false, reason })
      return memory.attempts.terminal
    })
    expect(counts).to.deep.equal([1, 2, 3, 1, 2, 1])
  })

  it('knows what was made, in the order of the last run', () => {
    const memory = new ResourceMemory('u')
    memory.recordMade(['a', 'b', 'c'])
    memory.recordMade(['d', 'b'])
    expect(memory.made).to.deep.equal(['d', 'b', 'a', 'c'])
  })
})

function resource(metadata: ObjectMeta, rest: Partial<KubeObject> = {}): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', ...rest, metadata: { name: 'w', uid: 'u', ...metadata } }
}

describe('The content of a resource', () => {
  const base = resource(
    { resourceVersion: '1', labels: { a: '1' }, annotations: { read: 'x', other: 'x' } },
    { spec: { size: 1 } },
  )
  const changes: { name: string; to: KubeObject; same: boolean }[] = [
    { name: 'status', to: { ...base, status: { a: 1 } }, same: true },
    {
      name: 'resourceVersion',
      to: resource({ ...base.metadata, resourceVersion: '2' }, { spec: { size: 1 } }),
      same: true,
    },
    {
      name: 'managedFields',
      to: resource({ ...base.metadata, managedFields: [{ manager: 'x' }] }, { spec: { size: 1 } }),
      same: true,
    },
    {
      name: 'our finalizer',
      to: resource({ ...base.metadata, finalizers: ['rolebook.dev/finalizer'] }, { spec: { size: 1 } }),
      same: true,
    },
    {
      name: 'an annotation that the role does not read',
      to: resource({ ...base.metadata, annotations: { read: 'x', other: 'y' } }, { spec: { size: 1 } }),
      same: true,
    },
    {
      name: 'an annotation that the role reads',
      to: resource({ ...base.metadata, annotations: { read: 'y', other: 'x' } }, { spec: { size: 1 } }),
      same: false,
    },
    {
      name: 'an annotation of ours',
      to: resource(
        { ...base.metadata, annotations: { ...base.metadata.annotations, 'rolebook.dev/reconcile-at': '1' } },
        { spec: { size: 1 } },
      ),
      same: false,
    },
    { name: 'a label', to: resource({ ...base.metadata, labels: { a: '2' } }, { spec: { size: 1 } }), same: false },
    {
      name: 'the finalizer of another',
      to: resource({ ...base.metadata, finalizers: ['x/y'] }, { spec: { size: 1 } }),
      same: false,
    },
    { name: 'the spec', to: { ...base, spec: { size: 2 } }, same: false },
  ]
  for (const { name, to, same } of changes) {
    it(`${same ? 'is not' : 'is'} ${name}`, () =>
      expect(contentHash(to, ['read']) === contentHash(base, ['read'])).to.equal(same))
  }

  it('has all annotations when the role may read any', () => {
    const other = resource({ ...base.metadata, annotations: { read: 'x', other: 'y' } }, { spec: { size: 1 } })
    expect(contentHash(other, 'all')).to.not.equal(contentHash(base, 'all'))
  })
})

describe('settings by annotation', () => {
  const GVK = { group: 'example.com', version: 'v1', kind: 'Widget' }
  const entry = { reconcilePeriod: 7 } as WatchEntry
  const periods: { name: string; text: string | undefined; expected: number }[] = [
    { name: 'none', text: undefined, expected: 7 },
    { name: 'a period', text: '5m', expected: 300_000 },
    { name: 'off', text: '0s', expected: 0 },
    { name: 'too short', text: '1ms', expected: 7 },
    { name: 'too long', text: '1000h', expected: 500 * 3_600_000 },
    { name: 'nonsense', text: 'often', expected: 7 },
  ]
  for (const { name, text, expected } of periods) {
    it(`reconcile-period: ${name}`, () => {
      const annotations = text === undefined ? {} : { 'rolebook.dev/reconcile-period': text }
      expect(periodOf({ entry, owner: ownerOf(resource({ annotations }), GVK) })).to.equal(expected)
    })
  }

  it('paused: only by the word true', () => {
    const paused = ['true', 'yes', ''].map((text) =>
      isPaused(resource({ annotations: { 'rolebook.dev/paused': text } })),
    )
    expect([...paused, isPaused(resource({}))]).to.deep.equal([true, false, false, false])
  })
})
