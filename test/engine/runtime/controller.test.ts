import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { RETRIABLE } from '../../../src/engine/reconcile/run/requeue-policy.ts'
import { Controller, type ControllerOptions } from '../../../src/engine/runtime/controller.ts'
import { LongTurns, type Turn } from '../../../src/engine/runtime/long-turns.ts'
import type { ReconcileResult, Request } from '../../../src/engine/runtime/reconciler.ts'
import { WorkQueue } from '../../../src/engine/runtime/work-queue.ts'
import { widget } from '../../support/requests.ts'

describe('Controller', () => {
  let clock: FakeClock
  let stop: AbortController
  let runs: string[]
  let stopped: Promise<void>
  beforeEach(() => {
    clock = new FakeClock()
    stop = new AbortController()
    runs = []
  })
  afterEach(async () => {
    stop.abort()
    await stopped
  })

  function start(
    reconcile: (request: Request, signal: AbortSignal) => Promise<ReconcileResult>,
    options: Partial<ControllerOptions> = {},
  ): Controller {
    const reconciler = {
      reconcile(request: Request, signal: AbortSignal): Promise<ReconcileResult> {
        runs.push(request.name)
        return reconcile(request, signal)
      },
    }
    const controller = new Controller({
      backoff: RETRIABLE,
      name: 'widgets',
      reconciler,
      maxConcurrent: 2,
      clock,
      logger: nopLogger,
      ...options,
    })
    stopped = controller.start(stop.signal)
    return controller
  }

  it('reconciles what is enqueued and is idle afterwards', async () => {
    const controller = start(async () => ({}))
    controller.enqueue(widget('a'), 'edit')
    controller.enqueue(widget('b'), 'backlog')
    await controller.idle()
    expect(runs).to.deep.equal(['a', 'b'])
  })

  it('runs at most maxConcurrent at once, and never one request twice', async () => {
    const gates: (() => void)[] = []
    const controller = start(() => new Promise((resolve) => gates.push(() => resolve({}))))
    for (const name of ['a', 'b', 'c', 'a']) controller.enqueue(widget(name), 'edit')
    await clock.settle()
    controller.enqueue(widget('a'), 'edit')
    await clock.settle()
    expect(runs).to.deep.equal(['a', 'b'])
    while (gates.length > 0) {
      gates.shift()?.()
      await clock.settle()
    }
    expect(runs).to.deep.equal(['a', 'b', 'c', 'a'])
  })

  it('knows how long its oldest run has been going on', async () => {
    const gates: (() => void)[] = []
    const controller = start(() => new Promise((resolve) => gates.push(() => resolve({}))))
    expect(controller.longestRun).to.equal(0)
    controller.enqueue(widget('a'), 'edit')
    await clock.advance(5_000)
    controller.enqueue(widget('b'), 'edit')
    await clock.advance(2_000)
    expect(controller.longestRun).to.equal(7_000)
    gates.shift()?.()
    await clock.settle()
    expect(controller.longestRun).to.equal(2_000)
    gates.shift()?.()
    await controller.idle()
    expect(controller.longestRun).to.equal(0)
  })

  it('looks again after requeueAfter, and not earlier', async () => {
    const controller = start(async () =>
      runs.length === 1 ? { requeueAfter: 60_000, requeuePriority: 'backlog' } : {},
    )
    controller.enqueue(widget('a'), 'edit')
    await clock.advance(59_999)
    expect(runs.length).to.equal(1)
    await clock.advance(1)
    expect(runs.length).to.equal(2)
    await clock.advance(600_000)
    expect(runs.length).to.equal(2)
  })

  it('retries with growing delays until a run says otherwise, never before minimumDelay', async () => {
    const controller = start(async () => (runs.length <= 3 ? { retry: true, minimumDelay: 1000 } : {}))
    controller.enqueue(widget('a'), 'edit')
    await clock.advance(999)
    expect(runs.length).to.equal(1)
    await clock.advance(2001)
    expect(runs.length).to.equal(4)
  })

  it('lets what computes for long wait for its turn, its backoff as it was', async () => {
    const turns = new LongTurns(clock)
    const lengths: boolean[] = []
    const reconciler = {
      async reconcile(_request: Request, _signal: AbortSignal, turn?: Turn): Promise<ReconcileResult> {
        lengths.push(turn?.isLong ?? true)
        return turn?.isLong ? { retry: true } : { needsLongTurn: true }
      },
    }
    const queue = new WorkQueue({ clock, backoff: RETRIABLE, turns, random: () => 1 })
    const controller = new Controller({
      backoff: RETRIABLE,
      ...{ name: 'widgets', reconciler, maxConcurrent: 2, clock, queue },
      logger: nopLogger,
    })
    stopped = controller.start(stop.signal)
    controller.enqueue(widget('a'), 'edit')
    await clock.settle()
    expect(lengths).to.deep.equal([false, true])
    await clock.advance(200)
    expect(lengths).to.deep.equal([false, true, false, true])
    await clock.advance(399)
    expect(lengths).to.have.length(4)
    await clock.advance(1)
    expect(lengths).to.have.length(6)
  })

  it('contains an error of the reconciler: logs it, retries with backoff, lets others go on', async () => {
    const logged: (LogFields | undefined)[] = []
    const logger: Logger = { ...nopLogger, error: (_message, fields) => logged.push(fields) }
    const controller = start(
      async ({ name }) => {
        if (name === 'poison') throw new Error('boom')
        return {}
      },
      { logger },
    )
    controller.enqueue(widget('poison'), 'edit')
    controller.enqueue(widget('good'), 'edit')
    await clock.advance(0)
    expect(runs).to.deep.equal(['poison', 'good'])
    await clock.advance(300)
    expect(runs.filter((name) => name === 'poison').length).to.be.greaterThan(1)
    expect(logged[0]).to.include({ name: 'poison', error: 'boom' })
  })

  it('reports each run to an observer, and survives one that throws', async () => {
    const seen: unknown[] = []
    const controller = start(
      async () => {
        await clock.sleep(30)
        return { requeueAfter: 1e6 }
      },
      {
        observe: (run) => {
          seen.push(run)
          throw new Error('observer')
        },
      },
    )
    controller.enqueue(widget('a'), 'child')
    await clock.advance(30)
    expect(seen).to.deep.equal([
      {
        request: widget('a'),
        priority: 'child',
        waited: 0,
        duration: 30,
        isTimeout: false,
        result: { requeueAfter: 1e6 },
      },
    ])
  })

  it('aborts running requests when it stops, waits for them and starts no other', async () => {
    let ended = false
    const logged: string[] = []
    const logger: Logger = { ...nopLogger, error: (message) => logged.push(message) }
    const controller = start(
      async (_request, signal) => {
        await clock.sleep(1e6, signal)
        await clock.settle()
        ended = true
        throw signal.reason
      },
      { maxConcurrent: 1, logger },
    )
    controller.enqueue(widget('a'), 'edit')
    controller.enqueue(widget('b'), 'edit')
    await clock.settle()
    stop.abort()
    await stopped
    expect([ended, logged]).to.deep.equal([true, []])
    expect(runs).to.deep.equal(['a'])
    expect(clock.pending).to.equal(0)
  })

  it('gives a run that it stops after its deadline no other reason for its abort', async () => {
    const gate = Promise.withResolvers<void>()
    const seen: AbortSignal[] = []
    start(
      async (_request, signal) => {
        seen.push(signal)
        await gate.promise
        throw signal.reason
      },
      { reconciliationTimeout: 1_000 },
    ).enqueue(widget('a'), 'edit')
    await clock.advance(1_000)
    stop.abort(new Error('stopped'))
    expect(seen[0]?.reason).to.have.property('message', 'cannot end the run within 1 s')
    gate.resolve()
    await stopped
    expect(clock.pending).to.equal(0)
  })

  it('says in the log that a timeout could not be reported, and tries the run again', async () => {
    const logged: (LogFields | undefined)[] = []
    const logger: Logger = { ...nopLogger, warn: (_message, fields) => logged.push(fields) }
    let tries = 0
    const reconciler = {
      async reconcile(_request: Request, signal: AbortSignal): Promise<ReconcileResult> {
        tries += 1
        if (tries > 1) return {}
        await clock.sleep(1e6, signal)
        throw signal.reason
      },
      timedOut: () => Promise.reject(new Error('the status may not be written')),
    }
    const options = { backoff: RETRIABLE, name: 'widgets', reconciler, maxConcurrent: 1, clock, logger }
    const controller = new Controller({ ...options, reconciliationTimeout: 1_000 })
    stopped = controller.start(stop.signal)
    controller.enqueue(widget('a'), 'edit')
    await clock.advance(1_300)
    expect(tries).to.equal(2)
    expect(logged).to.deep.equal([{ ...widget('a'), error: 'the status may not be written' }])
  })

  it('does nothing when it is stopped before its start', async () => {
    stop.abort()
    const controller = start(async () => ({}))
    controller.enqueue(widget('a'), 'edit')
    await stopped
    await controller.idle()
    expect(runs).to.deep.equal([])
  })
})
