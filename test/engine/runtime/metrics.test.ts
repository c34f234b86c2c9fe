import { expect } from 'chai'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { counting } from '../../../src/engine/runtime/counting-client.ts'
import { METRICS, type MetricDefinition } from '../../../src/engine/runtime/metric-table.ts'
import { type MetricSource, Metrics } from '../../../src/engine/runtime/metrics.ts'

const NO_DEPTH = { edit: 0, child: 0, retry: 0, backlog: 0, long: 0 }

/** Of a source that holds what a test says. */
function sourceOf(given: Partial<MetricSource>): MetricSource {
  const nothing = {
    leads: false,
    shards: () => [],
    withoutRole: () => new Map(),
    queues: () => [],
    hungRuns: () => [],
    watches: () => [],
  }
  return { ...nothing, ...given }
}

/** Calls every method that changes a metric, once. */
function used(metrics: Metrics): void {
  metrics.watch(
    sourceOf({
      leads: true,
      shards: () => [
        { index: 3, held: true, resources: 5 },
        { index: 4, held: false, resources: 0 },
      ],
      hungRuns: () => ['Widget'],
      queues: () => [{ kind: 'Widget', depth: { ...NO_DEPTH, edit: 2, retry: 1 } }],
      withoutRole: () => new Map([['Widget', 2]]),
      watches: () => [
        { kind: 'Widget', live: true, isNeeded: true },
        { kind: 'Pod', live: true, isNeeded: true },
        { kind: 'Pod', live: false, isNeeded: true },
        { kind: 'Pod', live: true, isNeeded: true },
        { kind: 'Job', live: true, isNeeded: true },
        { kind: 'Job', live: false, isNeeded: false },
        { kind: 'Node', live: false, isNeeded: false },
      ],
    }),
  )
  metrics.reconciled({ kind: 'Widget', priority: 'edit', duration: 20, waited: 3, isTimeout: true })
  metrics.controllerFailed('Widget')
  metrics.ran('Widget', 'complete')
  metrics.ran('Widget', 'skipped')
  metrics.taskRan('web', 'Make "it"', 7)
  metrics.evaluated('web', 0.05)
  metrics.driftCorrected('Pod')
  metrics.childKept('Pod')
  metrics.wrote('Pod', 'apply', 'ok')
  metrics.relisted('Pod', 'expired')
  metrics.reloaded('used')
  metrics.reloaded('invalid')
}

const samplesOf = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('Metrics', () => {
  it('have the names, types and labels of the table, all of them and no others', async () => {
    const metrics = new Metrics({ version: '1.2.3' })
    used(metrics)
    const { text, contentType } = await metrics.expose()
    expect(contentType).to.equal('text/plain; version=0.0.4; charset=utf-8')
    const types = Object.fromEntries([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]))
    const table = Object.entries<MetricDefinition>(METRICS)
    expect(types).to.deep.equal(Object.fromEntries(table.map(([name, { type }]) => [name, type])))
    for (const [name, { labels }] of table) {
      const found = samplesOf(text).filter((line) => new RegExp(`^${name}(_bucket|_sum|_count)?[{ ]`).test(line))
      const seen = new Set(found.flatMap((line) => [...line.matchAll(/[{,]([a-z]+)=/g)].map(([, label]) => label)))
      seen.delete('le')
      expect([...seen].sort(), name).to.deep.equal([...labels].sort())
    }
  })

  it('show what was reported to them', async () => {
    const metrics = new Metrics({ version: '1.2.3' })
    used(metrics)
    const samples = samplesOf((await metrics.expose()).text)
    expect(samples).to.include.members([
      'rolebook_build_info{version="1.2.3"} 1',
      'rolebook_leader 1',
      'rolebook_shard_held{shard="3"} 1',
      'rolebook_shard_held{shard="4"} 0',
      'rolebook_shard_resources{shard="3"} 5',
      'rolebook_reconcile_total{kind="Widget",outcome="complete"} 1',
      'rolebook_reconcile_total{kind="Widget",outcome="skipped"} 1',
      'rolebook_skipped_runs_total{kind="Widget"} 1',
      'rolebook_reconcile_duration_seconds_sum{kind="Widget"} 0.02',
      'rolebook_queue_wait_seconds_sum{class="edit"} 0.003',
      'rolebook_task_duration_seconds_sum{role="web",task="Make \\"it\\""} 0.007',
      'rolebook_expression_seconds_bucket{le="0.0001",role="web"} 1',
      'rolebook_queue_depth{kind="Widget",class="edit"} 2',
      'rolebook_queue_depth{kind="Widget",class="retry"} 1',
      'rolebook_watch_live{kind="Widget"} 1',
      'rolebook_watch_live{kind="Pod"} 0',
      'rolebook_watch_live{kind="Job"} 1',
      'rolebook_watches{kind="Pod"} 3',
      'rolebook_watches{kind="Node"} 1',
      'rolebook_relists_total{kind="Pod",reason="expired"} 1',
      'rolebook_drift_corrected_total{kind="Pod"} 1',
      'rolebook_writes_total{kind="Pod",verb="apply",result="ok"} 1',
      'rolebook_reloads_total{result="used"} 1',
      'rolebook_last_reload_successful 0',
    ])
    expect(samples.filter((sample) => sample.startsWith('rolebook_shard_resources'))).to.have.length(1)
    const ofUnneeded = samples.filter((sample) => sample.startsWith('rolebook_watch_live{kind="Node"}'))
    expect(ofUnneeded, 'a watch that is not needed').to.deep.equal([])
  })

  const reloads: { name: string; isRoleLost: boolean; result: 'used' | 'refused'; value: 0 | 1 }[] = [
    { name: 'that was used', isRoleLost: false, result: 'used', value: 1 },
    { name: 'that was refused', isRoleLost: false, result: 'refused', value: 0 },
    { name: 'that was used, while resources of before are spared', isRoleLost: true, result: 'used', value: 0 },
  ]
  for (const { name, isRoleLost, result, value } of reloads) {
    it(`say ${value} of the last reload, one ${name}`, async () => {
      const metrics = new Metrics({ version: '1' })
      metrics.watch(sourceOf({ withoutRole: () => new Map(isRoleLost ? [['Widget.example.com', 2]] : []) }))
      metrics.reloaded(result)
      const samples = samplesOf((await metrics.expose()).text)
      expect(samples).to.include(`rolebook_last_reload_successful ${value}`)
    })
  }

  it('say of the last reload that nothing is wrong, before there was one, once nothing is spared', async () => {
    const metrics = new Metrics({ version: '1' })
    let isRoleLost = true
    metrics.watch({
      ...sourceOf({}),
      withoutRole: () => new Map(isRoleLost ? [['Widget.example.com', 2]] : []),
    })
    const { text } = await metrics.expose()
    expect(text).to.include('rolebook_last_reload_successful 0')
    expect(text).to.include('rolebook_resources_without_role{kind="Widget.example.com"} 2')
    isRoleLost = false
    expect((await metrics.expose()).text).to.include('rolebook_last_reload_successful 1')
  })

  it('say nothing any more of a source that is gone', async () => {
    const metrics = new Metrics({ version: '1' })
    const unwatch = metrics.watch(
      sourceOf({
        leads: true,
        watches: () => [{ kind: 'Pod', live: true, isNeeded: true }],
        queues: () => [{ kind: 'Pod', depth: NO_DEPTH }],
      }),
    )
    expect((await metrics.expose()).text).to.include('rolebook_watch_live{kind="Pod"} 1')
    unwatch()
    const samples = samplesOf((await metrics.expose()).text)
    expect(samples.filter((line) => line.includes('kind='))).to.deep.equal([])
    expect(samples).to.include('rolebook_leader 0')
  })

  it('are OpenMetrics for a client that asks for it, as often as it asks', async () => {
    const metrics = new Metrics({ version: '1' })
    metrics.ran('Widget', 'complete')
    for (let reading = 0; reading < 2; reading++) {
      const { contentType, text } = await metrics.expose('application/openmetrics-text; version=1.0.0,text/plain;q=0.5')
      expect(contentType).to.equal('application/openmetrics-text; version=1.0.0; charset=utf-8')
      expect(text).to.match(/^# TYPE rolebook_reconcile counter$/m)
      expect(text).to.match(/^# HELP rolebook_reconcile Runs/m)
      expect(text).to.include('rolebook_reconcile_total{kind="Widget",outcome="complete"} 1')
      expect(text).to.match(/\n# EOF\n$/)
      expect(text).not.to.include('\n\n')
      expect((await metrics.expose('text/plain')).text).to.match(/^# TYPE rolebook_reconcile_total counter$/m)
    }
  })

  it('include those of the process when that is wanted', async () => {
    const metrics = new Metrics({ version: '1', ofProcess: true })
    const { text } = await metrics.expose()
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'process_start_time_seconds',
    ]) {
      expect(text).to.match(new RegExp(`^${name} [0-9.e+-]+$`, 'm'))
    }
    // A gauge keeps its name, whatever it is.
    expect((await metrics.expose('application/openmetrics-text')).text).to.match(/^# TYPE \S+_total gauge$/m)
  })
})

describe('a client whose writes are counted', () => {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' } }
  const gvk = { group: 'apps', version: 'v1', kind: 'Deployment' }
  const key = { namespace: 'n', name: 'd' }
  const options = { fieldManager: 'm' }
  const cases = [
    { name: 'a reason of Kubernetes', error: new ApiError(409, 'Conflict', ''), result: 'Conflict' },
    { name: 'no answer', error: new ApiError(0, 'NoAnswer', ''), result: 'NoAnswer' },
    { name: 'a reason that a webhook made up', error: new ApiError(418, 'tenant-a says no', ''), result: '418' },
    { name: 'what is no answer of a server', error: new Error('closed'), result: 'Error' },
    { name: 'success', error: undefined, result: 'ok' },
  ]
  for (const { name, error, result } of cases) {
    it(`counts ${name} as ${result}, by kind and verb`, async () => {
      const counted: string[] = []
      const answer = async (): Promise<never> => {
        if (error) throw error
        return object as never
      }
      const client = { create: answer, apply: answer, patch: answer, delete: answer } as unknown as KubeClient
      const counter = counting(client, { wrote: (...labels) => void counted.push(labels.join(' ')) })
      await Promise.allSettled([
        counter.create(object, options),
        counter.apply(object, { ...options, force: true, subresource: 'status' }),
        counter.patch(gvk, key, { type: 'merge', body: {} }, options),
        counter.delete(gvk, key),
      ])
      const expected = ['Pod create', 'Pod/status apply', 'Deployment.apps patch', 'Deployment.apps delete']
      expect(counted).to.deep.equal(expected.map((one) => `${one} ${result}`))
    })
  }
})

describe('the durations of a histogram', () => {
  const sample = { kind: 'Shop', waited: 0, isTimeout: false, priority: 'edit' } as const

  it('are unknown before anything was counted, and of what is no histogram', async () => {
    const metrics = new Metrics({ version: '1' })
    metrics.reloaded('used')
    for (const name of ['rolebook_reconcile_duration_seconds', 'rolebook_reloads_total'] as const)
      expect(await metrics.durations(name), name).to.equal(undefined)
  })

  it('say what so many percent stayed below, over all kinds, and at most the highest bound', async () => {
    const metrics = new Metrics({ version: '1' })
    for (const duration of [2, 3, 4, 40, 80]) metrics.reconciled({ ...sample, duration })
    metrics.reconciled({ ...sample, kind: 'Other', duration: 3_600_000 })
    const durations = await metrics.durations('rolebook_reconcile_duration_seconds')
    expect(durations).to.deep.equal({ count: 6, p50: 5, p95: 60_000 })
  })
})
