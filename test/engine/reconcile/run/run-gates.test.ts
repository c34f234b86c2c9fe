import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import type { JsonValue } from '../../../../src/core/base/json.ts'
import { cutDeepNesting, MOST_LEVELS } from '../../../../src/core/kube/nesting.ts'
import type { KubeObject, ObjectMeta } from '../../../../src/core/kube/object.ts'
import { FINALIZER, ownerOf, PAUSED_ANNOTATION } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { ManagedObjects } from '../../../../src/engine/reconcile/prune/managed-objects.ts'
import type { WatchEntry } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import { DONE_BY_OTHERS } from '../../../../src/engine/reconcile/run/own-loop.ts'
import { type ReconcileContext, ResourceMemory } from '../../../../src/engine/reconcile/run/reconcile-context.ts'
import { type GateActions, RunGates } from '../../../../src/engine/reconcile/run/run-gates.ts'
import { RunInputs } from '../../../../src/engine/reconcile/run/run-inputs.ts'
import type { EngineEvents } from '../../../../src/engine/reconcile/status/engine-events.ts'
import type { SeenOverwrites } from '../../../../src/engine/reconcile/status/status-patch.ts'
import { PendingTriggers } from '../../../../src/engine/reconcile/trace/run-trace.ts'
import type { ReconcileResult } from '../../../../src/engine/runtime/reconciler.ts'
import { partOf } from '../../../support/part-of.ts'
import { compileTasks } from '../../../support/task-run.ts'

const GVK = { group: 'example.com', version: 'v1', kind: 'Widget' }
const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'd', name: 'w' }
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const FINGERPRINT = 'f'

interface Given {
  readonly metadata?: ObjectMeta
  readonly spec?: JsonValue
  readonly tasks?: string
  readonly finalize?: string
  readonly selection?: ReconcileContext['selection']
  readonly list?: ReconcileContext['list']
  /** What happened before, to the memory of the resource. */
  readonly before?: (memory: ResourceMemory) => void
  /** Objects of the resource that are there. */
  readonly inventory?: readonly KubeObject[]
  readonly isOwnDoing?: boolean
  /** Whether another client has overwritten the status. */
  readonly isOverwritten?: boolean
}

/** The gates, a context, and what the gates have done. */
function gatesFor({ metadata, spec = {}, finalize = '', selection = 'selected', list = 'tasks', ...given }: Given) {
  const did: string[] = []
  const note = (what: string) => async (): Promise<boolean> => did.push(what) > 0
  const tools = {
    clock: new FakeClock(),
    managedObjects: partOf<ManagedObjects>({ inventory: async () => given.inventory ?? [] }),
    pendingTriggers: new PendingTriggers(),
    overwrites: partOf<SeenOverwrites>({ has: () => given.isOverwritten ?? false }),
    engineEvents: partOf<EngineEvents>({
      recordThrottled: () => void did.push('event Throttled'),
      recordFinalizeSkipped: () => void did.push('event FinalizeSkipped'),
    }),
  }
  const actions = {
    status: {
      writeConditions: note('status'),
      replaceConditions: note('status in place of another'),
      write: note('status'),
    } as unknown as GateActions['status'],
    reports: {
      emit: ({ outcome }: { outcome: string }) => void did.push(`report ${outcome}`),
      emitTraced: (_context: ReconcileContext, { outcome }: { outcome: string }) => void did.push(`report ${outcome}`),
    } as unknown as GateActions['reports'],
    cleanUp: async (_context: ReconcileContext, reason: string): Promise<ReconcileResult> => {
      did.push(`clean up: ${reason}`)
      return {}
    },
  }
  const { role } = compileTasks(given.tasks ?? '- set: {x: 1}', {}, finalize)
  const named = { name: 'w', namespace: 'd', uid: 'u', resourceVersion: '1', ...metadata }
  const resource = cutDeepNesting({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: named, spec })
  const memory = new ResourceMemory('u')
  given.before?.(memory)
  const context = partOf<ReconcileContext>({
    ...{ request: REQUEST, selection, list, memory, fingerprint: FINGERPRINT, triggers: [], period: 0 },
    entry: partOf<WatchEntry>({ gvk: GVK, role: role as WatchEntry['role'] }),
    owner: ownerOf(resource, GVK),
    cause: async () => () => ({ isOwnDoing: given.isOwnDoing ?? false, chain: 0 }),
    signal: new AbortController().signal,
  })
  return { gates: new RunGates(tools, actions), context, did, triggers: tools.pendingTriggers }
}

/** As after a run that was complete and read nothing. */
function complete(memory: ResourceMemory): void {
  memory.completed = { inputs: new RunInputs(FINGERPRINT), made: new Set() }
}

/** As after eleven runs in a minute, each because of what the one before had written. */
function looped(memory: ResourceMemory): void {
  for (let chain = 1; chain <= 11; chain++)
    memory.loop.count({ fingerprint: FINGERPRINT, cause: { isOwnDoing: true, chain }, wrote: ['status.x'] }, 0)
}

/** As after a run that another client seemed to have caused. */
function waited(memory: ResourceMemory): void {
  memory.loop.holdFor({ fingerprint: FINGERPRINT, cause: DONE_BY_OTHERS }, 0)
}

/** As after runs that have made a thousand requests too many. */
function spent(memory: ResourceMemory): void {
  memory.allowance.spend(11_000, 0)
}

function both(first: typeof complete, second: typeof complete): typeof complete {
  return (memory) => {
    first(memory)
    second(memory)
  }
}

function nested(levels: number): JsonValue {
  return levels === 0 ? {} : { a: nested(levels - 1) }
}

const CHILD: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'd', uid: 'c' } }
const FINALIZE = 'finalize:\n- set: {x: 1}\n'
const PAUSED = { annotations: { [PAUSED_ANNOTATION]: 'true' } }

/** In the order of the gates. `did` is what a gate does beside its result; a gate that lets pass has no result and does nothing. */
const CASES: readonly {
  gate: string
  name: string
  given: Given
  result?: ReconcileResult | RegExp
  did?: string[]
}[] = [
  {
    gate: 'paused',
    name: 'says in the status that the resource is paused',
    given: { metadata: PAUSED },
    result: {},
    did: ['status', 'report paused'],
  },
  {
    gate: 'paused',
    name: 'lets pass what is not paused',
    given: { metadata: { annotations: { [PAUSED_ANNOTATION]: 'no' } } },
  },
  {
    gate: 'without role',
    name: 'says in the status that there is no role',
    given: { selection: 'withoutRole' },
    result: {},
    did: ['status in place of another', 'report spared'],
  },
  { gate: 'without role', name: 'lets pass what an entry selects', given: {} },
  { gate: 'without role', name: 'lets pass what has left its selector', given: { selection: 'unselected' } },
  {
    gate: 'unselected',
    name: 'cleans up',
    given: { selection: 'unselected' },
    result: {},
    did: ['clean up: unselected'],
  },
  {
    gate: 'unselected',
    name: 'cleans up what is deleted, and says that its `finalize` tasks do not run',
    given: { selection: 'unselected', finalize: FINALIZE, metadata: { ...DELETED, finalizers: [FINALIZER] } },
    result: {},
    did: ['event FinalizeSkipped', 'clean up: unselected'],
  },
  { gate: 'unselected', name: 'lets pass what an entry selects', given: {} },
  { gate: 'deleted', name: 'cleans up', given: { metadata: DELETED }, result: {}, did: ['clean up: deleted'] },
  {
    gate: 'deleted',
    name: 'cleans up what no expression can be evaluated over, without its `finalize` tasks',
    given: { metadata: DELETED, spec: nested(MOST_LEVELS), list: 'finalize' },
    result: {},
    did: ['clean up: deleted'],
  },
  {
    gate: 'deleted',
    name: 'lets pass what has `finalize` tasks to run',
    given: { metadata: DELETED, list: 'finalize' },
  },
  { gate: 'deleted', name: 'lets pass what is not deleted', given: {} },
  {
    gate: 'too deeply nested',
    name: 'says in the status what is wrong, and tries again late',
    given: { spec: nested(MOST_LEVELS) },
    result: /^{"requeueAfter":\d{6,7}(\.\d+)?,"requeuePriority":"retry"}$/,
    did: ['status', 'report failed'],
  },
  { gate: 'too deeply nested', name: 'lets pass what can be read', given: { spec: nested(100) } },
  {
    gate: 'too many requests',
    name: 'waits until the allowance is back, which an event says',
    given: { before: spent },
    result: { requeueAfter: 20_000, requeuePriority: 'retry' },
    did: ['event Throttled'],
  },
  { gate: 'too many requests', name: 'lets pass what has an allowance', given: {} },
  { gate: 'unchanged', name: 'skips the run', given: { before: complete }, result: {}, did: ['report skipped'] },
  { gate: 'unchanged', name: 'lets pass what has not been complete', given: {} },
  {
    gate: 'unchanged',
    name: 'lets pass what is unchanged but for its status, which another client has overwritten',
    given: { before: complete, isOverwritten: true },
  },
  {
    gate: 'unchanged',
    name: 'lets pass what has an object that the last run did not make',
    given: { before: complete, inventory: [CHILD] },
  },
  {
    gate: 'own loop',
    name: 'waits for the end of the pause, where only own writes have changed something',
    given: { before: looped, isOwnDoing: true },
    result: { requeueAfter: 10_000, requeuePriority: 'retry' },
  },
  {
    gate: 'own loop',
    name: 'waits a moment where another client seems to have changed something: the answer to our own write may come yet',
    given: { before: looped },
    result: { requeueAfter: 1_000, requeuePriority: 'retry' },
  },
  {
    gate: 'own loop',
    name: 'lets pass what another client has changed, after that moment',
    given: { before: both(looped, waited) },
  },
  { gate: 'own loop', name: 'lets pass what is in no loop', given: { isOwnDoing: true } },
]

describe('The gates of a run', () => {
  it('are these, in this order', () => {
    const { gates } = gatesFor({})
    expect(gates.gates.map(({ name }) => name)).to.deep.equal([...new Set(CASES.map(({ gate }) => gate))])
    expect(gates.gates).to.have.length(8)
  })

  for (const { gate, name, given, result, did: expected = [] } of CASES) {
    it(`${gate}: ${name}`, async () => {
      const { gates, context, did } = gatesFor(given)
      const found = gates.gates.find((one) => one.name === gate)
      const passed = await found?.pass(context)
      if (result instanceof RegExp) expect(JSON.stringify(passed)).to.match(result)
      else expect(passed).to.deep.equal(result)
      expect(did).to.deep.equal(expected)
    })
  }

  const first: readonly { name: string; given: Given; did: string[] }[] = [
    { name: 'let a resource run that none of them holds back', given: {}, did: [] },
    {
      name: 'keep what is paused, although it is deleted and no entry selects it',
      given: { metadata: { ...PAUSED, ...DELETED }, selection: 'unselected' },
      did: ['status', 'report paused'],
    },
    {
      name: 'keep what has lost its role, although it is deleted',
      given: { metadata: DELETED, selection: 'withoutRole' },
      did: ['status in place of another', 'report spared'],
    },
    {
      name: 'clean up what is deleted, although it has made too many requests',
      given: { metadata: DELETED, before: spent },
      did: ['clean up: deleted'],
    },
    {
      name: 'let what has made too many requests wait, although nothing has changed',
      given: { before: both(complete, spent) },
      did: ['event Throttled'],
    },
    {
      name: 'skip what has not changed, although it is in the pause of a loop',
      given: { before: both(complete, looped), isOwnDoing: true },
      did: ['report skipped'],
    },
  ]
  for (const { name, given, did: expected } of first) {
    it(name, async () => {
      const { gates, context, did } = gatesFor(given)
      expect((await gates.pass(context)) === undefined).to.equal(expected.length === 0)
      expect(did).to.deep.equal(expected)
    })
  }

  it('forget that the last run was complete where they close for what a person has to change', async () => {
    for (const given of [{ metadata: PAUSED }, { spec: nested(MOST_LEVELS) }]) {
      const { gates, context } = gatesFor({ ...given, before: complete })
      await gates.pass(context)
      expect(context.memory.completed).to.equal(undefined)
    }
  })

  it('keep what triggered a run that has to wait', async () => {
    const { gates, context, triggers } = gatesFor({ before: spent })
    await gates.pass({ ...context, triggers: [{ kind: 'created' }] })
    expect(triggers.take(REQUEST)).to.deep.equal([{ kind: 'created' }])
  })
})
