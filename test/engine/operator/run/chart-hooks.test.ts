import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import { chartRole, mapOfChart } from '../../../support/chart-project.ts'
import { chartStage } from '../../../support/chart-stage.ts'
import { long } from '../../../support/long-tests.ts'
import { WIDGET } from '../../../support/operator-sandbox.ts'

const JOB: Gvk = { group: 'batch', version: 'v1', kind: 'Job' }

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

describe('hooks of charts on a cluster', () => {
  const stage = chartStage()
  const { data, run, settle } = stage

  const finish = (name: string, type = 'Complete'): Promise<unknown> =>
    stage.sandbox.edit(JOB, name, jobStatus(type), 'status')
  const jobs = async (): Promise<readonly string[]> => {
    const { items } = await stage.sandbox.client.list(JOB, { namespace: 'default' })
    return items.map(({ metadata }) => metadata.name ?? '').sort()
  }
  const untilJobs = (...names: readonly string[]): Promise<readonly string[]> =>
    stage.sandbox.until(jobs, (seen) => seen.join() === names.join())

  long.it('run hooks in order, each when the one before it is through', async () => {
    await run({
      'templates/a.yaml': mapOfChart('a', '"1"'),
      'templates/one.yaml': hook('one', 'pre-install', '    helm.sh/hook-weight: "-1"\n'),
      'templates/two.yaml': hook('two', 'pre-install', '    helm.sh/hook-delete-policy: hook-succeeded\n'),
      'templates/last.yaml': hook('last', 'post-install'),
      'templates/test.yaml': hook('test', 'test'),
    })
    await stage.sandbox.widget('w')
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
    await stage.sandbox.settled()
    await stage.sandbox.widget('w', { other: 'values' })
    const writes = await settle(2)
    expect(await jobs(), 'an upgrade leaves what hooks of an install made').to.deep.equal(['w-last', 'w-one'])
    expect(
      writes.filter((write) => write.includes(' Job ')),
      'it runs none of them',
    ).to.deep.equal([])
  })

  long.it('run hooks anew when they are upgraded', async () => {
    await run({
      'templates/up.yaml': hook('up', 'pre-install,pre-upgrade'),
      'templates/done.yaml': hook('done', 'post-upgrade'),
      'templates/a.yaml': mapOfChart('a', '{{ .Values.text | quote }}'),
    })
    await stage.sandbox.widget('w')
    await untilJobs('w-up')
    const uid = (await stage.sandbox.get(JOB, 'w-up'))?.metadata.uid
    await finish('w-up')
    await settle()
    await stage.sandbox.widget('w', { text: 'new' })
    await stage.sandbox.until(
      () => stage.sandbox.get(JOB, 'w-up'),
      (seen) => seen !== undefined && seen.metadata.uid !== uid,
    )
    expect(await data('w-a'), 'before its hooks are through').to.equal('')
    await finish('w-up')
    await untilJobs('w-done', 'w-up')
    expect(await data('w-a')).to.equal('new')
    await finish('w-done')
    await settle(2)
  })

  it('fail with a hook that fails', async () => {
    await run({ 'templates/up.yaml': hook('up', 'pre-install') })
    await stage.sandbox.widget('w')
    await untilJobs('w-up')
    await finish('w-up', 'Failed')
    const failed = await stage.sandbox.until(
      () => stage.sandbox.condition('Stalled'),
      (seen) => seen?.status === 'True',
    )
    expect(failed?.message).to.include('hook Job default/w-up of the chart has failed')
  })

  it('run hooks of the deletion in `finalize`', async () => {
    const task = '  - chart: { path: charts/app, kinds: [v1/ConfigMap, batch/v1/Job] }\n'
    await run(
      {
        'templates/a.yaml': mapOfChart('a', '"1"'),
        'templates/bye.yaml': hook('bye', 'pre-delete'),
        'templates/end.yaml': hook('end', 'post-delete'),
      },
      `${chartRole()}finalize:\n${task}`,
    )
    await stage.sandbox.widget('w')
    await settle()
    await stage.sandbox.remove(WIDGET, 'w')
    await untilJobs('w-bye')
    expect(await data('w-a'), 'nothing goes before').to.equal('1')
    await finish('w-bye')
    await untilJobs('w-bye', 'w-end')
    await finish('w-end')
    await stage.sandbox.gone(WIDGET, 'w')
    await untilJobs()
  })

  const account = (events: string, policy: string): string =>
    mapOfChart(
      'account',
      '"1"',
      `  annotations:\n    helm.sh/hook: ${events}\n    helm.sh/hook-delete-policy: ${policy}\n`,
    )
  const ofAccount = (writes: readonly string[]): readonly string[] =>
    writes.filter((write) => write.endsWith(' default/w-account'))
  const once = ['apply ConfigMap default/w-account', 'delete ConfigMap default/w-account']

  it('leave a hook of two phases alone while the second one runs', async () => {
    await run({
      'templates/account.yaml': account('pre-install,post-install', 'before-hook-creation,hook-succeeded'),
      'templates/job.yaml': hook('job', 'post-install', '    helm.sh/hook-weight: "1"\n'),
    })
    await stage.sandbox.widget('w')
    await untilJobs('w-job')
    await stage.sandbox.edit(JOB, 'w-job', { status: { startTime: '2026-01-01T00:00:00Z' } }, 'status')
    const before = await stage.sandbox.settled()
    expect(ofAccount(before)).to.deep.equal([...once, 'apply ConfigMap default/w-account'])
    await finish('w-job')
    expect(ofAccount(await settle())).to.deep.equal(['delete ConfigMap default/w-account'])
  })

  it('run a hook of both phases of the deletion once for each', async () => {
    const task = '  - chart: { path: charts/app, kinds: [v1/ConfigMap, batch/v1/Job] }\n'
    const files = { 'templates/account.yaml': account('pre-delete,post-delete', 'before-hook-creation') }
    await run(files, `${chartRole()}finalize:\n${task}`)
    await stage.sandbox.widget('w')
    await settle()
    await stage.sandbox.remove(WIDGET, 'w')
    await stage.sandbox.gone(WIDGET, 'w')
    expect(ofAccount(stage.sandbox.writes)).to.deep.equal([...once, ...once])
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
