import { expect } from 'chai'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { KINDS } from '../../../../src/sandbox/apiserver/workloads/common/known-kinds.ts'
import { conditionOf } from '../../../../src/sandbox/apiserver/workloads/common/pod-state.ts'
import { WorkloadServer } from './workload-server.ts'

const podTemplate = (image = 'busybox:1') => ({
  spec: { restartPolicy: 'Never', containers: [{ name: 'work', image }] },
})
const job = (spec: object = {}): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work' },
  spec: { template: podTemplate(), ...spec },
})
const cronJob = (spec: object): KubeObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'tick' },
  spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: podTemplate() } }, ...spec },
})
const key = { namespace: 'default', name: 'work' }
const MINUTE = 60_000

describe('Jobs', () => {
  let server: WorkloadServer
  const live = (): KubeObject | undefined => server.api.get(KINDS.job, key)
  const status = () =>
    live()?.status as unknown as { active?: number; succeeded?: number; failed?: number; completedIndexes?: string }
  const pods = () => server.api.list(KINDS.pod, { namespace: 'default' })
  const setSpec = (change: object): void => {
    const object = live()!
    server.api.update({ ...object, spec: { ...(object.spec as object), ...change } } as KubeObject, 'kubectl')
  }

  beforeEach(() => {
    server = new WorkloadServer({ podStarted: 100, podCompleted: 500 })
  })
  afterEach(() => server.stop())

  it('never run more pods at once than their parallelism', async () => {
    server.put(job({ completions: 5, parallelism: 2 }))
    let most = 0
    server.api.subscribe(KINDS.pod, () => {
      most = Math.max(most, pods().filter((pod) => (pod.status as { phase?: string }).phase !== 'Succeeded').length)
    })
    await server.rest()
    expect([most, status().succeeded, pods().length]).to.deep.equal([2, 5, 5])
  })

  it('with indexes give each pod its own, and say which are done', async () => {
    server.put(job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }))
    await server.rest()
    const indexes = pods().map(({ metadata }) => metadata.annotations?.['batch.kubernetes.io/job-completion-index'])
    expect([indexes.sort(), status().completedIndexes]).to.deep.equal([['0', '1', '2'], '0-2'])
    expect(pods()[0]?.spec).to.have.property('hostname')
  })

  it('that are suspended stop their pods, and go on later', async () => {
    server.put(job({ completions: 2 }))
    await server.rest(200)
    setSpec({ suspend: true })
    await server.rest()
    expect([pods().length, conditionOf(live()!, 'Suspended')?.status]).to.deep.equal([0, 'True'])
    setSpec({ suspend: false })
    await server.rest()
    expect([status().succeeded, conditionOf(live()!, 'Complete')?.status]).to.deep.equal([2, 'True'])
    expect(conditionOf(live()!, 'Suspended')).to.include({ status: 'False', reason: 'JobResumed' })
  })

  it('fail when their deadline passes', async () => {
    server.put(job({ activeDeadlineSeconds: 5, template: podTemplate('notfound:1') }))
    await server.rest()
    expect(conditionOf(live()!, 'Failed')).to.include({ status: 'True', reason: 'DeadlineExceeded' })
    expect(pods()).to.deep.equal([])
  })

  it('fail when too many pods do', async () => {
    server.put(job({ backoffLimit: 0 }))
    await server.rest(200)
    const [pod] = pods()
    server.api.update({ ...pod!, status: { ...(pod!.status as object), phase: 'Failed' } }, 'kubelet', 'status')
    await server.rest()
    expect(conditionOf(live()!, 'Failed')).to.include({ reason: 'BackoffLimitExceeded' })
    expect(status().failed).to.equal(1)
  })

  it('without number of completions are done when one pod has succeeded and none is left', async () => {
    server.put(job({ parallelism: 2 }))
    await server.rest()
    expect([status().succeeded, conditionOf(live()!, 'Complete')?.status]).to.deep.equal([2, 'True'])
  })

  it('go when their time to live is over, with their pods', async () => {
    server.put(job({ ttlSecondsAfterFinished: 60 }))
    await server.rest(30_000)
    expect(live()).not.to.equal(undefined)
    await server.rest(60_000)
    expect([live(), pods()]).to.deep.equal([undefined, []])
  })

  it('that failed go when their time to live is over, too', async () => {
    server.put(job({ activeDeadlineSeconds: 5, ttlSecondsAfterFinished: 60, template: podTemplate('notfound:1') }))
    await server.rest(30_000)
    expect(conditionOf(live()!, 'Failed')?.status).to.equal('True')
    await server.rest(60_000)
    expect(live()).to.equal(undefined)
  })

  describe('on schedule', () => {
    const jobs = () => server.api.list(KINDS.job, { namespace: 'default' })
    const tick = () => server.api.get(KINDS.cronJob, { namespace: 'default', name: 'tick' })

    it('start at their times, have these in their names, and stay as their history limit says', async () => {
      server.put(cronJob({ successfulJobsHistoryLimit: 2 }))
      await server.rest(4 * MINUTE)
      expect(jobs()).to.deep.equal([])
      await server.rest(17 * MINUTE)
      const minute = Date.UTC(2026, 0, 1) / MINUTE
      expect(jobs().map(({ metadata }) => metadata.name)).to.deep.equal([`tick-${minute + 15}`, `tick-${minute + 20}`])
      expect(tick()?.status).to.include({ lastScheduleTime: '2026-01-01T00:20:00Z' })
    })

    it('do not start while the last one runs, if that is forbidden', async () => {
      const jobTemplate = { spec: { template: podTemplate('notfound:1') } }
      server.put(cronJob({ concurrencyPolicy: 'Forbid', jobTemplate }))
      await server.rest(16 * MINUTE)
      expect(jobs()).to.have.length(1)
      expect((tick()!.status as unknown as { active: object[] }).active).to.have.length(1)
    })

    it('take the place of the last one, if they shall', async () => {
      const jobTemplate = { spec: { template: podTemplate('notfound:1') } }
      server.put(cronJob({ concurrencyPolicy: 'Replace', jobTemplate }))
      await server.rest(16 * MINUTE)
      expect(jobs().map(({ metadata }) => metadata.name)).to.deep.equal([`tick-${Date.UTC(2026, 0, 1) / MINUTE + 15}`])
    })

    it('that can never run get an event', async () => {
      server.put(cronJob({ schedule: '59 23 31 2 *' }))
      await server.rest(2 * MINUTE)
      const events = server.api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'default' })
      const message = 'invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second'
      const recorded = events.map(({ type, reason, message: text }) => ({ type, reason, message: text }))
      expect(recorded).to.deep.equal([{ type: 'Warning', reason: 'InvalidSchedule', message }])
      expect(jobs()).to.deep.equal([])
    })

    it('rest while they are suspended', async () => {
      server.put(cronJob({ suspend: true }))
      await server.rest(16 * MINUTE)
      expect(jobs()).to.deep.equal([])
    })

    it('that were missed too long ago are left out', async () => {
      server.put(cronJob({ startingDeadlineSeconds: 10 }))
      server.stop()
      await server.rest(6 * MINUTE)
      server.restart()
      await server.rest(MINUTE)
      expect(jobs()).to.deep.equal([])
    })

    const minute = Date.UTC(2026, 0, 1) / MINUTE
    const statusOfTick = () => tick()?.status as unknown as { lastScheduleTime?: string; active?: object[] }

    it('have the labels of their template', async () => {
      const jobTemplate = { metadata: { labels: { made: 'here' } }, spec: { template: podTemplate() } }
      server.put(cronJob({ jobTemplate }))
      await server.rest(6 * MINUTE)
      expect(jobs()[0]?.metadata.labels).to.include({ made: 'here' })
    })

    it('leave a Job alone that another client created under their name', async () => {
      const foreign = { ...job({ suspend: true }), metadata: { name: `tick-${minute + 5}` } }
      server.put(foreign)
      server.put(cronJob({}))
      await server.rest(6 * MINUTE)
      expect([jobs().length, statusOfTick().lastScheduleTime]).to.deep.equal([1, undefined])
    })

    it('are not started twice when the time of the last one is forgotten', async () => {
      server.put(cronJob({}))
      await server.rest(6 * MINUTE)
      server.api.update({ ...tick()!, status: {} }, 'kubectl', 'status')
      await server.rest(MINUTE)
      expect([jobs().length, statusOfTick().lastScheduleTime]).to.deep.equal([1, '2026-01-01T00:05:00Z'])
    })

    it('that their CronJob did not start get one event', async () => {
      server.put(cronJob({ suspend: true }))
      const { apiVersion, kind, metadata } = tick()!
      const owner = { apiVersion, kind, name: 'tick', uid: metadata.uid ?? '', controller: true }
      server.put({ ...job({ suspend: true }), metadata: { name: 'stranger', ownerReferences: [owner] } })
      await server.rest(2 * MINUTE)
      const events = server.api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'default' })
      const reasons = events.map(({ reason }) => reason)
      expect(reasons.filter((reason) => reason === 'UnexpectedJob')).to.have.length(1)
    })

    it('that fail get an event, like those that succeed', async () => {
      const failing = { spec: { backoffLimit: 0, template: podTemplate('notfound:1'), activeDeadlineSeconds: 5 } }
      server.put(cronJob({ jobTemplate: failing }))
      await server.rest(6 * MINUTE)
      const events = server.api.list({ group: '', version: 'v1', kind: 'Event' }, { namespace: 'default' })
      const messages = events.filter(({ reason }) => reason === 'SawCompletedJob').map(({ message }) => message)
      expect(messages).to.deep.equal([
        `Saw completed job: tick-${Date.UTC(2026, 0, 1) / MINUTE + 5}, condition: Failed`,
      ])
    })

    it('are not started by a CronJob that goes away', async () => {
      server.put({ ...cronJob({}), metadata: { name: 'tick', finalizers: ['example.com/hold'] } })
      await server.rest(MINUTE)
      server.api.delete(KINDS.cronJob, { namespace: 'default', name: 'tick' })
      await server.rest(6 * MINUTE)
      expect(jobs()).to.deep.equal([])
    })

    it('are deleted once, however long something holds them', async () => {
      server.put(cronJob({ successfulJobsHistoryLimit: 0 }))
      await server.rest(5 * MINUTE)
      const [first] = jobs()
      server.api.update({ ...first!, metadata: { ...first!.metadata, finalizers: ['example.com/hold'] } }, 'kubectl')
      await server.rest(MINUTE)
      const version = jobs()[0]?.metadata.resourceVersion
      expect(jobs()[0]?.metadata.deletionTimestamp).to.be.a('string')
      await server.rest(5 * MINUTE)
      expect(jobs().find(({ metadata }) => metadata.name === first?.metadata.name)?.metadata.resourceVersion).to.equal(
        version,
      )
    })
  })
})
