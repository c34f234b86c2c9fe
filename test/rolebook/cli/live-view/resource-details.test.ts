import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import type { RunTrace, TracedTask } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import { loadDetails } from '../../../../src/rolebook/cli/live-view/load-details.ts'

const REQUEST = { group: 'example.com', kind: 'Memcached', namespace: 'default', name: 'cache' }
const GVK = { group: 'example.com', version: 'v1', kind: 'Memcached' }
const LONG =
  'Deployment default/cache is not ready: 0 of 3 pods are ready, and the quota leaves no room for another one'
const RESOURCE: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Memcached',
  metadata: { name: 'cache', namespace: 'default', uid: 'u-1' },
  status: {
    conditions: [
      { type: 'Ready', status: 'False', reason: 'NotReady', message: LONG, lastTransitionTime: '2026-01-01T12:00:00Z' },
      { type: 'Stalled', status: 'False' },
      { type: 'Running', status: 'True' },
    ],
  },
}
const event = (message: string, changes: Partial<KubeObject>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: message, creationTimestamp: '2026-01-01T11:00:00Z' },
  type: 'Normal',
  reason: 'Changed',
  message,
  ...changes,
})
const EVENTS = [
  event('later\u001b[2J', { lastTimestamp: '2026-01-01T12:00:02Z', count: 3 }),
  event('at its creation', {}),
  event('between', { eventTime: '2026-01-01T12:00:01.000000Z' }),
]

function run(at: string, tasks: readonly TracedTask[]): RunTrace {
  const ending = { milliseconds: 3, uid: 'u-1', role: 'memcached', outcome: 'waiting', requests: {} } as const
  return { ...ending, at, woken: [{ kind: 'edited', fields: ['spec.size'] }], tasks }
}
const DEPLOYMENT = 'Deployment default/cache'
const CHANGE = run('2026-01-01T12:00:01Z', [
  {
    name: 'Deployment',
    outcome: 'changed',
    objects: [{ object: DEPLOYMENT, did: 'changed', fields: [{ field: 'spec.replicas', from: '2', to: '3' }] }],
  },
])
const REST = run('2026-01-01T12:00:02Z', [
  { name: 'Deployment', outcome: 'unchanged', objects: [{ object: DEPLOYMENT, did: 'unchanged' }] },
])

interface Known {
  /** Absent: no operator runs yet. */
  readonly runs?: readonly RunTrace[]
  readonly isGone?: boolean
  readonly color?: boolean
}

async function detailsWith({ runs, isGone = false, color = false }: Known = {}) {
  const lists: unknown[] = []
  const lines = await loadDetails(REQUEST, {
    client: {
      get: async () => (isGone ? undefined : RESOURCE),
      list: async (_gvk, options) => {
        lists.push(options)
        return { items: EVENTS, resourceVersion: '1' }
      },
    },
    mapper: { preferred: async () => GVK },
    history: runs && { of: () => ({ runs, skipped: 0 }) },
    color,
  })
  return { lines, lists, text: lines.join('\n') }
}

describe('the details of a resource', () => {
  it('have its conditions, whole', async () => {
    const { lines } = await detailsWith()
    expect(lines.slice(0, 5)).to.deep.equal([
      'CONDITIONS',
      '  Ready=False  NotReady  2026-01-01T12:00:00Z',
      `    ${LONG}`,
      '  Stalled=False',
      '  Running=True',
    ])
  })

  it('have the events of this very object, in their order', async () => {
    const { lines, lists } = await detailsWith()
    const at = lines.indexOf('EVENTS')
    expect(lines.slice(at + 1, at + 4)).to.deep.equal([
      '  2026-01-01T11:00:00Z  Normal  Changed  at its creation',
      '  2026-01-01T12:00:01.000000Z  Normal  Changed  between',
      '  2026-01-01T12:00:02Z  Normal  Changed  later [2J (3 times)',
    ])
    expect(lists).to.deep.equal([{ namespace: 'default', fieldSelector: 'involvedObject.uid=u-1' }])
  })

  it('have the last run with its tasks and objects, and the last one before it that changed something', async () => {
    const { text } = await detailsWith({ runs: [REST, CHANGE] })
    const [, last = '', change = ''] = /LAST RUN\n([\s\S]*)LAST CHANGE BEFORE IT\n([\s\S]*)EVENTS/.exec(text) ?? []
    expect(last).to.include(`as it should be: ${DEPLOYMENT}`).and.to.not.include('spec.replicas')
    expect(change).to.include('spec.replicas: 2 → 3')
    expect(text).to.not.include('EARLIER RUNS')
  })

  it('have a last run that changed something once', async () => {
    const { text } = await detailsWith({ runs: [CHANGE, REST] })
    expect(text).to.match(
      /LAST RUN\n[\s\S]*spec\.replicas: 2 → 3[\s\S]*EVENTS[\s\S]*EARLIER RUNS\n[\s\S]*as it should be/,
    )
    expect(text).to.not.include('LAST CHANGE')
  })

  it('have all runs before a last one that changed something in their order, with a free line between them', async () => {
    const last = { ...CHANGE, at: '2026-01-01T12:00:05Z' }
    const earlier = run('2026-01-01T11:59:00Z', [{ name: 'Service', outcome: 'unchanged' }])
    const { text } = await detailsWith({ runs: [last, REST, CHANGE, earlier] })
    const [, first = '', rest = ''] = /LAST RUN\n([\s\S]*)EVENTS[\s\S]*EARLIER RUNS\n([\s\S]*)/.exec(text) ?? []
    expect(text).to.not.include('LAST CHANGE')
    expect(first).to.include('2026-01-01T12:00:05Z')
    const times = rest.split(/\n\n/).map((one) => /\d\d:\d\d:\d\d/.exec(one)?.[0])
    expect(times).to.deep.equal(['11:59:00', '12:00:01', '12:00:02'])
  })

  it('paint what is as it should be in another colour than what is not', async () => {
    const { text } = await detailsWith({ color: true })
    expect(text).to.include('Ready=\u001b[33mFalse').and.to.include('Running=\u001b[32mTrue')
  })

  it('say when there is no run, or no resource', async () => {
    for (const runs of [undefined, []])
      expect((await detailsWith(runs && { runs })).text).to.include('LAST RUN\n  no run is remembered\n')
    expect((await detailsWith({ isGone: true })).lines).to.deep.equal(['The resource is gone.'])
  })
})
