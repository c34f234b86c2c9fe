import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { isJsonObject, type JsonObject } from '../../../../src/core/base/json.ts'
import { conditionsOf, findCondition } from '../../../../src/core/kube/condition.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { HeldWatch } from '../../../support/held-watch.ts'
import { long } from '../../../support/long-tests.ts'
import { CONFIG_MAP, DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

/** How long a resource stays Ready for a child that its controller has not seen. */
const PATIENCE = 2_000

const deployment = (label: string, rest = ''): string => `
  - name: Web
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web, labels: { tier: "${label}" } }
      spec:
        replicas: 1
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: web }] }
    register: web${rest}
`
const STATUS = '  - status: { label: "${spec.label}" }\n'
const ROLE = `tasks:${deployment('${spec.label}')}${STATUS}`
const AFTERWARDS =
  '  - { name: After, ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: after }, data: { label: "${spec.label}" } } }\n'

/** What the controller of a Deployment says of one that is rolled out. */
const COMPLETE: readonly JsonObject[] = [
  { type: 'Available', status: 'True' },
  { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' },
]

long.describe('a child that its controller has not seen yet', () => {
  let sandbox: OperatorSandbox
  let clock: FakeClock
  let seen: Seen
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    clock = new FakeClock()
    seen = new Seen(sandbox)
  })
  afterEach(async () => {
    await seen.stop()
    await sandbox.stop()
  })

  /** A resource that is Ready, as generation 1. */
  async function begin(role = ROLE, watches?: string): Promise<void> {
    const project = await projectOf({ widget: role }, watches)
    sandbox.run(project, { clock })
    await sandbox.widget('w', { label: 'a' })
    await made()
    await rolledOut()
    if (watches === undefined) await sandbox.ready('Ready')
    await sandbox.settled()
    await seen.begin()
  }
  const made = (): Promise<unknown> =>
    sandbox.until(
      () => sandbox.get(DEPLOYMENT, 'web'),
      (web) => web !== undefined,
    )
  const edit = async (label = 'b'): Promise<void> => {
    await sandbox.edit(WIDGET, 'w', { spec: { label } })
    await sandbox.until(
      () => sandbox.get(DEPLOYMENT, 'web'),
      (web) => web?.metadata.labels?.tier === label,
    )
  }
  /** What the controller of the Deployment writes once it has seen it. */
  async function rolledOut({ updated = 1, behind = 0, conditions = COMPLETE } = {}): Promise<void> {
    const { generation = 0 } = (await sandbox.get(DEPLOYMENT, 'web'))?.metadata ?? {}
    const counts = { replicas: 1, updatedReplicas: updated, readyReplicas: 1, availableReplicas: 1 }
    const status = { observedGeneration: generation - behind, ...counts, conditions }
    await sandbox.edit(DEPLOYMENT, 'web', { status }, 'status')
  }
  const message = async (): Promise<string | undefined> => (await sandbox.condition('Ready'))?.message

  it('leaves a resource Ready: a changed label costs one status write, which says everything', async () => {
    await begin()
    await edit()
    expect(await sandbox.settled()).to.deep.equal(['apply Deployment default/web'])
    expect((await sandbox.get(DEPLOYMENT, 'web'))?.metadata.generation, 'its controller has something to see').to.equal(
      2,
    )
    await rolledOut()
    await sandbox.ready('Ready', { generation: 2 })
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a', 'True of 2, observed 2, label b'])
  })

  it('costs no status write at all where another role changes the label', async () => {
    await begin(`tasks:${deployment('one')}`)
    sandbox.operator?.replaceProject(await projectOf({ widget: `tasks:${deployment('two')}` }))
    await sandbox.until(
      () => sandbox.get(DEPLOYMENT, 'web'),
      (web) => web?.metadata.labels?.tier === 'two',
    )
    await sandbox.settled()
    await rolledOut()
    expect(await sandbox.settled()).to.deep.equal([])
    await clock.advance(PATIENCE)
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await seen.all()).to.deep.equal(['True of 1, observed 1'])
  })

  it('is said after 2 s, though nothing happens meanwhile', async () => {
    await begin()
    await edit()
    await sandbox.settled()
    await clock.advance(PATIENCE - 1)
    expect(await sandbox.settled()).to.deep.equal([])
    await clock.advance(1)
    await sandbox.ready('NotReady', { generation: 2 })
    expect(await message()).to.include('Deployment default/web is not ready: its controller has not seen it yet')
    expect(await sandbox.settled()).to.deep.equal(['patch Widget/status default/w'])
    expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a', 'False of 2, observed 2, label b'])
  })

  it('is said 2 s after it was first seen so, however often the resource is edited meanwhile', async () => {
    await begin()
    for (const label of ['b', 'c', 'd']) {
      await edit(label)
      await sandbox.settled()
      await clock.advance(PATIENCE / 4)
    }
    expect(await sandbox.settled()).to.deep.equal([])
    await clock.advance(PATIENCE / 4)
    await sandbox.ready('NotReady', { generation: 4 })
  })

  it('is said after 2 s also where the watch of the child delivers nothing', async () => {
    const watch = new HeldWatch(sandbox.client, 'Deployment')
    const project = await projectOf({ widget: ROLE })
    await begin()
    await sandbox.restart(project, { clock, client: watch.client })
    await edit('b')
    await sandbox.settled()
    watch.hold()
    await rolledOut()
    await clock.advance(PATIENCE)
    await sandbox.ready('NotReady', { generation: 2 })
    watch.letGo()
    await sandbox.ready('Ready', { generation: 2 })
  })

  it('is said 2 s after a restart of the operator at the latest', async () => {
    await begin()
    await edit()
    await sandbox.settled()
    await clock.advance(PATIENCE - 1)
    await sandbox.restart(await projectOf({ widget: ROLE }), { clock })
    await sandbox.settled()
    await clock.advance(PATIENCE - 1)
    expect((await sandbox.settled()).length).to.equal(0)
    await clock.advance(1)
    await sandbox.ready('NotReady', { generation: 2 })
  })

  it('is said at once when it has failed', async () => {
    await begin()
    await edit()
    await sandbox.settled()
    const late = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }
    await rolledOut({ conditions: [late] })
    await sandbox.ready('NotReady', { generation: 2 })
    expect(await message()).to.equal('Deployment default/web has failed: its rollout exceeded the progress deadline')
  })

  it('is said at once when its controller says of a former generation that it has failed', async () => {
    await begin()
    await edit()
    await sandbox.settled()
    await rolledOut({ behind: 1, conditions: [{ type: 'Stalled', status: 'True', reason: 'Broken' }] })
    await sandbox.ready('NotReady', { generation: 2 })
  })

  it('is said at once when its rollout has begun', async () => {
    await begin()
    await edit()
    await sandbox.settled()
    await rolledOut({ updated: 0 })
    await sandbox.ready('NotReady', { generation: 2 })
    expect(await message()).to.equal('Deployment default/web is not ready: 0 of 1 replicas are updated')
    await rolledOut()
    await sandbox.ready('Ready', { generation: 2 })
    expect((await sandbox.settled()).filter((write) => write.includes('status'))).to.have.length(2)
  })

  it('is said at once of a resource that is not Ready yet', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { clock })
    await sandbox.widget('w', { label: 'a' })
    await sandbox.ready('NotReady', { generation: 1 })
    await rolledOut({ updated: 0 })
    await sandbox.settled()
    await edit()
    await sandbox.ready('NotReady', { generation: 2 })
  })

  it('is not one that was made just now: that is said at once', async () => {
    await begin()
    await sandbox.remove(DEPLOYMENT, 'web')
    await sandbox.ready('NotReady', { generation: 1 })
    expect(await message()).to.include('its controller has not seen it yet')
  })

  it('says nothing when another client changes the child and it is put right', async () => {
    await begin()
    await sandbox.edit(DEPLOYMENT, 'web', { spec: { replicas: 3 } })
    await sandbox.until(
      async () => (await sandbox.get(DEPLOYMENT, 'web'))?.metadata.generation,
      (generation) => generation === 3,
    )
    expect(await sandbox.settled()).to.deep.equal(['apply Deployment default/web'])
    await rolledOut()
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a'])
  })

  describe('holds up later tasks', () => {
    it('with `waitReady`, while the resource stays Ready', async () => {
      await begin(`tasks:${deployment('${spec.label}', '\n    waitReady: true')}${AFTERWARDS}${STATUS}`)
      await edit()
      expect(await sandbox.settled()).to.deep.equal(['apply Deployment default/web'])
      expect((await sandbox.get(CONFIG_MAP, 'after'))?.data).to.deep.equal({ label: 'a' })
      await rolledOut()
      await sandbox.ready('Ready', { generation: 2 })
      expect(await sandbox.settled()).to.deep.equal(['apply ConfigMap default/after', 'patch Widget/status default/w'])
      expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a', 'True of 2, observed 2, label b'])
    })

    it('with `waitReady`, and is said after 2 s', async () => {
      await begin(`tasks:${deployment('${spec.label}', '\n    waitReady: true')}${AFTERWARDS}`)
      await edit()
      await sandbox.settled()
      await clock.advance(PATIENCE)
      await sandbox.ready('Waiting', { generation: 2 })
      expect((await sandbox.get(CONFIG_MAP, 'after'))?.data).to.deep.equal({ label: 'a' })
    })

    it('with `waitReady`, until its time is up', async () => {
      await begin(`tasks:${deployment('${spec.label}', '\n    waitReady: true\n    timeout: 1s')}${AFTERWARDS}`)
      await edit()
      await sandbox.settled()
      await clock.advance(1_000)
      await sandbox.ready('Failed', { generation: 2 })
    })

    it('that wait for it, while the resource stays Ready', async () => {
      const wait = '  - wait: { for: "${$isReady($web)}", message: web is not ready }\n'
      await begin(`tasks:${deployment('${spec.label}')}${wait}${AFTERWARDS}${STATUS}`)
      await edit()
      expect(await sandbox.settled()).to.deep.equal(['apply Deployment default/web'])
      await rolledOut()
      await sandbox.ready('Ready', { generation: 2 })
      expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a', 'True of 2, observed 2, label b'])
    })
  })

  it('leaves a resource Ready also where `readyWhen` asks for what its controller has to say', async () => {
    const readyWhen = '\n    readyWhen: "${$self.status.observedGeneration = $self.metadata.generation}"'
    await begin(`tasks:${deployment('${spec.label}', readyWhen)}${STATUS}`)
    await edit()
    expect(await sandbox.settled()).to.deep.equal(['apply Deployment default/web'])
    await rolledOut()
    await sandbox.ready('Ready', { generation: 2 })
    expect(await seen.all()).to.deep.equal(['True of 1, observed 1, label a', 'True of 2, observed 2, label b'])
  })

  it('hides nothing: another child that is not ready is said at once', async () => {
    const claim = `  - name: Data
    when: "\${spec.label = 'b'}"
    ensure:
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`
    await begin(`tasks:${deployment('${spec.label}')}${claim}`)
    await edit()
    await sandbox.ready('NotReady', { generation: 2 })
  })

  it('hides nothing: a task that fails is said at once', async () => {
    const broken = '  - { name: Check, assert: { that: ["${spec.label = \\"a\\"}"], message: it is not a } }\n'
    await begin(`tasks:${deployment('${spec.label}')}${broken}`)
    await edit()
    await sandbox.ready('Failed', { generation: 2 })
  })

  it("holds back no status of an entry whose conditions are not the engine's", async () => {
    await begin(ROLE, '- {group: example.com, version: v1, kind: Widget, role: widget, manageStatus: false}\n')
    await edit()
    const writes = await sandbox.settled()
    expect(writes).to.deep.equal(['apply Deployment default/web', 'patch Widget/status default/w'])
  })
})

/** What a client that watches the resource sees of its status, each state once. */
class Seen {
  readonly #sandbox: OperatorSandbox
  readonly #states: string[] = []
  readonly #abort = new AbortController()
  #version: string | undefined
  #watching: Promise<void> = Promise.resolve()

  constructor(sandbox: OperatorSandbox) {
    this.#sandbox = sandbox
  }

  async begin(): Promise<void> {
    const live = await this.#sandbox.get(WIDGET, 'w')
    if (!live) throw new Error('there is no resource to watch')
    this.#see(live)
    this.#watching = this.#watch(live.metadata.resourceVersion)
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await this.#watching
  }

  /** All until now. */
  async all(): Promise<readonly string[]> {
    const live = await this.#sandbox.get(WIDGET, 'w')
    await this.#sandbox.until(
      async () => this.#version,
      (version) => version === live?.metadata.resourceVersion,
    )
    return this.#states
  }

  async #watch(resourceVersion: string | undefined): Promise<void> {
    const { signal } = this.#abort
    try {
      const options = { namespace: 'default', resourceVersion, signal }
      for await (const event of this.#sandbox.client.watch(WIDGET, options))
        if (event.type === 'MODIFIED') this.#see(event.object)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #see(resource: KubeObject): void {
    this.#version = resource.metadata.resourceVersion
    const ready = findCondition(conditionsOf(resource), 'Ready')
    const { observedGeneration, label } = isJsonObject(resource.status) ? resource.status : {}
    const shown = label === undefined ? '' : `, label ${label}`
    const state = `${ready?.status} of ${ready?.observedGeneration}, observed ${observedGeneration}${shown}`
    if (state !== this.#states.at(-1)) this.#states.push(state)
  }
}
