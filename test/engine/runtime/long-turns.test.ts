import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { RETRIABLE } from '../../../src/engine/reconcile/run/requeue-policy.ts'
import { LongTurns } from '../../../src/engine/runtime/long-turns.ts'
import { type Taken, WorkQueue } from '../../../src/engine/runtime/work-queue.ts'
import { widget } from '../../support/requests.ts'

describe('LongTurns', () => {
  let clock: FakeClock
  let turns: LongTurns
  beforeEach(() => {
    clock = new FakeClock()
    turns = new LongTurns(clock)
  })

  /** A long run that computes for so long. */
  function runLong(milliseconds: number): void {
    const turn = turns.begin(true)
    clock.pass(milliseconds)
    turn.spent(milliseconds)
    turn.end()
  }

  /** How long the next long run has to wait. */
  async function opensAfter(): Promise<number> {
    const start = clock.monotonic()
    let at: number | undefined = turns.isOpen ? start : undefined
    turns.whenOpen(() => {
      at ??= clock.monotonic()
    })
    await clock.advance(60_000)
    if (at === undefined) throw new Error('never opens')
    return at - start
  }

  it('are open where nothing has run yet, also beside short runs', async () => {
    expect(await opensAfter()).to.equal(0)
    turns.begin(false)
    expect(turns.isOpen).to.equal(true)
  })

  it('leave nine tenths of the time to short runs that are under way', async () => {
    turns.begin(false)
    runLong(50)
    expect(await opensAfter()).to.equal(450)
  })

  it('count what many long runs computed', async () => {
    turns.begin(false)
    runLong(50)
    runLong(50)
    expect(await opensAfter()).to.equal(850)
  })

  it('take no rest where nothing else is at work', async () => {
    runLong(50)
    expect(await opensAfter()).to.equal(0)
  })

  it('go on soon after the last short run', async () => {
    const short = turns.begin(false)
    runLong(50)
    clock.pass(100)
    short.end()
    expect(await opensAfter()).to.equal(20)
  })

  it('rest on when the next short run begins soon', async () => {
    turns.begin(false).end()
    runLong(2)
    turns.begin(false)
    expect(await opensAfter()).to.equal(18)
  })

  it('take no notice of what short runs compute', () => {
    turns.begin(false).spent(1_000)
    expect(turns.isOpen).to.equal(true)
  })

  it('come one after the other, but one that waits for a server does not delay the others for long', async () => {
    const first = turns.begin(true)
    expect(turns.isOpen).to.equal(false)
    expect(await opensAfter()).to.equal(1_000)
    const second = turns.begin(true)
    first.end()
    first.end()
    expect(turns.isOpen).to.equal(false)
    second.end()
    expect(turns.isOpen).to.equal(true)
  })

  it('go on while the last one writes what it has computed', async () => {
    const first = turns.begin(true)
    first.spent(1)
    expect(turns.isOpen).to.equal(false)
    let calls = 0
    turns.whenOpen(() => void calls++)
    first.spent(30)
    expect([turns.isOpen, calls]).to.deep.equal([true, 1])
    turns.begin(true)
    first.end()
    expect(turns.isOpen, 'the end of the former is not that of the latter').to.equal(false)
  })

  it('set no timer while no run waits', () => {
    turns.begin(false)
    runLong(50)
    expect(clock.pending).to.equal(0)
  })

  describe('in queues', () => {
    const queues: Record<string, WorkQueue> = {}
    let order: string[]
    beforeEach(() => {
      order = []
      for (const name of ['red', 'blue']) queues[name] = new WorkQueue({ clock, backoff: RETRIABLE, turns })
    })

    /** A worker that computes for so long in each long run. */
    async function work(queue: WorkQueue, milliseconds: number): Promise<void> {
      for (let taken = await queue.take(); taken; taken = await queue.take()) {
        order.push(taken.request.name)
        if (taken.priority === 'long') clock.pass(milliseconds)
        taken.turn?.spent(milliseconds)
        queue.done(taken.request)
      }
    }

    const add = (queue: string, names: string, priority: 'edit' | 'long'): void => {
      for (const name of names.split(' ')) queues[queue]?.add(widget(name), priority)
    }

    it('queues take turns, and all is done in the end', async () => {
      for (const queue of Object.values(queues)) void work(queue, 10)
      const short = turns.begin(false)
      add('red', 'r1 r2 r3', 'long')
      add('blue', 'b1 b2', 'long')
      await clock.advance(1_000)
      expect(order).to.deep.equal(['r1', 'b1', 'r2', 'b2', 'r3'])
      short.end()
    })

    it('short ones pass', async () => {
      turns.begin(false)
      runLong(100)
      add('red', 'long', 'long')
      add('red', 'edit', 'edit')
      void work(queues.red as WorkQueue, 10)
      await clock.settle()
      expect(order).to.deep.equal(['edit'])
      expect(queues.red?.depth()).to.deep.include({ long: 1, edit: 0 })
      await clock.advance(900)
      expect(order).to.deep.equal(['edit', 'long'])
    })

    it('an edit makes a run short again', async () => {
      const hold = turns.begin(true)
      add('red', 'a', 'long')
      add('red', 'a', 'edit')
      const taken = (await queues.red?.take()) as Taken
      expect([taken.priority, taken.turn?.isLong]).to.deep.equal(['edit', false])
      hold.end()
    })

    it('a queue that is shut down delays no other queue', async () => {
      const hold = turns.begin(true)
      add('red', 'a', 'long')
      add('blue', 'b', 'long')
      for (const queue of Object.values(queues)) void work(queue, 10)
      await clock.settle()
      queues.red?.shutDown()
      hold.end()
      await clock.settle()
      expect(order).to.deep.equal(['b'])
    })
  })
})
