import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient, WatchEvent } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { SeenJobs } from '../../../../src/engine/reconcile/apply/completed-jobs.ts'
import { clientWith } from '../../../support/client-with.ts'
import { isCollected } from '../../../support/is-collected.ts'
import { long } from '../../../support/long-tests.ts'
import { OperatorAccount } from '../../../support/operator-account.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const JOB = { group: 'batch', version: 'v1', kind: 'Job' }
const EVENT = { group: 'events.k8s.io', version: 'v1', kind: 'Event' }
const SAID = 'a Job is gone and counts as complete, although its end was not seen'
const MADE = 'apply Job default/migrate'

const job = (name: string, spec: string): string => `
  - waitReady: true
    ensure:
      apiVersion: batch/v1
      kind: Job
      metadata: { name: ${name} }
      spec:
        ${spec}
        template:
          spec:
            restartPolicy: Never
            containers: [{ name: main, image: "migrate:\${spec.version}" }]
`
const role = (spec = ''): string => `
tasks:
${job('migrate', spec)}
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: migrated } }
`
const SHORT_LIVED = role('ttlSecondsAfterFinished: 0')

long.describe('A Job that has run', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  /** What the Job controller does: the Job completes, and is removed as its time to live says. */
  async function complete(): Promise<void> {
    const now = new Date().toISOString()
    await end({ startTime: now, completionTime: now, succeeded: 1 }, ['SuccessCriteriaMet', 'Complete'])
  }

  const fail = (): Promise<void> => end({ startTime: new Date().toISOString(), failed: 1 }, ['FailureTarget', 'Failed'])

  async function end(counts: JsonObject, types: readonly string[]): Promise<void> {
    const lastTransitionTime = new Date().toISOString()
    const conditions = types.map((type) => ({ type, status: 'True', reason: 'Ended', lastTransitionTime }))
    await sandbox.edit(JOB, 'migrate', { status: { ...counts, conditions } }, 'status')
  }

  async function removed(): Promise<void> {
    await sandbox.remove(JOB, 'migrate')
    await sandbox.gone(JOB, 'migrate')
  }

  async function noted(): Promise<readonly string[]> {
    const text = (await sandbox.get(WIDGET, 'w'))?.metadata.annotations?.['rolebook.dev/jobs'] ?? '{"jobs":{}}'
    return Object.keys((JSON.parse(text) as { jobs: JsonObject }).jobs)
  }

  async function runOnce(): Promise<void> {
    await sandbox.until(
      () => sandbox.get(JOB, 'migrate'),
      (job) => job !== undefined,
    )
    await complete()
    await removed()
  }

  const presumed = async (): Promise<readonly unknown[]> => {
    const { items } = await sandbox.client.list(EVENT, { namespace: 'default' })
    return items.filter(({ reason }) => reason === 'JobPresumedComplete').map(({ note }) => note)
  }

  const made = async (): Promise<number> => (await sandbox.settled()).filter((write) => write === MADE).length

  it('and is gone at once is not run again, and counts as complete', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    expect(await made()).to.equal(1)
    expect(await sandbox.get(JOB, 'migrate')).to.equal(undefined)
  })

  it('is not run again after a restart', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.restart(project)
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('is run again by a later process when what was noted of it cannot be read any more', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    const { metadata } = await sandbox.widget('w', { version: '1' })
    for (const note of ['{', '{"uid":"another","jobs":{}}', `{"uid":"${metadata.uid}","jobs":[]}`, undefined]) {
      await runOnce()
      await sandbox.ready('Ready')
      await sandbox.settled()
      await sandbox.halt()
      if (note === undefined) break
      await sandbox.edit(WIDGET, 'w', { metadata: { annotations: { 'rolebook.dev/jobs': note } } })
      sandbox.run(project)
    }
    expect(await noted()).to.have.length(1)
  })

  it('while the operator was down is not run again', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await sandbox.settled()
    await sandbox.halt()
    await runOnce()
    await sandbox.restart(project)
    await sandbox.ready('Ready')
    expect(await made()).to.equal(0)
    expect(await presumed()).to.deep.equal([
      'cannot see how Job default/migrate ended: it was removed while no operator was running; it counts as complete and is not run again (change its manifest to run it again)',
    ])
    expect(sandbox.warnings).to.deep.equal([SAID])
    await sandbox.restart(project)
    expect([sandbox.warnings, await sandbox.settled()]).to.deep.equal([[SAID], []])
  })

  it('is not said to be in doubt when its end was seen, neither then nor after a restart', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    await sandbox.restart(project)
    expect([await presumed(), sandbox.warnings, await sandbox.settled()]).to.deep.equal([[], [], []])
  })

  it('without a time to live is not run again when a person removes it', async () => {
    const project = await projectOf({ widget: role() })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    expect(await made()).to.equal(1)
    await sandbox.restart(project)
    expect(await made()).to.equal(0)
  })

  it('is run again when its manifest changes', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.widget('w', { version: '2' })
    await runOnce()
    await sandbox.ready('Ready', { generation: 2 })
    expect(await made()).to.equal(2)
  })

  it('is made again when it was removed before it was complete', async () => {
    sandbox.run(await projectOf({ widget: SHORT_LIVED }))
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await sandbox.settled()
    await sandbox.remove(JOB, 'migrate')
    await sandbox.until(
      () => sandbox.get(JOB, 'migrate'),
      (job) => job !== undefined,
    )
  })

  it('for another resource says nothing about a copy of that resource', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await runOnce()
    await sandbox.ready('Ready')
    await sandbox.settled()
    const annotations = (await sandbox.get(WIDGET, 'w'))?.metadata.annotations
    expect(annotations).to.have.property('rolebook.dev/jobs')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    await sandbox.settled()
    await sandbox.widget('w', { version: '1' }, { annotations })
    await sandbox.ready('Waiting')
    expect(await made()).to.equal(1)
  })

  it('is noted beside others that the same run makes', async () => {
    const both = [job('migrate', 'ttlSecondsAfterFinished: 0'), job('clean', 'ttlSecondsAfterFinished: 0')].join('')
    const tasks = `tasks:\n${both.replaceAll('waitReady: true', 'waitReady: false')}`
    sandbox.run(await projectOf({ widget: tasks }))
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('NotReady')
    expect(await noted()).to.deep.equal(['default/migrate', 'default/clean'])
  })

  it('is noted by the next run where the first note could not be written', async () => {
    let failures = 1
    const patch: KubeClient['patch'] = async (gvk, ...rest) => {
      const isNote = gvk.kind === WIDGET.kind && rest[2].subresource === undefined
      if (isNote && failures-- > 0) throw new ApiError(503, 'ServiceUnavailable', 'the server is away')
      return sandbox.client.patch(gvk, ...rest)
    }
    sandbox.run(await projectOf({ widget: SHORT_LIVED }), { client: clientWith(sandbox.client, { patch }) })
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    expect(await noted()).to.deep.equal(['default/migrate'])
  })

  it('and has failed does not count as complete when it vanishes while the operator is down', async () => {
    const project = await projectOf({ widget: SHORT_LIVED })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await fail()
    await sandbox.ready('Failed')
    await sandbox.settled()
    await sandbox.halt()
    await removed()
    await sandbox.restart(project)
    await sandbox.ready('Waiting')
    expect([await made(), await presumed()]).to.deep.equal([1, []])
  })

  it('and vanished while its watch was interrupted is not run again', async () => {
    const interruption = Promise.withResolvers<void>()
    let isBlind = false
    async function* seen(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
      for await (const event of events) {
        if (!isBlind) yield event
        else {
          await interruption.promise
          yield { type: 'ERROR', status: { code: 410, reason: 'Expired', message: 'too old' } }
          return
        }
      }
    }
    const watch: KubeClient['watch'] = (gvk, options) => {
      const events = sandbox.client.watch(gvk, options)
      return gvk.kind === JOB.kind ? seen(events) : events
    }
    sandbox.run(await projectOf({ widget: SHORT_LIVED }), { client: clientWith(sandbox.client, { watch }) })
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    isBlind = true
    await runOnce()
    isBlind = false
    interruption.resolve()
    await sandbox.ready('Ready')
    expect([await made(), (await presumed()).length]).to.deep.equal([1, 1])
  })

  it('is run again when the role wants it again that had the operator remove it, also after a restart', async () => {
    const wanted = job('migrate', 'ttlSecondsAfterFinished: 60').replace('ensure:', 'when: "${spec.on}"\n    ensure:')
    const project = await projectOf({ widget: `tasks:\n${wanted}` })
    sandbox.run(project)
    await sandbox.widget('w', { version: '1', on: true })
    await sandbox.ready('Waiting')
    await complete()
    await sandbox.ready('Ready')
    await sandbox.widget('w', { version: '1', on: false })
    await sandbox.gone(JOB, 'migrate')
    await sandbox.settled()
    await sandbox.restart(project)
    await sandbox.widget('w', { version: '1', on: true })
    await sandbox.until(
      () => sandbox.get(JOB, 'migrate'),
      (one) => one !== undefined,
    )
  })

  it('is noted where no role sees it, also one that reads all annotations of its resource', async () => {
    const annotated = SHORT_LIVED.replace(
      'template:',
      'template:\n          metadata: { annotations: "${metadata.annotations}" }',
    )
    sandbox.run(await projectOf({ widget: annotated }))
    await sandbox.widget('w', { version: '1' }, { annotations: { 'example.com/a': 'b' } })
    await runOnce()
    await sandbox.ready('Ready')
    expect(await made()).to.equal(1)
  })

  it('is forgotten with its resource, though its end comes later', async () => {
    const parts: WeakRef<object>[] = []
    async function* seen(events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent> {
      for await (const event of events) {
        if (event.type === 'DELETED') parts.push(new WeakRef(event.object.spec as object))
        yield event
      }
    }
    const watch: KubeClient['watch'] = (gvk, options) => {
      const events = sandbox.client.watch(gvk, options)
      return gvk.kind === JOB.kind ? seen(events) : events
    }
    sandbox.run(await projectOf({ widget: SHORT_LIVED }), { client: clientWith(sandbox.client, { watch }) })
    await sandbox.widget('w', { version: '1' })
    await sandbox.ready('Waiting')
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(JOB, 'migrate')
    await sandbox.settled()
    expect(parts).to.have.length(1)
    // The watch holds its last event until the next one.
    await sandbox.widget('other', { version: '1' })
    await sandbox.settled()
    expect(await isCollected(parts[0] as WeakRef<object>)).to.equal(true)
  })
})

describe('The rights that are generated for a role with a Job', () => {
  it('suffice to note it on its resource', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false, authorization: 'rbac', port: 0 })
    const account = await OperatorAccount.create(sandbox)
    try {
      const project = await projectOf({ widget: SHORT_LIVED })
      await account.grant(project)
      sandbox.run(project, { client: account.client })
      await sandbox.widget('w', { version: '1' })
      await sandbox.ready('Waiting')
      expect((await sandbox.get(WIDGET, 'w'))?.metadata.annotations).to.have.property('rolebook.dev/jobs')
    } finally {
      await sandbox.stop()
      await account.close()
    }
  })
})

describe('the Jobs whose ends were seen', () => {
  const metadata = { name: 'j', namespace: 'd', uid: 'j1', labels: { 'rolebook.dev/owner-uid': 'u' } }
  const others: readonly { readonly name: string; readonly object: KubeObject }[] = [
    { name: 'other kinds', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata } },
    { name: 'Jobs of others', object: { apiVersion: 'batch/v1', kind: 'Job', metadata: { ...metadata, labels: {} } } },
    { name: 'Jobs that no role has applied', object: { apiVersion: 'batch/v1', kind: 'Job', metadata } },
  ]
  for (const { name, object } of others) {
    it(`are none of ${name}`, () => {
      const seen = new SeenJobs()
      seen.note({ type: 'added', object })
      expect(seen.find('u', object)).to.equal(undefined)
    })
  }
})
