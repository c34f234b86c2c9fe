import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { RunTrace, TracedTask } from '../../../src/engine/reconcile/trace/run-trace.ts'
import { deletionOf } from '../../../src/rolebook/dashboard/deletion.ts'
import { fightsIn } from '../../../src/rolebook/dashboard/fights.ts'
import { rowOf } from '../../../src/rolebook/dashboard/resource-row.ts'
import { rolloutOf } from '../../../src/rolebook/dashboard/rollouts.ts'

const SINCE = '2026-01-01T00:00:00Z'

function shop(ready: object, metadata: object = {}): KubeObject {
  const conditions = [{ type: 'Ready', status: 'False', ...ready }]
  const named = { name: 'web', namespace: 'default', uid: 'u', ...metadata }
  return { apiVersion: 'example.com/v1', kind: 'Shop', metadata: named, status: { conditions } }
}

function run(tasks: readonly TracedTask[], further: Partial<RunTrace> = {}): RunTrace {
  const common = { at: SINCE, milliseconds: 1, uid: 'u', role: 'shop', woken: [], requests: {} }
  return { ...common, outcome: 'failed', tasks, ...further }
}

function deployment({
  all,
  updated,
  ready,
  reason,
}: {
  all: number
  updated: number
  ready: number
  reason: string
}): KubeObject {
  const progressing = { type: 'Progressing', status: 'False', reason, message: 'it says why' }
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default', generation: 2 } },
    spec: { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } },
    status: {
      ...{ observedGeneration: 2, replicas: all, updatedReplicas: updated, readyReplicas: ready },
      conditions: [progressing],
    },
  }
}

const FAILED_JOB: KubeObject = {
  ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'backup', namespace: 'default' } },
  status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
}
const HALTED = deployment({ all: 3, updated: 1, ready: 2, reason: 'ProgressDeadlineExceeded' })
const FIGHT =
  'DriftFight: `data.a` of ConfigMap default/web keeps being changed by "rival": it is left alone for a while'
const correction = (by = 'rival'): TracedTask => {
  const object = { object: 'ConfigMap default/web', did: 'corrected', lost: ['data.a'], by } as const
  return { name: 'Settings', outcome: 'changed', objects: [object] }
}
const givenUp: TracedTask = { name: 'Settings', outcome: 'failed', why: [FIGHT] }

describe('the problems of a row', () => {
  const deleting = { deletionTimestamp: SINCE, finalizers: ['example.com/hold'] }
  const cases = [
    { name: 'a halted rollout', resource: shop({ reason: 'NotReady' }), objects: [HALTED], kinds: ['rollout'] },
    { name: 'a fight', resource: shop({ reason: 'Conflict' }), lastRun: run([givenUp]), kinds: ['fight'] },
    { name: 'a stuck deletion', resource: shop({ reason: 'Deleting' }, deleting), kinds: ['deletion'] },
    { name: 'a failure', resource: shop({ reason: 'Forbidden', message: 'no right' }), kinds: ['failure'] },
    { name: 'none while it waits', resource: shop({ reason: 'Waiting', message: 'for a Secret' }), kinds: [] },
    { name: 'none of one that is ready', resource: shop({ status: 'True', reason: 'Ready' }), kinds: [] },
    { name: 'a Job that failed', resource: shop({ reason: 'NotReady' }), objects: [FAILED_JOB], kinds: ['failure'] },
  ]
  for (const { name, resource, objects = [], lastRun, kinds } of cases) {
    it(`are ${name}`, () => {
      const { problems } = rowOf({ resource, role: 'shop', objects, lastRun })
      expect(problems.map(({ kind }) => kind)).to.deep.equal(kinds)
      for (const { message } of problems) expect(message).to.not.equal('')
    })
  }

  const problemOf = (ready: object, objects: readonly KubeObject[] = []): string | undefined =>
    rowOf({ resource: shop(ready), role: 'shop', objects, lastRun: undefined }).problems[0]?.message

  it('name the object that failed, and how', () =>
    expect(problemOf({ reason: 'NotReady' }, [FAILED_JOB])).to.equal('Job default/backup has failed: it has failed'))

  it('say nothing of a failure whose condition has no message', () =>
    expect(problemOf({ reason: 'Failed' })).to.equal(''))

  it('are cut where a message has more than 400 characters', () => {
    expect(problemOf({ reason: 'Failed', message: 'x'.repeat(400) })).to.equal('x'.repeat(400))
    expect(problemOf({ reason: 'Failed', message: 'x'.repeat(401) })).to.equal(`${'x'.repeat(399)}…`)
  })
})

describe('a rollout', () => {
  it('that is halted says how far it came, and which write began it', () => {
    const field = { field: 'spec.template.spec.containers[0].image', from: '"web:1"', to: '"web:2"' }
    const object = { object: 'Deployment default/web', did: 'changed', fields: [field] } as const
    const runs = [run([]), run([{ name: 'Pods', outcome: 'changed', objects: [object] }])]
    expect(rolloutOf(HALTED, runs)).to.deep.equal({
      object: 'Deployment default/web',
      state: 'halted',
      ...{ wanted: 2, updated: 1, ready: 0 },
      images: ['web:2'],
      message: 'its rollout exceeded the progress deadline: it says why',
      causedBy: { at: SINCE, fields: [field] },
    })
  })

  it('counts no ready pod of the old template', () => {
    const counts = { all: 3, updated: 2, ready: 2, reason: 'ReplicaSetUpdated' }
    expect(rolloutOf(deployment(counts), [])).to.include({ state: 'progressing', ready: 1 })
  })

  const containers = [{ name: 'agent', image: 'agent:2' }]
  const daemonSet = (status?: JsonObject): KubeObject => ({
    ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace: 'default' } },
    spec: { template: { spec: { containers } } },
    ...(status && { status }),
  })
  const workloads = [
    {
      name: 'of a DaemonSet wants a Pod on each node',
      workload: daemonSet({
        ...{ desiredNumberScheduled: 5, currentNumberScheduled: 5, updatedNumberScheduled: 3 },
        ...{ numberReady: 4, numberAvailable: 4 },
      }),
      counts: { wanted: 5, updated: 3, ready: 2 },
    },
    {
      name: 'has no Pod while its controller has not seen it',
      workload: daemonSet(),
      counts: { wanted: 1, updated: 0, ready: 0 },
    },
    {
      name: 'has no ready Pod while the server leaves out their number',
      workload: { ...HALTED, status: { observedGeneration: 2, replicas: 2, updatedReplicas: 2 } },
      counts: { wanted: 2, updated: 2, ready: 0 },
    },
  ]
  for (const { name, workload, counts } of workloads) {
    it(name, () => expect(rolloutOf(workload, [])).to.deep.include(counts))
  }
})

describe('fights over fields', () => {
  const cases = [
    { name: 'are none after one correction', runs: [run([correction()])], found: [] },
    { name: 'begin with the second correction', runs: [run([correction()]), run([correction()])], found: [[2, false]] },
    {
      name: 'are given up when a task says so',
      runs: [run([givenUp]), ...Array.from({ length: 5 }, () => run([correction()]))],
      found: [[5, true]],
    },
    { name: 'are known from the task alone', runs: [run([givenUp])], found: [[0, true]] },
  ]
  for (const { name, runs, found } of cases) {
    it(name, () => {
      const fights = fightsIn(runs, Date.parse(SINCE) + 1)
      expect(fights.map(({ corrections, isGivenUp }) => [corrections, isGivenUp])).to.deep.equal(found)
      for (const fight of fights) expect(fight).to.deep.include({ object: 'ConfigMap default/web', fields: ['data.a'] })
    })
  }
})

describe('a fight of which only the task knows', () => {
  const cases = [
    {
      name: 'is over a field of an object',
      why: '`spec.a` of Shop default/web keeps being changed by "rival": it is left alone for a while',
      found: { object: 'Shop default/web', fields: ['spec.a'] },
    },
    {
      name: 'is over a field of an object that is only patched',
      why: 'cannot keep `data["a.b"]` of ConfigMap default/web: another client keeps taking it back (it is left alone for a while)',
      found: { object: 'ConfigMap default/web', fields: ['data["a.b"]'] },
    },
    {
      name: 'is over an object that is deleted again and again',
      why: 'ConfigMap default/web keeps being deleted by another client: it is not made again for a while',
      found: { object: 'ConfigMap default/web', fields: [] },
    },
  ]
  for (const { name, why, found } of cases) {
    it(name, () => {
      const task: TracedTask = { name: 'Settings', outcome: 'failed', why: [`DriftFight: ${why}`] }
      const unknown = { by: '', corrections: 0, isGivenUp: true, message: why }
      expect(fightsIn([run([task])], Date.parse(SINCE))).to.deep.equal([{ ...found, ...unknown }])
    })
  }
})

describe('who fights', () => {
  const twice = (by?: string) => fightsIn([run([correction(by)]), run([correction(by)])], Date.parse(SINCE))[0]?.message

  it('is said', () => expect(twice()).to.equal('"rival" keeps changing data.a, and the operator puts it back'))

  it('is another client where nothing says which', () =>
    expect(twice('')).to.equal('another client keeps changing data.a, and the operator puts it back'))
})

describe('a fight that is over', () => {
  it('is forgotten ten minutes after the last correction', () => {
    const runs = [run([]), run([correction()]), run([correction()])]
    const found = (minutes: number) => fightsIn(runs, Date.parse(SINCE) + minutes * 60_000).length
    expect([found(9), found(11)]).to.deep.equal([1, 0])
  })
})

describe('the deletion of a resource', () => {
  const finalize = run([{ name: 'Backup', outcome: 'waiting', why: ['Job is not ready'] }], { list: 'finalize' })
  const held: KubeObject = {
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: { name: 'web', namespace: 'default', deletionTimestamp: SINCE, finalizers: ['example.com/hold'] },
  }
  const deleting = (...finalizers: readonly string[]) => shop({}, { deletionTimestamp: SINCE, finalizers })
  const cases = [
    { name: 'is none of one that stays', resource: shop({}), kinds: undefined },
    {
      name: 'waits for a finalize task',
      resource: deleting('rolebook.dev/finalizer'),
      lastRun: finalize,
      kinds: ['task', 'operator'],
    },
    {
      name: 'waits for an object',
      resource: deleting('rolebook.dev/finalizer'),
      objects: [held],
      kinds: ['object', 'operator'],
    },
    { name: 'waits for the finalizer of another controller', resource: deleting('other.io/x'), kinds: ['finalizer'] },
    {
      name: 'waits for no object that stays',
      resource: deleting('other.io/x'),
      objects: [HALTED],
      kinds: ['finalizer'],
    },
  ]
  for (const { name, resource, objects = [], lastRun, kinds } of cases) {
    it(name, () => {
      const deletion = deletionOf({ resource, objects, lastRun })
      expect(deletion?.blockers.map(({ kind }) => kind)).to.deep.equal(kinds)
    })
  }

  const said = [
    {
      name: 'says which finalizer keeps an object',
      objects: [held],
      message:
        'ConfigMap default/web is being deleted and still exists: the finalizer example.com/hold keeps it: the controller that set it has to remove it',
    },
    {
      name: 'says that an object without a finalizer is on its way',
      objects: [{ ...held, metadata: { ...held.metadata, finalizers: undefined } }],
      message: 'ConfigMap default/web is being deleted and still exists: the API server has not removed it yet',
    },
    {
      name: 'says what a finalize task waits for',
      lastRun: finalize,
      message: 'The finalize task "Backup" waits: Job is not ready',
    },
    {
      name: 'says why a finalize task fails',
      lastRun: run([{ name: 'Backup', outcome: 'failed', why: ['Forbidden: no right'] }], { list: 'finalize' }),
      message: 'The finalize task "Backup" fails: Forbidden: no right',
    },
  ]
  for (const { name, objects = [], lastRun, message } of said) {
    it(name, () => {
      const deletion = deletionOf({ resource: deleting('rolebook.dev/finalizer'), objects, lastRun })
      expect(deletion?.blockers[0]?.message).to.equal(message)
    })
  }
})
