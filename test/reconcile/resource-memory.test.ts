import { expect } from 'chai'
import type { KubeObject, ObjectMeta } from '../../src/kube/object.ts'
import { ownerOf } from '../../src/reconcile/marks.ts'
import { contentHash } from '../../src/reconcile/resource-content.ts'
import { ResourceMemory } from '../../src/reconcile/resource-memory.ts'
import { isPaused, periodOf } from '../../src/reconcile/resource-settings.ts'
import type { WatchEntry } from '../../src/reconcile/watch-entry.ts'
import type { RunOutcome } from '../../src/role/task-outcome.ts'

const waiting = (task: string, timeout?: number): RunOutcome => ({
  complete: false,
  tasks: [],
  stoppedBy: { task, outcome: { kind: 'waiting', reason: 'r', timeout } },
})
const COMPLETE: RunOutcome = { complete: true, tasks: [] }

describe('ResourceMemory', () => {
  it('counts runs in a row that end alike', () => {
    const memory = new ResourceMemory('u')
    for (const end of ['waiting', 'waiting', 'terminal', 'terminal', 'terminal'] as const) memory.count(end)
    expect(memory.attempts).to.deep.equal({ waiting: 0, terminal: 3, retriable: 0 })
    memory.count(undefined)
    expect(memory.attempts).to.deep.equal({ waiting: 0, terminal: 0, retriable: 0 })
  })

  const steps: {
    name: string
    runs: [outcome: RunOutcome, generation: number, now: number][]
    expected: (number | string | undefined)[]
  }[] = [
    { name: 'no limit', runs: [[waiting('a'), 1, 0]], expected: [undefined] },
    {
      name: 'time runs',
      runs: [
        [waiting('a', 100), 1, 0],
        [waiting('a', 100), 1, 60],
      ],
      expected: [100, 40],
    },
    {
      name: 'time is up',
      runs: [
        [waiting('a', 100), 1, 0],
        [waiting('a', 100), 1, 100],
        [waiting('a', 100), 1, 150],
      ],
      expected: [100, 'failed', 'failed'],
    },
    {
      name: 'a new generation begins anew',
      runs: [
        [waiting('a', 100), 1, 0],
        [waiting('a', 100), 2, 90],
      ],
      expected: [100, 100],
    },
    {
      name: 'another task begins anew',
      runs: [
        [waiting('a', 100), 1, 0],
        [waiting('b', 100), 1, 90],
      ],
      expected: [100, 100],
    },
    {
      name: 'a wait that was over begins anew',
      runs: [
        [waiting('a', 100), 1, 0],
        [COMPLETE, 1, 50],
        [waiting('a', 100), 1, 90],
      ],
      expected: [100, undefined, 100],
    },
  ]
  for (const { name, runs, expected } of steps) {
    it(`limits a wait: ${name}`, () => {
      const memory = new ResourceMemory('u')
      const seen = runs.map(([outcome, generation, now]) => {
        const judged = memory.judgeWait(outcome, generation, now)
        return judged.outcome.stoppedBy?.outcome.kind === 'failed' ? 'failed' : judged.deadline
      })
      expect(seen).to.deep.equal(expected)
    })
  }
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
      name: 'an annotation that nobody reads',
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

describe('Settings by annotation', () => {
  const GVK = { group: 'example.com', version: 'v1', kind: 'Widget' }
  const entry = { reconcilePeriod: 7 } as WatchEntry
  const periods: { name: string; text: string | undefined; expected: number }[] = [
    { name: 'none', text: undefined, expected: 7 },
    { name: 'a period', text: '5m', expected: 300_000 },
    { name: 'off', text: '0s', expected: 0 },
    { name: 'too short', text: '1ms', expected: 7 },
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
