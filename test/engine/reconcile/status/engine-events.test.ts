import { expect } from 'chai'
import { FakeClock } from '../../../../src/core/base/fake-clock.ts'
import { type LogFields, nopLogger } from '../../../../src/core/base/logger.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import type { EngineConditions } from '../../../../src/engine/reconcile/status/engine-conditions.ts'
import {
  changesOf,
  EngineEvents,
  type EventTarget,
  type ObjectChange,
  removalOf,
} from '../../../../src/engine/reconcile/status/engine-events.ts'
import type { EventRecorder } from '../../../../src/engine/runtime/event-recorder.ts'
import { partOf } from '../../../support/part-of.ts'

const WIDGET = { group: 'example.com', version: 'v1', kind: 'Widget' }
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' }

function target(status?: KubeObject['status']): EventTarget {
  const metadata = { name: 'w', namespace: 'd', uid: 'u' }
  const resource: KubeObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata, ...(status && { status }) }
  const secrecy = { redact: (text: string) => text.replaceAll('hunter2', '<redacted>') }
  return { owner: ownerOf(resource, WIDGET), secrecy, signal: new AbortController().signal }
}

function eventsIn() {
  const recorded: string[] = []
  const corrected: string[] = []
  const occasions: (string | undefined)[] = []
  const events = partOf<EventRecorder>({
    record: (_about: unknown, { type, reason, message, occasion }: Parameters<EventRecorder['record']>[1]) => {
      recorded.push(`${type} ${reason} ${message}`)
      occasions.push(occasion)
    },
  })
  const clock = new FakeClock()
  const kept: string[] = []
  const metrics = {
    driftCorrected: (kind: string) => void corrected.push(kind),
    childKept: (kind: string) => void kept.push(kind),
  }
  return {
    engine: new EngineEvents({ events, clock, logger: nopLogger, metrics }),
    recorded,
    corrected,
    kept,
    occasions,
    clock,
  }
}

const change = (kind: ObjectChange['kind'], name: string, fields: readonly string[] = []): ObjectChange => ({
  kind,
  fields,
  gvk: CONFIG_MAP,
  key: { namespace: 'd', name },
})

describe('events about what a run did', () => {
  const names = ['a', 'b', 'c', 'd']
  const cases: readonly { name: string; changes: readonly ObjectChange[]; recorded: readonly string[] }[] = [
    { name: 'nothing', changes: [], recorded: [] },
    {
      name: 'all that a run made, in one event',
      changes: [change('created', 'a'), change('created', 'b')],
      recorded: ['Normal Created created ConfigMap d/a, ConfigMap d/b'],
    },
    {
      name: 'all that a run made, changed and removed, in one event',
      changes: [change('removed', 'c'), change('created', 'a'), change('changed', 'b', ['data.x'])],
      recorded: ['Normal Changed created ConfigMap d/a; changed data.x of ConfigMap d/b; removed ConfigMap d/c'],
    },
    {
      name: 'drift apart from what a run made',
      changes: [change('created', 'a'), change('corrected', 'b', ['data.x'])],
      recorded: [
        'Normal Created created ConfigMap d/a',
        'Normal DriftCorrected put back data.x of ConfigMap d/b, which another client had changed',
      ],
    },
    { name: 'a change of our marks alone', changes: [change('changed', 'a')], recorded: [] },
    {
      name: 'many fields',
      changes: [change('changed', 'a', ['a', 'b', 'c', 'd', 'e', 'f', 'g'])],
      recorded: ['Normal Changed changed a, b, c, d, e and 2 more of ConfigMap d/a'],
    },
    {
      name: 'many objects',
      changes: names.map((one) => change('removed', one)),
      recorded: ['Normal Removed removed 4 objects: ConfigMap d/a, ConfigMap d/b, ConfigMap d/c, …'],
    },
    {
      name: 'an adoption that changed nothing',
      changes: [change('adopted', 'a')],
      recorded: ['Normal Adopted adopted ConfigMap d/a'],
    },
    {
      name: 'many corrections',
      changes: names.map((one) => change('corrected', one, ['x'])),
      recorded: [
        'Normal DriftCorrected put back what another client had changed of 4 objects: ConfigMap d/a, ConfigMap d/b, ConfigMap d/c, …',
      ],
    },
    {
      name: 'a name that holds a secret',
      changes: [change('created', 'hunter2')],
      recorded: ['Normal Created created ConfigMap d/<redacted>'],
    },
  ]
  for (const { name, changes, recorded: expected } of cases) {
    it(`report ${name}`, () => {
      const { engine, recorded, corrected } = eventsIn()
      engine.recordChanges(changes, target())
      expect(recorded).to.deep.equal(expected)
      expect(corrected).to.have.length(changes.filter(({ kind }) => kind === 'corrected').length)
    })
  }

  it('have another occasion every hour', async () => {
    const { engine, occasions, clock } = eventsIn()
    for (const minutes of [0, 59, 1]) {
      await clock.advance(minutes * 60_000)
      engine.recordChanges([change('created', 'a')], target())
    }
    expect(occasions[0]).to.equal(occasions[1])
    expect(occasions[2]).not.to.equal(occasions[0])
  })
})

describe('a change', () => {
  const object = (data: Record<string, string>, labels = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'd', resourceVersion: String(Object.keys(data).length), labels },
    data,
  })
  const cases = [
    { name: 'a new object', written: { before: undefined, after: object({ x: '1' }) }, kind: 'created', fields: [] },
    {
      name: 'a changed one',
      written: { before: object({ x: '1', y: '1' }), after: object({ x: '2', z: '1' }, { l: 'v' }) },
      kind: 'changed',
      fields: ['data.x', 'data.y', 'data.z', 'metadata.labels'],
    },
    {
      name: 'what was put back',
      written: { before: object({}), after: object({ x: '1' }), lost: [['data', 'x']] },
      kind: 'corrected',
      fields: ['data.x'],
    },
  ]
  for (const { name, written, kind, fields } of cases) {
    it(`is ${kind} for ${name}`, () => {
      const [change, ...others] = changesOf(written)
      const { fields: found, ...rest } = change as ObjectChange
      expect(others).to.deep.equal([])
      expect(rest).to.deep.equal({ kind, gvk: CONFIG_MAP, key: { namespace: 'd', name: 'a' } })
      expect([...found].sort()).to.deep.equal(fields)
    })
  }

  it('is removed for an object that goes', () => {
    expect(removalOf(object({}))).to.deep.equal(change('removed', 'a'))
  })
})

describe('events about a resource that is not ready', () => {
  const conditions = (reason: string, message: string, further: Partial<EngineConditions> = {}): EngineConditions => ({
    Ready: { type: 'Ready', status: 'False', reason, message },
    ...further,
  })
  const stalled = (reason: string) => ({ Stalled: { type: 'Stalled', status: 'True', reason } })
  const going = { Reconciling: { type: 'Reconciling', status: 'True' } }
  const cases: readonly {
    name: string
    now: EngineConditions
    before?: EngineConditions
    recorded: string | undefined
  }[] = [
    { name: 'a wait', now: conditions('Waiting', 'task "A": x', going), recorded: 'Normal Waiting task "A": x' },
    {
      name: 'the same wait in other words',
      now: conditions('Waiting', 'task "A": y', going),
      before: conditions('Waiting', 'task "A": x'),
      recorded: undefined,
    },
    {
      name: 'a wait of another task',
      now: conditions('Waiting', 'task "B": x', going),
      before: conditions('Waiting', 'task "A": x'),
      recorded: 'Normal Waiting task "B": x',
    },
    {
      name: 'a wait that names no task',
      now: conditions('Waiting', 'soon', going),
      before: conditions('Waiting', 'later'),
      recorded: 'Normal Waiting soon',
    },
    {
      name: 'a failure, by the reason of Stalled',
      now: conditions('Conflict', 'x', stalled('NameCollision')),
      before: conditions('Waiting', 'x'),
      recorded: 'Warning NameCollision x',
    },
    {
      name: 'the same failure',
      now: conditions('Failed', 'x', stalled('Failed')),
      before: conditions('Failed', 'x'),
      recorded: undefined,
    },
    {
      name: 'the same failure with another message',
      now: conditions('Failed', 'y', stalled('Failed')),
      before: conditions('Failed', 'x'),
      recorded: 'Warning Failed y',
    },
    { name: 'a failure that may pass', now: conditions('Failed', 'x', going), recorded: 'Warning Failed x' },
    { name: 'children on their way', now: conditions('NotReady', 'x', going), recorded: undefined },
    { name: 'a child that has failed', now: conditions('NotReady', 'x'), recorded: 'Warning NotReady x' },
    { name: 'a pause', now: conditions('Paused', 'x'), recorded: undefined },
    { name: 'a deletion', now: conditions('Deleting', 'x', going), recorded: undefined },
    {
      name: 'a deletion that is stuck',
      now: conditions('Deleting', 'x', stalled('Failed')),
      recorded: 'Warning Failed x',
    },
    {
      name: 'a failure that stalls for no reason of its own',
      now: conditions('Failed', 'x', { Stalled: { type: 'Stalled', status: 'True' } }),
      recorded: 'Warning Failed x',
    },
    { name: 'a condition without words', now: { Ready: { type: 'Ready', status: 'False' } }, recorded: 'Warning  ' },
    { name: 'readiness', now: { Ready: { type: 'Ready', status: 'True', reason: 'Ready' } }, recorded: undefined },
  ]
  for (const { name, now, before, recorded: expected } of cases) {
    it(`${expected === undefined ? 'do not report' : 'report'} ${name}`, () => {
      const remembered = eventsIn()
      remembered.engine.recordConditions(now, before?.Ready, target())
      expect(remembered.recorded).to.deep.equal(expected === undefined ? [] : [expected])
      // After a restart, the status shows what was recorded.
      const restarted = eventsIn()
      restarted.engine.recordConditions(now, undefined, target(before && { conditions: [before.Ready] }))
      expect(restarted.recorded).to.deep.equal(remembered.recorded)
    })
  }
})

describe('the event about objects that stay because nothing shows whether they may be deleted', () => {
  it('names ten of them, hides values of Secrets, and counts all', () => {
    const { engine, recorded, kept } = eventsIn()
    const metadata = (index: number) => ({ name: index === 0 ? 'hunter2' : `c-${index}`, namespace: 'd' })
    const objects = Array.from({ length: 12 }, (_none, index): KubeObject => {
      return { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(index) }
    })
    engine.recordKept(objects, target())
    expect(recorded).to.have.lengthOf(1)
    expect(recorded[0]).to.match(
      /^Warning ChildrenKept cannot delete ConfigMap d\/<redacted>, .*ConfigMap d\/c-9 and 2 more: /,
    )
    expect(kept).to.deep.equal(Array.from({ length: 12 }, () => 'ConfigMap'))
  })

  it('names them as they are where nothing is secret', () => {
    const logged: unknown[] = []
    const events = partOf<EventRecorder>({ record: () => undefined })
    const logger = { ...nopLogger, warn: (_message: string, fields?: LogFields) => void logged.push(fields?.objects) }
    const { secrecy: _secrecy, ...open } = target()
    const kept: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'hunter2', namespace: 'd' } }
    new EngineEvents({ events, clock: new FakeClock(), logger }).recordKept([kept], open)
    expect(logged).to.deep.equal(['ConfigMap d/hunter2'])
  })
})
