import { expect } from 'chai'
import fc from 'fast-check'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { RETRIABLE } from '../../../src/engine/reconcile/run/requeue-policy.ts'
import { PRIORITIES, type Priority } from '../../../src/engine/runtime/priority.ts'
import type { Request } from '../../../src/engine/runtime/reconciler.ts'
import { type Taken, WorkQueue } from '../../../src/engine/runtime/work-queue.ts'
import { long } from '../../support/long-tests.ts'
import { widget } from '../../support/requests.ts'

describe('WorkQueue', () => {
  let clock: FakeClock
  let queue: WorkQueue
  beforeEach(() => {
    clock = new FakeClock()
    queue = new WorkQueue({ clock, backoff: RETRIABLE, random: () => 1 })
  })

  it('hands out a request once, however often it was added', async () => {
    queue.add(widget('a'), 'child')
    queue.add(widget('a'), 'backlog')
    expect(queue.depth()).to.deep.equal({ edit: 0, child: 1, retry: 0, backlog: 0, long: 0 })
    expect(await drain()).to.deep.equal(['a'])
  })

  it('serves edits, then children, then retries, then the backlog, then what computes for long', async () => {
    queue.add(widget('long'), 'long')
    queue.add(widget('backlog'), 'backlog')
    queue.add(widget('retry'), 'retry')
    queue.add(widget('child'), 'child')
    queue.add(widget('edit'), 'edit')
    expect(await drain()).to.deep.equal(['edit', 'child', 'retry', 'backlog', 'long'])
  })

  it('moves a request up when it is added again more urgently, never down', async () => {
    for (const name of ['x', 'y', 'z']) queue.add(widget(name), 'backlog')
    queue.add(widget('z'), 'edit')
    queue.add(widget('z'), 'backlog')
    expect(queue.depth()).to.deep.equal({ edit: 1, child: 0, retry: 0, backlog: 2, long: 0 })
    expect(await drain()).to.deep.equal(['z', 'x', 'y'])
  })

  it('passes over a request that was first in its class before it moved up', async () => {
    for (const name of ['x', 'y']) queue.add(widget(name), 'backlog')
    queue.add(widget('x'), 'edit')
    expect(await drain()).to.deep.equal(['x', 'y'])
  })

  it('takes no notice of the end or the success of what it does not know', async () => {
    queue.done(widget('unknown'))
    queue.forget(widget('unknown'))
    queue.add(widget('a'), 'edit')
    queue.done(widget('a'))
    expect([queue.running, await drain()]).to.deep.equal([0, ['a']])
  })

  it('lets namespaces take turns, first in first out within each', async () => {
    for (const text of ['red/1', 'red/2', 'red/3', 'blue/4', 'green/5', 'blue/6']) queue.add(widget(text), 'edit')
    expect(await drain()).to.deep.equal(['1', '4', '5', '2', '6', '3'])
  })

  it('runs a request that was added during its run exactly once more, in the most urgent class asked for', async () => {
    queue.add(widget('a'), 'backlog')
    const taken = await queue.take()
    queue.add(widget('a'), 'retry')
    queue.add(widget('a'), 'edit')
    queue.add(widget('a'), 'child')
    expect(queue.size).to.equal(0)
    queue.done(taken!.request)
    expect(queue.depth()).to.deep.equal({ edit: 1, child: 0, retry: 0, backlog: 0, long: 0 })
    expect(await drain()).to.deep.equal(['a'])
  })

  it('keeps a failed request in its backoff although its children change, and runs it at once for an edit', async () => {
    queue.add(widget('a'), 'edit')
    const taken = await queue.take()
    queue.add(widget('a'), 'child')
    queue.addWithBackoff(taken!.request)
    queue.done(taken!.request)
    queue.add(widget('a'), 'child')
    expect(queue.size, 'before its time').to.equal(0)
    await clock.advance(200)
    expect(queue.depth(), 'when its time has come').to.deep.include({ retry: 1 })
    const again = await queue.take()
    queue.addWithBackoff(again!.request)
    queue.done(again!.request)
    queue.add(widget('a'), 'edit')
    expect(queue.depth(), 'after an edit').to.deep.include({ edit: 1 })
  })

  it('wakes a waiting worker, and says how long the request stood ready', async () => {
    const waiting = queue.take()
    queue.add(widget('a'), 'edit')
    expect(await waiting).to.deep.equal({ request: widget('a'), priority: 'edit', waited: 0 })
    queue.add(widget('b'), 'retry')
    await clock.advance(70)
    expect((await queue.take())?.waited).to.equal(70)
  })

  describe('delayed adds', () => {
    it('become ready when due, the earliest of several, in the most urgent class', async () => {
      queue.addAfter(widget('a'), 100, 'backlog')
      queue.addAfter(widget('a'), 50, 'retry')
      queue.addAfter(widget('a'), 80, 'backlog')
      await clock.advance(49)
      expect(queue.size).to.equal(0)
      await clock.advance(1)
      expect(queue.depth().retry).to.equal(1)
      await drain()
      await clock.advance(1000)
      expect(queue.size).to.equal(0)
    })

    it('are superfluous once the request runs anyway', async () => {
      queue.addAfter(widget('a'), 100, 'backlog')
      queue.add(widget('a'), 'edit')
      expect(clock.pending).to.equal(0)
      expect(await drain()).to.deep.equal(['a'])
    })

    it('set during a run survive its end', async () => {
      queue.add(widget('a'), 'edit')
      const taken = await queue.take()
      queue.addAfter(taken!.request, 100, 'backlog')
      queue.done(taken!.request)
      await clock.advance(100)
      expect(queue.depth().backlog).to.equal(1)
    })

    it('that fall due during a run cause one more run', async () => {
      queue.add(widget('a'), 'edit')
      const taken = await queue.take()
      queue.addAfter(taken!.request, 100, 'retry')
      await clock.advance(100)
      expect(queue.size).to.equal(0)
      queue.done(taken!.request)
      expect(queue.depth().retry).to.equal(1)
    })
  })

  it('backs off exponentially per request, from 0.2 s to 5 min, and never undercuts a minimum', async () => {
    const delays: (number | undefined)[] = []
    for (let failure = 0; failure < 13; failure++) {
      queue.addWithBackoff(widget('a'))
      delays.push(clock.nextIn)
      await clock.advance(clock.nextIn!)
      await drain()
    }
    expect(delays.slice(0, 4)).to.deep.equal([200, 400, 800, 1600])
    expect(delays.at(-1)).to.equal(300_000)
    queue.addWithBackoff(widget('b'), { minimumDelay: 5000 })
    expect(clock.nextIn).to.equal(5000)
    queue.forget(widget('a'))
    queue.addWithBackoff(widget('a'))
    expect(clock.nextIn).to.equal(200)
  })

  it('keeps each share of the workers within its limit, and lets others pass', async () => {
    queue = new WorkQueue({
      clock,
      backoff: RETRIABLE,
      capacity: ({ namespace }) => ({ key: namespace, limit: namespace === 'small' ? 1 : 9 }),
    })
    for (const text of ['small/1', 'small/2']) queue.add(widget(text), 'edit')
    queue.add(widget('big/3'), 'backlog')
    const first = await queue.take()
    expect(first?.request.name).to.equal('1')
    expect((await queue.take())?.request.name).to.equal('3')
    const waiting = queue.take()
    await clock.settle()
    expect(queue.depth().edit).to.equal(1)
    queue.done(first!.request)
    expect((await waiting)?.request.name).to.equal('2')
  })

  it('gives the worker of a run that is set aside to others, once, and runs its request only after its end', async () => {
    queue = new WorkQueue({ clock, backoff: RETRIABLE, capacity: () => ({ key: 'all', limit: 1 }) })
    for (const name of ['hung', 'other']) queue.add(widget(name), 'edit')
    const hung = await queue.take()
    queue.setAside(hung!.request)
    const other = await queue.take()
    expect([other?.request.name, queue.running]).to.deep.equal(['other', 1])
    queue.add(widget('hung'), 'edit')
    queue.add(widget('third'), 'edit')
    queue.done(hung!.request)
    expect([queue.running, queue.size]).to.deep.equal([1, 2])
    let isTaken = false
    const next = queue.take().finally(() => {
      isTaken = true
    })
    await clock.settle()
    expect(isTaken).to.equal(false)
    queue.done(other!.request)
    queue.done((await next)!.request)
    expect(await drain()).to.have.length(1)
    await queue.idle()
    expect(queue.running).to.equal(0)
  })

  it('is idle when nothing is ready or running', async () => {
    let idle = false
    await queue.idle()
    queue.add(widget('a'), 'edit')
    queue.addAfter(widget('b'), 1000, 'edit')
    const done = queue.idle().then(() => {
      idle = true
    })
    const taken = await queue.take()
    await clock.settle()
    expect(idle).to.equal(false)
    queue.done(taken!.request)
    await done
  })

  it('wakes all workers when shut down, drops what is left and takes nothing more', async () => {
    const waiting = [queue.take(), queue.take()]
    queue.shutDown()
    queue.add(widget('a'), 'edit')
    queue.addAfter(widget('b'), 10, 'edit')
    queue.addWithBackoff(widget('c'))
    expect(await Promise.all([...waiting, queue.take()])).to.deep.equal([undefined, undefined, undefined])
    expect(clock.pending).to.equal(0)
  })

  it('is idle after a shutdown as soon as the running ones are done', async () => {
    queue.add(widget('a'), 'edit')
    queue.add(widget('b'), 'edit')
    const taken = await queue.take()
    queue.add(widget('a'), 'edit')
    queue.shutDown()
    queue.done(taken!.request)
    await queue.idle()
    expect([queue.size, queue.running]).to.deep.equal([0, 0])
  })

  long.it('takes as long for the last of many requests as for the first', async () => {
    for (let count = 0; count < 40_000; count++) queue.add(widget(`n${count}`), 'backlog')
    expect((await drain()).length).to.equal(40_000)
  })

  it('behaves like its model, whatever happens in whatever order', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), followModel), { numRuns: 300 })
  })

  async function drain(): Promise<string[]> {
    const names: string[] = []
    while (queue.size > 0) {
      const taken = await queue.take()
      names.push(taken!.request.name)
      queue.done(taken!.request)
    }
    return names
  }
})

type Step =
  | { readonly do: 'add'; readonly request: Request; readonly priority: Priority }
  | { readonly do: 'addAfter'; readonly request: Request; readonly delay: number; readonly priority: Priority }
  | { readonly do: 'take' }
  | { readonly do: 'done'; readonly which: number }
  | { readonly do: 'advance'; readonly by: number }

const anyRequest = fc.constantFrom('a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1').map(widget)
const anyPriority = fc.constantFrom(...PRIORITIES)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), request: anyRequest, priority: anyPriority }),
  fc.record({
    do: fc.constant('addAfter' as const),
    request: anyRequest,
    delay: fc.integer({ min: 1, max: 20 }),
    priority: anyPriority,
  }),
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constant('done' as const), which: fc.nat(5) }),
  fc.record({ do: fc.constant('advance' as const), by: fc.integer({ min: 1, max: 15 }) }),
)

interface Modelled {
  ready?: Priority | undefined
  running?: boolean
  again?: Priority | undefined
  due?: { at: number; priority: Priority } | undefined
}

/** The queue as a table of requests without any order among equals; the real one must agree with it after each step. */
async function followModel(steps: readonly Step[]): Promise<void> {
  const clock = new FakeClock()
  const queue = new WorkQueue({
    clock,
    backoff: RETRIABLE,
    capacity: ({ namespace }) => ({ key: namespace, limit: 2 }),
  })
  const model = new Map<string, Modelled>()
  const running: Taken[] = []
  let now = 0
  const text = ({ namespace, name }: Request): string => `${namespace}/${name}`
  const entry = (request: Request): Modelled => {
    const known = model.get(text(request)) ?? {}
    model.set(text(request), known)
    return known
  }
  const urgent = (left: Priority | undefined, right: Priority): Priority =>
    left && PRIORITIES.indexOf(left) < PRIORITIES.indexOf(right) ? left : right
  const add = (known: Modelled, priority: Priority): void => {
    known.due = undefined
    if (known.running) known.again = urgent(known.again, priority)
    else known.ready = urgent(known.ready, priority)
  }
  const mayRun = (): Priority[] =>
    [...model].flatMap(([key, { ready }]) => {
      const busy = running.filter(({ request }) => request.namespace === key.split('/')[0]).length
      return ready && busy < 2 ? [ready] : []
    })

  for (const action of steps) {
    if (action.do === 'add') {
      queue.add(action.request, action.priority)
      add(entry(action.request), action.priority)
    } else if (action.do === 'addAfter') {
      queue.addAfter(action.request, action.delay, action.priority)
      const known = entry(action.request)
      if (!(known.ready || known.again)) {
        known.due = {
          at: Math.min(now + action.delay, known.due?.at ?? Number.POSITIVE_INFINITY),
          priority: urgent(known.due?.priority, action.priority),
        }
      }
    } else if (action.do === 'take') {
      const ready = mayRun()
      if (ready.length === 0) continue
      const taken = await queue.take()
      const known = entry(taken!.request)
      expect(known.running ?? false, 'never handed out twice at once').to.equal(false)
      expect(taken!.priority).to.equal(ready.reduce(urgent))
      expect(known.ready).to.equal(taken!.priority)
      model.set(text(taken!.request), { running: true })
      running.push(taken!)
    } else if (action.do === 'done') {
      const [taken] = running.splice(action.which % Math.max(running.length, 1), 1)
      if (!taken) continue
      queue.done(taken.request)
      const known = entry(taken.request)
      model.set(text(taken.request), { ready: known.again, due: known.due })
    } else {
      now += action.by
      await clock.advance(action.by)
      for (const known of model.values()) if (known.due && known.due.at <= now) add(known, known.due.priority)
    }
    const expected = { edit: 0, child: 0, retry: 0, backlog: 0, long: 0 }
    for (const { ready } of model.values()) if (ready) expected[ready]++
    expect(queue.depth()).to.deep.equal(expected)
    expect(queue.running).to.equal(running.length)
  }
}
