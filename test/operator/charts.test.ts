import { expect } from 'chai'
import { FakeClock } from '../../src/base/fake-clock.ts'
import type { JsonObject } from '../../src/base/json.ts'
import type { HelmRenderer } from '../../src/chart/helm-renderer.ts'
import type { Gvk } from '../../src/kube/group-version-kind.ts'
import { chartOf, newRenderer } from '../chart/renderer.ts'
import { chartProject, chartRole, mapOfChart } from '../support/chart-project.ts'
import { eventually } from '../support/eventually.ts'
import { CONFIG_MAP, OperatorSandbox, SECRET, WIDGET } from '../support/operator-sandbox.ts'

const JOB: Gvk = { group: 'batch', version: 'v1', kind: 'Job' }
const RECORD = 'rolebook.release.w'

const hook = (name: string, events: string, more = ''): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: "{{ .Release.Name }}-${name}"
  annotations:
    helm.sh/hook: ${events}
${more}spec:
  template:
    spec: { restartPolicy: Never, containers: [{ name: a, image: a }] }
`

describe('3: charts on a cluster', function () {
  this.timeout(60_000)
  let sandbox: OperatorSandbox
  let charts: HelmRenderer
  before(async () => {
    charts = newRenderer()
    // A thread takes its time to begin.
    await charts.loadChart(chartOf({}))
  })
  after(() => charts.stop())
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const run = async (files: Readonly<Record<string, string>>, role?: string): Promise<void> => {
    sandbox.run(await chartProject(files, role), { charts })
  }
  const data = async (name: string): Promise<unknown> => ((await sandbox.get(CONFIG_MAP, name))?.data as JsonObject)?.a
  const settle = async (generation = 1): Promise<readonly string[]> => {
    await sandbox.ready('Ready', { generation })
    return sandbox.settled()
  }

  it('are installed once, with a record before the first object, and written no more', async () => {
    const project = await chartProject({ 'templates/a.yaml': mapOfChart('a', '{{ .Values.text | quote }}') })
    sandbox.run(project, { charts })
    await sandbox.widget('w', { text: 'one' })
    const first = await settle()
    expect(first.filter((write) => !write.includes('status'))).to.deep.equal([
      `apply Secret default/${RECORD}`,
      'apply ConfigMap default/w-a',
    ])
    expect((await sandbox.get(WIDGET, 'w'))?.status).to.deep.include({
      release: { name: 'w', chart: '1.0.0', app: '7', count: 1 },
    })
    await sandbox.halt()
    sandbox.runs.length = 0
    sandbox.run(project, { charts })
    await sandbox.until(
      async () => sandbox.runs.length,
      (count) => count > 0,
    )
    expect(await sandbox.settled(), 'after a restart').to.deep.equal([])
  })

  it('follow their values, and what leaves the chart is removed', async () => {
    const b = `{{ if .Values.b }}\n${mapOfChart('b', '"1"')}{{ end }}`
    await run({ 'templates/a.yaml': mapOfChart('a', '{{ .Values.text | quote }}'), 'templates/b.yaml': b })
    await sandbox.widget('w', { text: 'one', b: true })
    await settle()
    expect([await data('w-a'), await data('w-b')]).to.deep.equal(['one', '1'])
    await sandbox.widget('w', { text: 'two' })
    await settle(2)
    expect([await data('w-a'), await data('w-b')]).to.deep.equal(['two', undefined])
  })

  it('put back what somebody changes by hand', async () => {
    await run({ 'templates/a.yaml': mapOfChart('a', '"mine"') })
    await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } })
    await settle()
    await sandbox.edit(CONFIG_MAP, 'w-a', { data: { a: 'theirs' } })
    await sandbox.until(
      () => data('w-a'),
      (seen) => seen === 'mine',
    )
  })

  it('keep what is random, and the time of the first rendering, through upgrades and restarts', async () => {
    const files = (more: string): Record<string, string> => ({
      'templates/a.yaml': mapOfChart('a', '"{{ randAlphaNum 20 }} {{ now | unixEpoch }}"'),
      'templates/b.yaml': mapOfChart('b', `"{{ .Release.Revision }} ${more}"`),
    })
    await run(files('one'))
    await sandbox.widget('w')
    await settle()
    const first = await data('w-a')
    expect(first).to.match(/^[A-Za-z0-9]{20} \d+$/)
    expect(await data('w-b')).to.equal('1 one')
    await sandbox.halt()
    await run(files('two'))
    await sandbox.until(
      () => data('w-b'),
      (seen) => seen === '2 two',
    )
    expect(await data('w-a')).to.equal(first)
  })

  it('see what the cluster serves, and look up what they may', async () => {
    const text =
      '{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }} {{ .Capabilities.APIVersions.Has "none/v1" }} ' +
      '{{ (lookup "v1" "Secret" "default" "theirs").data.key | b64dec }} {{ lookup "v1" "Pod" "" "" | len }}'
    const role = chartRole('      lookups: [v1/Secret]')
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'theirs' }, data: { key: 'dGhlaXJz' } })
    await run({ 'templates/a.yaml': mapOfChart('a', `'${text}'`) }, role)
    await sandbox.widget('w')
    await settle()
    expect(await data('w-a')).to.equal('true false theirs 0')
    await sandbox.edit(SECRET, 'theirs', { data: { key: 'bmV3' } })
    await sandbox.until(
      () => data('w-a'),
      (seen) => seen === 'true false new 0',
    )
  })

  const refusals = [
    {
      name: 'values that their schema refuses',
      files: { 'values.schema.json': '{"properties": {"replicas": {"type": "integer"}}}' },
      message: "at '/replicas': got string, want integer",
    },
    {
      name: 'a template that fails',
      files: { 'templates/a.yaml': '\n{{ fail "no luck" }}' },
      message: 'execution error at (app/templates/a.yaml:2:3): no luck',
    },
    {
      name: 'a kind that the task does not list',
      files: { 'templates/a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n' },
      message: 'the chart makes a Pod: add v1/Pod to the `kinds` of the task',
    },
    {
      name: 'a chart that is far too large',
      files: { 'large.bin': 'x'.repeat(50_000_000) },
      message: 'the chart has 50000000 bytes, and 20971520 are allowed',
    },
  ]
  for (const { name, files, message } of refusals) {
    it(`end in the conditions of their resource: ${name}`, async () => {
      await run(files)
      await sandbox.widget('w', { replicas: 'many' })
      const stalled = await sandbox.until(
        () => sandbox.condition('Stalled'),
        (seen) => seen?.status === 'True',
      )
      expect(stalled?.message).to.include(message)
      expect(await sandbox.get(CONFIG_MAP, 'w-a')).to.equal(undefined)
    })
  }

  it('that never end, end in a condition of their resource alone: those beside it do not notice', async () => {
    const clock = new FakeClock()
    const own = newRenderer({}, clock)
    const loop = '{{ range until (int $.Values.many) }}'.repeat(6) + '{{ end }}'.repeat(6)
    sandbox.run(await chartProject({ 'templates/a.yaml': `${loop}${mapOfChart('a', '{{ .Values.text | quote }}')}` }), {
      charts: own,
    })
    await sandbox.widget('w', { many: 1_000 })
    await eventually(() => own.threads === 1 && clock.pending === 2, 'its chart is being rendered')
    await sandbox.widget('other', { text: 'one' })
    await clock.advance(2_000)
    await sandbox.ready('Ready', { name: 'other' })
    expect(await sandbox.condition('Stalled'), 'it is still at it').to.equal(undefined)
    await clock.advance(20_000)
    const stalled = await sandbox.until(
      () => sandbox.condition('Stalled'),
      (seen) => seen?.status === 'True',
    )
    expect(stalled?.message).to.include('rendering the chart takes longer than 20 s')
    await sandbox.widget('other', { text: 'two' })
    await sandbox.ready('Ready', { name: 'other', generation: 2 })
    expect(await data('other-a')).to.equal('two')
    await own.stop()
  })

  it('leave what `helm.sh/resource-policy: keep` is on', async () => {
    const keep = '  annotations: {helm.sh/resource-policy: keep}\n'
    await run({ 'templates/a.yaml': mapOfChart('a', '"1"', keep), 'templates/b.yaml': mapOfChart('b', '"1"') })
    await sandbox.widget('w')
    await settle()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'w-b'),
      (seen) => seen === undefined,
    )
    expect(await data('w-a')).to.equal('1')
  })

  const finish = (name: string, type = 'Complete'): Promise<unknown> =>
    sandbox.edit(JOB, name, jobStatus(type), 'status')
  const jobs = async (): Promise<readonly string[]> => {
    const { items } = await sandbox.client.list(JOB, { namespace: 'default' })
    return items.map(({ metadata }) => metadata.name ?? '').sort()
  }
  const untilJobs = (...names: readonly string[]): Promise<readonly string[]> =>
    sandbox.until(jobs, (seen) => seen.join() === names.join())

  it('run hooks in order, each when the one before it is through', async () => {
    await run({
      'templates/a.yaml': mapOfChart('a', '"1"'),
      'templates/one.yaml': hook('one', 'pre-install', '    helm.sh/hook-weight: "-1"\n'),
      'templates/two.yaml': hook('two', 'pre-install', '    helm.sh/hook-delete-policy: hook-succeeded\n'),
      'templates/last.yaml': hook('last', 'post-install'),
      'templates/test.yaml': hook('test', 'test'),
    })
    await sandbox.widget('w')
    await untilJobs('w-one')
    await finish('w-one')
    await untilJobs('w-one', 'w-two')
    expect(await data('w-a'), 'before the hooks are through').to.equal(undefined)
    await finish('w-two')
    await untilJobs('w-last', 'w-one')
    expect(await data('w-a')).to.equal('1')
    await finish('w-last')
    await settle()
    expect(await jobs(), 'what has run stays, unless it is to be deleted').to.deep.equal(['w-last', 'w-one'])
    await sandbox.widget('w', { other: 'values' })
    await settle(2)
    expect(await jobs(), 'an upgrade runs no hooks of an install').to.deep.equal([])
  })

  it('run hooks anew when they are upgraded', async () => {
    await run({
      'templates/up.yaml': hook('up', 'pre-install,pre-upgrade'),
      'templates/a.yaml': mapOfChart('a', '"1"'),
    })
    await sandbox.widget('w')
    await untilJobs('w-up')
    const uid = (await sandbox.get(JOB, 'w-up'))?.metadata.uid
    await finish('w-up')
    await settle()
    await sandbox.widget('w', { other: 'values' })
    await sandbox.until(
      () => sandbox.get(JOB, 'w-up'),
      (seen) => seen !== undefined && seen.metadata.uid !== uid,
    )
    await finish('w-up')
    await settle(2)
  })

  it('fail with a hook that fails', async () => {
    await run({ 'templates/up.yaml': hook('up', 'pre-install') })
    await sandbox.widget('w')
    await untilJobs('w-up')
    await finish('w-up', 'Failed')
    const failed = await sandbox.until(
      () => sandbox.condition('Stalled'),
      (seen) => seen?.status === 'True',
    )
    expect(failed?.message).to.include('hook Job default/w-up of the chart has failed')
  })

  it('run hooks of the deletion in `finalize`', async () => {
    const task = '  - chart: { path: charts/app, kinds: [v1/ConfigMap, batch/v1/Job] }\n'
    await run(
      { 'templates/a.yaml': mapOfChart('a', '"1"'), 'templates/bye.yaml': hook('bye', 'pre-delete') },
      `${chartRole()}finalize:\n${task}`,
    )
    await sandbox.widget('w')
    await settle()
    await sandbox.remove(WIDGET, 'w')
    await untilJobs('w-bye')
    expect(await data('w-a'), 'nothing goes before').to.equal('1')
    await finish('w-bye')
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (seen) => seen === undefined,
    )
    await untilJobs()
  })
})

function jobStatus(type: string): JsonObject {
  const time = '2026-01-01T00:00:00Z'
  const before = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  const conditions = [before, type].map((one) => ({
    type: one,
    status: 'True',
    lastTransitionTime: time,
    lastProbeTime: time,
  }))
  return { status: { startTime: time, ...(type === 'Complete' && { completionTime: time }), conditions } }
}
