import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject, ObjectMeta } from '../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../src/core/kube/resource-mapper.ts'
import { type RoleReconcilerOptions, SeenChanges } from '../../../src/engine/reconcile/engine-options.ts'
import { newRoleReconciler } from '../../../src/engine/reconcile/new-role-reconciler.ts'
import { Ledger } from '../../../src/engine/reconcile/ownership/ledger.ts'
import type { ObjectCaches, WatchEntry } from '../../../src/engine/reconcile/reconciler-ports.ts'
import type { RunReport, Trigger } from '../../../src/engine/reconcile/trace/run-trace.ts'
import type { Role } from '../../../src/engine/role/role.ts'
import { RunSecrecy } from '../../../src/engine/role/secrecy/run-secrecy.ts'
import { LongTurns, type Turn } from '../../../src/engine/runtime/long-turns.ts'
import { long } from '../../support/long-tests.ts'
import { partOf } from '../../support/part-of.ts'
import { compileTasks } from '../../support/task-run.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'd', name: 'w' }
const ROLE = compileTasks('- get: {apiVersion: v1, kind: ConfigMap, name: c, optional: true}').role as Role

const SECRETS = 1_000
/** Asks the server for each of its Secrets whenever that has another version. */
const READER = compileTasks(
  `- {loop: "\${[1..${SECRETS}]}", get: {apiVersion: v1, kind: Secret, name: "s-\${$item}", optional: true}}`,
).role as Role

const COSTLY = compileTasks('- set: {it: "${[1..3000].[1..3000]}"}').role as Role

interface World {
  metadata: ObjectMeta
  /** What has become of the resource in the caches, when they do not simply have it. */
  found?: 'expected' | 'gone' | 'unselected' | 'withoutRole' | undefined
  /** Its watch has lost the resource since the run began. */
  isLost?: boolean
  reads?: Error
  /** Why its objects cannot be looked for. */
  inventory?: Error
  statusWrites?: Error
}

/** A reconciler whose resource, caches and server do as a test says. */
function reconcilerIn(role = ROLE) {
  const world: World = { metadata: { uid: 'u' } }
  const runs: Omit<RunReport, 'at'>[] = []
  const seen = new SeenChanges()
  const { triggers: pendingTriggers } = seen
  const secrecy = new RunSecrecy()
  /** What a text looks like after redaction when a run begins. */
  const begun: string[] = []
  /** Reasons of the events that are recorded. */
  const events: unknown[] = []
  const clock = new FakeClock()
  let version = 0
  let status: JsonObject | undefined
  const resource = (): KubeObject => {
    const metadata = { name: 'w', namespace: 'd', resourceVersion: '1', ...world.metadata }
    return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...(status && { status }) }
  }
  const client = partOf<KubeClient>({
    get: async () => undefined,
    create: async (object) => {
      if (object.kind === 'Event') events.push(object.reason)
      return object
    },
    patch: async (_gvk, _key, { body }) => {
      if (world.statusWrites) throw world.statusWrites
      status = { ...status, ...(body as { status: JsonObject }).status }
      return resource()
    },
  })
  const entry: WatchEntry = {
    ...{ gvk: WIDGET, role, hash: 'h', reconcilePeriod: 0, manageStatus: true },
    ...{ allowedNamespaces: {}, allowedToKind: [{}], deletion: { propagation: 'background' } },
  }
  const options: RoleReconcilerOptions = {
    client,
    mapper: partOf<ResourceMapper>({
      mappingFor: async () => ({ gvk: WIDGET, plural: 'x', namespaced: true, subresources: ['status'], verbs: [] }),
    }),
    openApi: { document: async () => undefined },
    caches: partOf<ObjectCaches>({
      children: async () => {
        if (world.inventory) throw world.inventory
        return []
      },
      get: async ({ kind }) => {
        if (world.reads) throw world.reads
        if (kind !== 'Secret') return undefined
        return { apiVersion: 'v1', kind, metadata: { name: 's', uid: 's', resourceVersion: String(++version) } }
      },
      sent: () => undefined,
      isUnanswered: () => false,
      wrote: () => undefined,
    }),
    resources: {
      find: async () => {
        begun.push(secrecy.redact('correct-h0rse'))
        return { kind: 'selected', resource: resource(), entry, ...(world.found && { kind: world.found }) }
      },
      latest: () => (world.isLost ? undefined : resource()),
      isDeletionDue: () => false,
    },
    secrecy,
    subscriptions: { add: () => undefined, keep: () => undefined },
    ledger: new Ledger(client, 'd'),
    seen,
    clock,
    logger: nopLogger,
    onRun: (report) => void runs.push(report),
  }
  const reconciler = newRoleReconciler(options)
  const run = (signal = new AbortController().signal, turn?: Turn) => reconciler.reconcile(REQUEST, signal, turn)
  return { run, runs, pendingTriggers, world, begun, clock, events, status: () => status }
}

const FORBIDDEN = new ApiError(403, 'Forbidden', 'User "x" cannot list resource "configmaps" in API group ""')

describe('One resource, run after run', () => {
  it('is skipped while nothing is different', async () => {
    const { run, runs } = reconcilerIn()
    for (let count = 0; count < 3; count++) await run()
    expect(runs.map(({ outcome }) => outcome)).to.deep.equal(['complete', 'skipped', 'skipped'])
  })

  it('says nothing of a run that gives up because it computes for long, and all of the one whose turn it is', async () => {
    const { run, runs, pendingTriggers, status } = reconcilerIn(COSTLY)
    pendingTriggers.note(REQUEST, { kind: 'edited' } as Trigger)
    const turns = new LongTurns(new FakeClock())
    const { signal } = new AbortController()
    for (let time = 0; time < 2; time++)
      expect(await run(signal, turns.begin(false))).to.deep.equal({ needsLongTurn: true })
    expect([runs, status()]).to.deep.equal([[], undefined])
    await run(signal, turns.begin(true))
    expect(runs.map(({ outcome, trace }) => [outcome, trace?.woken])).to.deep.equal([['failed', [{ kind: 'edited' }]]])
    expect(JSON.stringify(status()?.conditions)).to.contain('ExpressionLimit')
  })

  it('keeps redacting what a run has read that gave up: the next one may end before it reads it again', async () => {
    const tasks = `- {sensitive: true, set: {secret: "\${'correct' & '-h0rse'}"}}\n- set: {it: "\${[1..3000].[1..3000]}"}`
    const { run, begun } = reconcilerIn(compileTasks(tasks).role as Role)
    const turns = new LongTurns(new FakeClock())
    for (let time = 0; time < 2; time++)
      expect(await run(undefined, turns.begin(false))).to.deep.equal({ needsLongTurn: true })
    expect(begun).to.deep.equal(['correct-h0rse', '<redacted>'])
  })

  it('reports to the turn of a long run how long it computes', async () => {
    const spent: number[] = []
    const { run, clock } = reconcilerIn(COSTLY)
    let looks = 0
    clock.monotonic = () => 5 * looks++
    await run(undefined, { isLong: true, spent: (milliseconds) => void spent.push(milliseconds), end: () => undefined })
    // One evaluation looks at the clock when it begins and when it ends.
    expect(spent).to.deep.equal([5])
  })

  it('is run again when what it read can no longer be read, and says why', async () => {
    const { run, runs, world } = reconcilerIn()
    await run()
    world.reads = FORBIDDEN
    await run()
    expect(runs.map(({ outcome, ready }) => [outcome, ready?.reason])).to.deep.equal([
      ['complete', 'Ready'],
      ['failed', 'Forbidden'],
    ])
  })

  long.it(
    'waits once its runs have asked more than any needs, and an event says so; the trace of the run keeps its trigger',
    async () => {
      const { run, runs, pendingTriggers, clock, events } = reconcilerIn(READER)
      for (let count = 0; count < 10_000 / SECRETS; count++) await run()
      pendingTriggers.note(REQUEST, { kind: 'edited' } as Trigger)
      // The status of the first run was a request, too.
      for (let count = 0; count < 3; count++)
        expect(await run()).to.deep.equal({ requeueAfter: 20, requeuePriority: 'retry' })
      expect(runs).to.have.length(10_000 / SECRETS)
      await clock.advance(20)
      await run()
      expect(runs.at(-1)?.trace?.woken).to.deep.equal([{ kind: 'edited' }])
      expect(events).to.deep.equal(['Throttled'])
    },
  )

  it('is left when the operator stops, without a word', async () => {
    const { run, runs, world } = reconcilerIn()
    await run()
    world.reads = FORBIDDEN
    const stopped = run(AbortSignal.abort(new Error('stopped'))).catch((error: Error) => error.message)
    expect([await stopped, runs.length]).to.deep.equal(['stopped', 1])
  })

  it('begins anew when another resource has its name, although no watch has shown the deletion', async () => {
    const { run, runs, world } = reconcilerIn()
    await run()
    world.metadata = { uid: 'other' }
    await run()
    expect(runs.map(({ outcome }) => outcome)).to.deep.equal(['complete', 'complete'])
  })

  it('leaves nothing of what triggered it when it has gone, to another of its name', async () => {
    const { run, runs, pendingTriggers, world } = reconcilerIn()
    const takes = async (kind: Trigger['kind'], found?: 'gone'): Promise<readonly Trigger[] | undefined> => {
      world.found = found
      pendingTriggers.note(REQUEST, { kind } as Trigger)
      await run()
      return runs.at(-1)?.trace?.woken
    }
    await takes('created')
    await takes('deleted', 'gone')
    expect(pendingTriggers.take(REQUEST)).to.deep.equal([])
    await takes('deleted', 'gone')
    expect(await takes('created')).to.deep.equal([{ kind: 'created' }])
  })

  it('keeps what triggered it while the caches do not have it yet', async () => {
    const { run, pendingTriggers, world } = reconcilerIn()
    world.found = 'expected'
    pendingTriggers.note(REQUEST, { kind: 'created' } as Trigger)
    await run()
    expect(pendingTriggers.take(REQUEST)).to.deep.equal([{ kind: 'created' }])
  })

  it('is looked for again soon while the caches do not have it yet', async () => {
    const { run, runs, world } = reconcilerIn()
    world.found = 'expected'
    expect([await run(), runs]).to.deep.equal([{ retry: true }, []])
  })

  it('has its status written also when its watch has lost it during the run', async () => {
    const { run, runs, world, status } = reconcilerIn()
    world.isLost = true
    await run()
    expect(runs.map(({ outcome, wroteStatus }) => [outcome, wroteStatus])).to.deep.equal([['complete', true]])
    expect(JSON.stringify(status()?.conditions)).to.contain('"Ready"')
  })

  it('goes also when its watch has lost it while its `finalize` tasks ran', async () => {
    const { run, runs, world } = reconcilerIn(
      compileTasks('- set: {x: 1}', {}, 'finalize:\n- set: {x: 1}\n').role as Role,
    )
    world.metadata = { uid: 'u', deletionTimestamp: 'x', finalizers: ['rolebook.dev/finalizer'] }
    world.isLost = true
    await run()
    expect(runs.map(({ outcome }) => outcome)).to.deep.equal(['gone'])
  })

  it('is not complete before what its role no longer makes can be looked for', async () => {
    const tasks = '- {when: "${false}", ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}}'
    const { run, runs, world, status } = reconcilerIn(compileTasks(tasks).role as Role)
    world.inventory = FORBIDDEN
    await run()
    expect(runs.map(({ outcome }) => outcome)).to.deep.equal(['failed'])
    expect(JSON.stringify(status()?.conditions)).to.contain('remove what the role no longer makes')
    delete world.inventory
    await run()
    expect(runs.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'complete'])
  })

  it('says only of a failure that has not passed with the third run that there is one', async () => {
    const { run, runs, world } = reconcilerIn()
    world.reads = new ApiError(503, 'ServiceUnavailable', 'x')
    for (let count = 0; count < 3; count++) await run()
    expect(runs.map(({ outcome, wroteStatus }) => [outcome, wroteStatus])).to.deep.equal([
      ['failed', false],
      ['failed', false],
      ['failed', true],
    ])
  })

  const AGAIN = { ends: 'retry,minimumDelay', outcomes: [] }
  const failures: { name: string; error: Error; ends: string; outcomes: string[] }[] = [
    { name: 'written on an old view is written again', error: new ApiError(409, 'Conflict', 'x'), ...AGAIN },
    { name: 'of what has gone is not a failure', error: new ApiError(404, 'NotFound', 'x'), ...AGAIN },
    { name: 'that the engine fails to write is a fault', error: new TypeError('x'), ends: 'TypeError', outcomes: [] },
    {
      name: 'that the server takes in no form is a fault',
      error: new ApiError(422, 'Invalid', 'x'),
      ends: 'ApiError',
      outcomes: [],
    },
    {
      name: 'that may not be written is for a person to mend',
      error: FORBIDDEN,
      ends: 'requeueAfter,requeuePriority',
      outcomes: ['failed'],
    },
  ]
  for (const { name, error, ends, outcomes } of failures) {
    it(`is run; a status ${name}`, async () => {
      const { run, runs, world } = reconcilerIn()
      world.statusWrites = error
      const ended = await run().then(
        (result) => Object.keys(result).join(),
        ({ name: kind }: Error) => kind,
      )
      expect([ended, runs.map(({ outcome, wroteStatus }) => [outcome, wroteStatus])]).to.deep.equal([
        ends,
        outcomes.map((outcome) => [outcome, false]),
      ])
    })
  }

  const refusals: { name: string; error: Error; ends: RegExp; outcomes: string[] }[] = [
    {
      name: 'may not be written holds nothing up, and is tried again',
      error: FORBIDDEN,
      ends: /^{"requeueAfter":\d+(\.\d+)?,"requeuePriority":"retry"}$/,
      outcomes: ['paused'],
    },
    {
      name: 'cannot be written for now is tried again',
      error: new ApiError(503, 'ServiceUnavailable', 'x'),
      ends: /^{"retry":true,"minimumDelay":0}$/,
      outcomes: [],
    },
  ]
  for (const { name, error, ends, outcomes } of refusals) {
    it(`is paused; a status that ${name}`, async () => {
      const { run, runs, world } = reconcilerIn()
      world.metadata = { uid: 'u', annotations: { 'rolebook.dev/paused': 'true' } }
      world.statusWrites = error
      expect(JSON.stringify(await run())).to.match(ends)
      expect(runs.map(({ outcome, wroteStatus }) => [outcome, wroteStatus])).to.deep.equal(
        outcomes.map((outcome) => [outcome, false]),
      )
    })
  }
})

describe('The gates before a run', () => {
  const paused = { 'rolebook.dev/paused': 'true' }
  const deleted = '2026-01-01T00:00:00Z'
  const cases: readonly {
    name: string
    metadata: ObjectMeta
    found?: World['found']
    outcome: RunReport['outcome']
  }[] = [
    { name: 'let a selected resource run', metadata: {}, outcome: 'complete' },
    { name: 'keep a paused resource as it is', metadata: { annotations: paused }, outcome: 'paused' },
    {
      name: 'keep a paused resource as it is, although no entry selects it',
      metadata: { annotations: paused },
      found: 'unselected',
      outcome: 'paused',
    },
    {
      name: 'keep a paused resource as it is, although it is deleted',
      metadata: { annotations: paused, deletionTimestamp: deleted },
      outcome: 'paused',
    },
    { name: 'report that a resource has no role', metadata: {}, found: 'withoutRole', outcome: 'spared' },
    {
      name: 'report that a resource has no role before they look at its deletion',
      metadata: { deletionTimestamp: deleted },
      found: 'withoutRole',
      outcome: 'spared',
    },
    { name: 'clean up a resource that no entry selects', metadata: {}, found: 'unselected', outcome: 'gone' },
    { name: 'clean up a deleted resource', metadata: { deletionTimestamp: deleted }, outcome: 'gone' },
  ]
  for (const { name, metadata, found, outcome } of cases) {
    it(name, async () => {
      const { run, runs, world } = reconcilerIn()
      world.metadata = { uid: 'u', ...metadata }
      world.found = found
      await run()
      expect(runs.map((report) => report.outcome)).to.deep.equal([outcome])
    })
  }

  it('skip a resource without any change', async () => {
    const { run, runs } = reconcilerIn()
    await run()
    await run()
    expect(runs.map((report) => report.outcome)).to.deep.equal(['complete', 'skipped'])
  })
})
