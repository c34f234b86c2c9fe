import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { type EventContent, EventRecorder, type Regarding } from '../../../src/engine/runtime/event-recorder.ts'
import { notLeading } from '../../../src/engine/runtime/leadership.ts'

const WEB: Regarding = {
  gvk: { group: 'example.com', version: 'v1', kind: 'Web' },
  key: { namespace: 'shop', name: 'front' },
  uid: 'u1',
}
const CONTENT: EventContent = { type: 'Normal', reason: 'Grown', message: 'there are 3 now' }

interface RecorderSetting {
  readonly refusals?: (Error | undefined)[]
  readonly limit?: Promise<void>
  readonly instance?: string
}

/** A recorder on a server that refuses the next requests with these errors. */
function recorderOn({ refusals = [], limit, instance = 'rolebook-1' }: RecorderSetting = {}) {
  const clock = new FakeClock()
  const made: (KubeObject & JsonObject)[] = []
  const names = new Set<string>()
  const lines: string[] = []
  const line = (level: string) => (message: string, fields?: object) =>
    void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`)
  const logger: Logger = { ...nopLogger, warn: line('warn'), debug: line('debug') }
  let requests = 0
  const create = async (object: KubeObject): Promise<KubeObject> => {
    requests += 1
    await limit
    const refusal = refusals.shift()
    if (refusal) throw refusal
    const name = String(object.metadata.name)
    if (names.has(name)) throw new ApiError(409, 'AlreadyExists', 'it is there')
    names.add(name)
    made.push(object as KubeObject & JsonObject)
    return object
  }
  const options = { client: { create }, clock, logger, reporter: 'rolebook', instance }
  const abort = new AbortController()
  const recorder = new EventRecorder(options)
  const record = (content: Partial<EventContent> = {}, regarding: Partial<Regarding> = {}, by = recorder): void =>
    by.record({ ...WEB, ...regarding }, { ...CONTENT, ...content }, abort.signal)
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  /** Lets the time pass after which a burst of events is written. */
  const calm = (): Promise<void> => clock.advance(500)
  const asked = (): number => requests
  return { clock, made, asked, lines, record, settle, calm, abort, recorder, another: () => new EventRecorder(options) }
}

const BUSY = new ApiError(503, 'ServiceUnavailable', 'busy')

describe('events', () => {
  it('say what happened, to whom, and who says so', async () => {
    const { made, record, settle } = recorderOn()
    record()
    await settle()
    const { metadata, ...event } = made[0] as KubeObject & JsonObject
    expect(metadata.name).to.match(/^front\.[0-9a-f]{16}$/)
    expect(metadata.namespace).to.equal('shop')
    expect(event).to.deep.equal({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: { apiVersion: 'example.com/v1', kind: 'Web', namespace: 'shop', name: 'front', uid: 'u1' },
      type: 'Normal',
      reason: 'Grown',
      action: 'Reconcile',
      note: 'there are 3 now',
      reportingController: 'rolebook.dev/operator',
      reportingInstance: 'rolebook-1',
      eventTime: event.eventTime,
    })
    expect(event.eventTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })

  it('cut the name of a process that is longer than a server takes', async () => {
    const { made, record, settle } = recorderOn({ instance: 'x'.repeat(200) })
    record()
    await settle()
    expect(made[0]?.reportingInstance).to.equal('x'.repeat(128))
  })

  it('are left to another process, without a word, when this one leads no longer', async () => {
    const { made, lines, record, settle } = recorderOn({ refusals: [notLeading()] })
    record()
    await settle()
    expect([made, lines]).to.deep.equal([[], []])
  })

  it('are dropped without a word when their namespace is being deleted', async () => {
    const status = { details: { causes: [{ reason: 'NamespaceTerminating' }] } }
    const { made, lines, record, settle } = recorderOn({ refusals: [new ApiError(403, 'Forbidden', 'no', { status })] })
    record()
    await settle()
    expect([made, lines]).to.deep.equal([[], []])
  })

  it('are made once per content and occasion, and those with an occasion take no room from the others', async () => {
    const { made, record, calm } = recorderOn()
    for (let time = 0; time < 30; time += 1) for (let run = 0; run < 2; run += 1) record({ occasion: String(time) })
    await calm()
    expect(made, 'as many as one object may have at once').to.have.length(25)
    record()
    await calm()
    expect(made).to.have.length(26)
    expect(new Set(made.map(({ note }) => note)).size).to.equal(1)
  })

  it('are remembered of one object up to a number, beyond which the server remembers', async () => {
    const { clock, made, record, settle } = recorderOn()
    for (let time = 0; time <= 200; time += 1) {
      await clock.advance(5 * 60_000)
      record({ occasion: String(time) })
      await settle()
    }
    expect(made).to.have.length(201)
    record({ occasion: '200' })
    record({ occasion: '0' })
    await settle()
    expect(made, 'the first was forgotten, and is there already').to.have.length(201)
  })

  it('are about what has no uid that is known, too', async () => {
    const { made, record, settle } = recorderOn()
    record({}, { uid: '' })
    await settle()
    expect(made[0]?.regarding).not.to.have.property('uid')
  })

  it('are made once per content', async () => {
    const { made, record, settle } = recorderOn()
    for (let run = 0; run < 3; run += 1) record()
    record({ message: 'there are 4 now' })
    record({ type: 'Warning' })
    record({ reason: 'Shrunk' })
    record({}, { uid: 'u2' })
    await settle()
    expect(made).to.have.length(5)
  })

  it('are not made again after a restart', async () => {
    const { made, lines, record, settle, another } = recorderOn()
    record()
    record({}, {}, another())
    await settle()
    expect([made.length, lines]).to.deep.equal([1, []])
  })

  it('on what is in no namespace stand in default', async () => {
    const { made, record, settle } = recorderOn()
    record({}, { key: { namespace: '', name: 'front' } })
    await settle()
    expect(made[0]?.metadata.namespace).to.equal('default')
    expect(made[0]?.regarding).not.to.have.property('namespace')
  })

  const names: { name: string; of: string; expected: RegExp }[] = [
    { name: 'a name that events cannot have', of: 'system:Node', expected: /^system--ode\.[0-9a-f]{16}$/ },
    { name: 'nothing that they can', of: ':', expected: /^event\.[0-9a-f]{16}$/ },
    { name: 'the longest name', of: 'a'.repeat(253), expected: /^a{236}\.[0-9a-f]{16}$/ },
  ]
  for (const { name, of, expected } of names) {
    it(`on an object with ${name} have a valid one`, async () => {
      const { made, record, settle } = recorderOn()
      record({}, { key: { namespace: 'shop', name: of } })
      await settle()
      expect(made[0]?.metadata.name).to.match(expected)
    })
  }

  const messages: { name: string; message: string; expected: string }[] = [
    { name: 'of 1024 bytes stays', message: 'x'.repeat(1024), expected: 'x'.repeat(1024) },
    { name: 'of more is cut', message: 'x'.repeat(1025), expected: `${'x'.repeat(1021)}…` },
    { name: 'is cut between characters', message: 'é'.repeat(600), expected: `${'é'.repeat(510)}…` },
  ]
  for (const { name, message, expected } of messages) {
    it(`whose message ${name}`, async () => {
      const { made, record, settle } = recorderOn()
      record({ message })
      await settle()
      expect(made[0]?.note).to.equal(expected)
    })
  }

  it('are at most 25 at once of one object, and one more every five minutes', async () => {
    const { made, lines, clock, record, calm, settle } = recorderOn()
    for (let count = 0; count < 30; count += 1) record({ message: `${count}` })
    record({}, { uid: 'u2' })
    await calm()
    expect(made).to.have.length(26)
    expect(lines).to.have.length(5)
    expect(lines[0]).to.equal('debug: an event is dropped: there are too many {"of":"shop/front"}')
    await clock.advance(11 * 60_000)
    for (let count = 25; count < 30; count += 1) record({ message: `${count}` })
    await settle()
    expect(made).to.have.length(28)
  })

  it('are at most 200 in flight, warnings too', async () => {
    const server = Promise.withResolvers<void>()
    const { made, asked, lines, record, settle } = recorderOn({ limit: server.promise })
    for (let count = 0; count < 201; count += 1) record({ type: 'Warning' }, { uid: `${count}` })
    await settle()
    expect(asked()).to.equal(200)
    server.resolve()
    await settle()
    expect([made.length, lines]).to.deep.equal([201, []])
  })

  it('are at most 5000 that wait or are under way', async () => {
    const server = Promise.withResolvers<void>()
    const { made, lines, record, calm } = recorderOn({ limit: server.promise })
    for (let count = 0; count < 5_001; count += 1) record({}, { uid: `${count}` })
    expect(lines).to.have.length(1)
    server.resolve()
    await calm()
    record({}, { uid: '5000' })
    await calm()
    expect(made.map(({ regarding }) => (regarding as JsonObject).uid).at(-1)).to.equal('5000')
    expect(made).to.have.length(5_001)
  })

  it('of a burst are written when it is over, but for the first and for warnings, with the time at which they were recorded', async () => {
    const { clock, made, record, settle, calm } = recorderOn()
    const start = clock.now()
    for (let count = 0; count < 30; count += 1) record({}, { uid: `${count}` })
    await settle()
    expect(made).to.have.length(20)
    record({ type: 'Warning', message: 'no more room' })
    await settle()
    expect(made.at(-1)?.note).to.equal('no more room')
    await calm()
    expect(made).to.have.length(31)
    expect(Date.parse(String(made.at(-1)?.eventTime))).to.equal(start)
  })

  it('are forgotten of the objects heard of longest ago', async () => {
    const { lines, record, calm } = recorderOn()
    for (let count = 0; count < 101; count += 1) {
      for (let object = 0; object < 100; object += 1) record({}, { uid: `${count} ${object}` })
      await calm()
    }
    for (let count = 0; count < 25; count += 1) record({ message: `${count}` }, { uid: '0 0' })
    expect(lines).to.deep.equal([])
  })

  it('are tried again when the server is busy', async () => {
    const { made, clock, record, settle } = recorderOn({
      refusals: [BUSY, new ApiError(429, 'TooManyRequests', 'slow', { retryAfterSeconds: 30 })],
    })
    record()
    await settle()
    await clock.advance(1_000)
    expect(made).to.have.length(0)
    await clock.advance(29_000)
    expect(made).to.have.length(0)
    await clock.advance(3_000)
    expect(made).to.have.length(1)
  })

  it('are given up in the end, and may be recorded again', async () => {
    const { made, lines, clock, record, settle } = recorderOn({ refusals: [BUSY, BUSY, BUSY, BUSY, BUSY] })
    record()
    await settle()
    for (let second = 0; second < 20; second += 1) await clock.advance(1_000)
    expect(lines).to.deep.equal(['warn: cannot write an event {"event":"Grown","error":"ApiError: busy"}'])
    record()
    await settle()
    expect(made).to.have.length(1)
  })

  it('that are forbidden are logged once', async () => {
    const { lines, record, settle } = recorderOn({ refusals: [new ApiError(403, 'Forbidden', 'no')] })
    record()
    await settle()
    record()
    await settle()
    expect(lines).to.have.length(1)
  })

  it('of a burst are written at once for an operator that stops', async () => {
    const { made, record, recorder } = recorderOn()
    for (let count = 0; count < 30; count += 1) record({}, { uid: `${count}` })
    await recorder.flushed(new AbortController().signal)
    expect(made).to.have.length(30)
  })

  describe('are waited for by an operator that stops', () => {
    async function isFlushed(signal: AbortSignal, limit: Promise<void>): Promise<() => boolean> {
      const { record, recorder } = recorderOn({ limit })
      record()
      let flushed = false
      void recorder.flushed(signal).then(() => {
        flushed = true
      })
      return () => flushed
    }
    const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

    it('until they are written', async () => {
      const limit = Promise.withResolvers<void>()
      const flushed = await isFlushed(new AbortController().signal, limit.promise)
      await settle()
      expect(flushed()).to.equal(false)
      limit.resolve()
      await settle()
      expect(flushed()).to.equal(true)
    })

    it('until time is up', async () => {
      const late = new AbortController()
      const flushed = await isFlushed(late.signal, new Promise(() => undefined))
      late.abort()
      await settle()
      expect(flushed()).to.equal(true)
    })

    it('not at all when there are none, or time was up before', async () => {
      await recorderOn().recorder.flushed(new AbortController().signal)
      const { record, recorder } = recorderOn({ limit: new Promise(() => undefined) })
      record()
      await recorder.flushed(AbortSignal.abort())
    })
  })

  it('end with the operator', async () => {
    const { made, lines, clock, record, settle, abort } = recorderOn({ refusals: [BUSY, BUSY] })
    record()
    await settle()
    abort.abort()
    await clock.advance(60_000)
    expect([made, lines]).to.deep.equal([[], []])
  })
})
