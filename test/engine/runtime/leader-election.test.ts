import { expect } from 'chai'
import { CodedError } from '../../../src/core/base/coded-error.ts'
import { LEASE_TIMINGS, type LeaseTimings } from '../../../src/engine/runtime/leader-election.ts'
import { soleLeader } from '../../../src/engine/runtime/leadership.ts'
import { Replica, Replicas } from '../../support/lease-replicas.ts'

const { leaseDuration, renewDeadline, retryPeriod } = LEASE_TIMINGS
/** The steps in which the tests look, and the shortest pause between two tries. */
const TICK = 300

describe('Leader election', () => {
  let replicas: Replicas
  beforeEach(() => {
    replicas = new Replicas()
  })
  afterEach(() => expect(replicas.doubled, 'moments with two leaders').to.equal(0))

  /** `a` leads, `b` waits. */
  async function pair(options: { watchable?: boolean } = {}): Promise<{ a: Replica; b: Replica }> {
    const a = replicas.add('a', options)
    await replicas.until((name) => name === 'a')
    const b = replicas.add('b', options)
    await replicas.pass(5_000)
    return { a, b }
  }

  /** The read of `reader` is under way: its answer is how the Lease is now. */
  async function reads(reader: Replica): Promise<void> {
    reader.line.holdsReads = true
    await replicas.pass(retryPeriod)
    expect(reader.line.release, 'the answer that is held').to.be.a('function')
  }

  async function answers(reader: Replica): Promise<void> {
    reader.line.fault = 'none'
    reader.line.holdsReads = false
    reader.line.release?.()
    await reader.clock.settle()
  }

  it('makes a Lease as client-go does, and renews it each retry period in one request', async () => {
    const { a, b } = await pair()
    const { acquireTime, renewTime, ...spec } = replicas.server.spec
    expect(spec).to.deep.equal({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 })
    expect(acquireTime).to.equal('2026-01-01T00:00:00.000000Z')
    expect(renewTime).to.match(/^2026-01-01T00:00:0\d\.\d{6}Z$/)
    expect([a.changes, b.changes, b.leads]).to.deep.equal([[true], [], false])
    b.line.fault = 'cut'
    replicas.server.requests = 0
    await replicas.pass(20_000)
    expect(replicas.server.requests - 20).to.be.at.most(0)
    expect(replicas.server.writes.filter((write) => write.startsWith('b'))).to.deep.equal([])
  })

  it('says what happens, once', async () => {
    const { a, b } = await pair()
    await replicas.pass(10_000)
    expect(a.log).to.deep.equal(['leader election: leads'])
    expect(b.log).to.deep.equal(['leader election: waits: a may lead'])
  })

  const unordered: Record<string, LeaseTimings> = {
    'a lease that is no longer than the renew deadline': { leaseDuration: 10, renewDeadline: 10, retryPeriod: 2 },
    'a renew deadline within 1.2 retry periods': { leaseDuration: 15, renewDeadline: 2.4, retryPeriod: 2 },
    'no retry period': { leaseDuration: 15, renewDeadline: 10, retryPeriod: 0 },
  }
  for (const [name, timings] of Object.entries(unordered)) {
    it(`refuses ${name}`, () => {
      const make = (): Replica => new Replica(replicas.server, 'a', timings)
      expect(make).to.throw(CodedError).with.property('code', 'InvalidLeaseTimings')
    })
  }

  describe('the leader is killed', () => {
    for (const watchable of [true, false]) {
      it(`is followed within lease and retry period${watchable ? '' : ' by one that may not watch leases'}`, async () => {
        const { a } = await pair({ watchable })
        a.freeze()
        expect(await replicas.until((name) => name === 'b')).to.be.at.most(leaseDuration + retryPeriod + TICK)
        expect(replicas.server.spec).to.include({ holderIdentity: 'b', leaseTransitions: 1 })
      })
    }

    for (const fault of ['cut', 'answer lost'] as const) {
      it(`with a write to the lease on its way (${fault})`, async () => {
        const { a } = await pair()
        a.line.fault = fault
        await replicas.pass(retryPeriod)
        a.freeze()
        expect(await replicas.until((name) => name === 'b')).to.be.at.most(leaseDuration + retryPeriod + TICK)
      })
    }
  })

  describe('the leader is stopped for longer than its lease, and goes on', () => {
    it('leads no longer from the very moment on, before any timer of it fires', async () => {
      const { a } = await pair()
      a.freeze()
      const missed = await replicas.until((name) => name === 'b')
      a.thaw(missed)
      expect(a.leads).to.equal(false)
      await a.catchUp()
      await replicas.pass(30_000)
      expect([a.changes, replicas.leaders()]).to.deep.equal([[true, false], ['b']])
    })

    it('does not lead again by the answer to a renewal that was sent before', async () => {
      const { a } = await pair()
      a.line.holdsWrites = true
      await replicas.pass(retryPeriod)
      a.freeze()
      const missed = await replicas.until((name) => name === 'b')
      a.thaw(missed)
      a.line.release?.()
      await a.clock.settle()
      expect([a.leads, a.changes]).to.deep.equal([false, [true, false]])
      expect(a.log.at(-1)).to.equal('leader election: leads no longer: its lease was not renewed in time')
    })

    it('leads again when no other process has taken over', async () => {
      const a = replicas.add('a')
      await replicas.pass(1_000)
      a.freeze()
      await replicas.pass(60_000)
      a.thaw(60_000)
      await a.catchUp()
      await replicas.pass(2 * retryPeriod)
      expect([a.changes, replicas.server.spec.leaseTransitions]).to.deep.equal([[true, false, true], 0])
    })
  })

  it('goes on trying when the server fails at first', async () => {
    const a = replicas.add('a', { fault: 'failing' })
    await replicas.pass(5_000)
    a.line.fault = 'none'
    expect(await replicas.until((name) => name === 'a')).to.be.at.most(retryPeriod + TICK)
    expect(a.log).to.deep.equal(['leader election: cannot hold the lease: it fails', 'leader election: leads'])
  })

  it('a leader that is cut off stops at the renew deadline, before another may lead', async () => {
    const { a } = await pair()
    a.line.fault = 'cut'
    await replicas.pass(renewDeadline)
    expect(replicas.leaders()).to.deep.equal([])
    expect(await replicas.until((name) => name === 'b')).to.be.at.most(
      leaseDuration - renewDeadline + retryPeriod + TICK,
    )
    a.line.fault = 'none'
    await replicas.pass(10_000)
    expect(replicas.leaders()).to.deep.equal(['b'])
  })

  describe('the Lease is', () => {
    const edits: Record<string, (pair: { a: Replica; b: Replica }) => void> = {
      deleted: () => replicas.server.remove(),
      'emptied of its holder': () => replicas.server.edit({ holderIdentity: '' }),
      'without a spec': () =>
        replicas.server.edit({ holderIdentity: null, leaseDurationSeconds: null, renewTime: null }),
      'set back in its transitions': () => replicas.server.edit({ leaseTransitions: -1, holderIdentity: '' }),
      'shortened to a second': () => replicas.server.edit({ leaseDurationSeconds: 1 }),
      'set to a time that is long past': () => replicas.server.edit({ renewTime: '1970-01-01T00:00:00.000000Z' }),
      'set to a time to come': () => replicas.server.edit({ renewTime: '2100-01-01T00:00:00.000000Z' }),
    }
    for (const [name, edit] of Object.entries(edits)) {
      it(`${name}: its holder goes on, and no other process ever leads`, async () => {
        const { a, b } = await pair()
        edit({ a, b })
        // The second time, its holder learns of the edit when it renews.
        await replicas.pass(10_000)
        a.line.watchable = false
        replicas.server.endWatches()
        await replicas.pass(retryPeriod + 300)
        edit({ a, b })
        await replicas.pass(40_000)
        expect([replicas.leaders(), a.changes, b.changes]).to.deep.equal([['a'], [true], []])
        expect(replicas.server.spec).to.include({ holderIdentity: 'a', leaseDurationSeconds: 15, leaseTransitions: 0 })
      })

      it(`${name} when its holder is dead: another one takes over`, async () => {
        const { a, b } = await pair()
        a.freeze()
        edit({ a, b })
        const longest = leaseDuration + retryPeriod + TICK
        expect(await replicas.until((leader) => leader === 'b')).to.be.at.most(longest)
      })
    }

    it('there and empty, as a user may make it: one takes it', async () => {
      const metadata = { name: 'rolebook', namespace: 'ops', uid: 'u', resourceVersion: '1' }
      replicas.server.lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata }
      replicas.add('a')
      expect(await replicas.until((name) => name === 'a')).to.be.at.most(TICK)
    })

    it('given to another holder before the answer comes that it is taken: it is not', async () => {
      const a = replicas.add('a', { holdsWrites: true })
      await replicas.pass(500)
      expect(replicas.server.writes).to.deep.equal(['a: create'])
      replicas.server.edit({ holderIdentity: 'nobody' })
      await a.clock.settle()
      a.line.release?.()
      await replicas.pass(1_000)
      expect(a.changes).to.deep.equal([])
    })

    it('given to a holder that does not exist: its holder stops at once, and one leads when the lease is over', async () => {
      const { a } = await pair()
      replicas.server.edit({ holderIdentity: 'nobody' })
      await a.clock.settle()
      expect(replicas.leaders()).to.deep.equal([])
      expect(a.log).to.include('leader election: leads no longer: nobody holds the lease')
      expect(await replicas.until(() => true)).to.be.at.most(leaseDuration + retryPeriod + TICK)
      expect(replicas.server.spec.leaseTransitions).to.equal(1)
    })

    it('given to one that waits while its holder is cut off: that one waits for the end of the lease all the same', async () => {
      const { a } = await pair()
      a.line.fault = 'cut'
      await replicas.pass(500)
      replicas.server.edit({ holderIdentity: 'b' })
      const longest = leaseDuration + retryPeriod + TICK
      expect(await replicas.until((leader) => leader === 'b')).to.be.within(leaseDuration - 500, longest)
    })

    it('set to last for years by a holder that does not exist: it is taken all the same', async () => {
      await pair()
      replicas.server.edit({ holderIdentity: 'nobody', leaseDurationSeconds: 2 ** 31 - 1 })
      await replicas.pass(100)
      expect(await replicas.until(() => true)).to.be.within(9 * leaseDuration, 10 * leaseDuration + retryPeriod)
    })

    it('at the last transition that a server takes: it goes on at that number', async () => {
      const { a } = await pair()
      replicas.server.edit({ leaseTransitions: 2 ** 31 - 1 })
      a.freeze()
      await replicas.until((name) => name === 'b')
      expect(replicas.server.spec.leaseTransitions).to.equal(2 ** 31 - 1)
    })

    it('in conflict for a long time: no process leads, none sends requests in a hurry, and one leads afterwards', async () => {
      const { a, b } = await pair()
      a.line.fault = 'conflict'
      b.line.fault = 'conflict'
      await replicas.pass(renewDeadline)
      replicas.server.requests = 0
      await replicas.pass(30_000)
      expect([replicas.leaders(), a.changes]).to.deep.equal([[], [true, false]])
      expect(replicas.server.requests).to.be.at.most(90)
      a.line.fault = 'none'
      b.line.fault = 'none'
      await replicas.pass(leaseDuration + retryPeriod)
      expect(replicas.leaders()).to.have.length(1)
    })

    it('in the watch as it was long ago: late news changes nothing', async () => {
      const { a } = await pair()
      const object = { ...replicas.server.lease!, metadata: { resourceVersion: '9' }, spec: { holderIdentity: 'old' } }
      replicas.server.inject({ type: 'MODIFIED', object })
      replicas.server.inject({ type: 'BOOKMARK', object })
      const opaque = { ...replicas.server.lease!.metadata, resourceVersion: 'opaque' }
      replicas.server.inject({ type: 'MODIFIED', object: { ...replicas.server.lease!, metadata: opaque } })
      replicas.server.endWatches()
      await replicas.pass(10_000)
      expect([replicas.leaders(), a.changes]).to.deep.equal([['a'], [true]])
    })
  })

  describe('the data of the server is restored, to when', () => {
    const moments = [
      'there was no Lease',
      'one had let it go',
      'another one led, who waits now',
      'its leader led',
    ] as const

    /** `b` leads, `a` waits, and the backups are older than what they know. */
    async function history(): Promise<{ a: Replica; b: Replica; backups: Record<string, () => void> }> {
      const backups: Record<string, () => void> = {}
      const backUp = (moment: (typeof moments)[number]): void => {
        backups[moment] = replicas.server.backUp()
      }
      backUp('there was no Lease')
      const former = replicas.add('former')
      await replicas.until((name) => name === 'former')
      await former.end()
      backUp('one had let it go')
      const { a, b } = await pair()
      backUp('another one led, who waits now')
      a.line.fault = 'cut'
      await replicas.until((name) => name === 'b')
      a.line.fault = 'none'
      await replicas.pass(5_000)
      backUp('its leader led')
      await replicas.pass(20_000)
      return { a, b, backups }
    }

    for (const moment of moments) {
      const goesOn = moment !== 'another one led, who waits now'
      it(`${moment}: its leader ${goesOn ? 'goes on' : 'stops, and one leads when the lease is over'}`, async () => {
        const { b, backups } = await history()
        backups[moment]?.()
        await replicas.pass(leaseDuration + retryPeriod + TICK)
        expect(replicas.leaders()).to.have.length(1)
        expect(b.changes.slice(0, 2)).to.deep.equal(goesOn ? [true] : [true, false])
      })

      it(`${moment}, while its leader is cut off: another one leads when the lease is over, not before`, async () => {
        const { b, backups } = await history()
        b.line.fault = 'cut'
        backups[moment]?.()
        const longest = leaseDuration + retryPeriod + TICK
        expect(await replicas.until((name) => name === 'a')).to.be.within(leaseDuration - retryPeriod, longest)
        expect(b.changes).to.deep.equal([true, false])
      })

      it(`${moment}: it is watched from there on, and a waiting process sees at once that it is released`, async () => {
        const { backups } = await history()
        backups[moment]?.()
        await replicas.pass(60_000)
        const [leader, follower] = replicas.leaders()[0] === 'a' ? (['a', 'b'] as const) : (['b', 'a'] as const)
        await replicas.all.find(({ name }) => name === leader)?.end()
        expect(await replicas.until((name) => name === follower)).to.be.below(1_000)
      })
    }

    it('its leader led, who ends before it has heard of that: it lets go', async () => {
      const { b, backups } = await history()
      backups['its leader led']?.()
      await b.end()
      expect(replicas.server.spec.holderIdentity).to.equal('')
    })
  })

  describe('when a read is answered late, and the watch has already shown what came after,', () => {
    it('no process takes the lease by an old answer after another process has taken it', async () => {
      const { a, b } = await pair()
      await Promise.all([reads(b), a.end()])
      replicas.server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15 })
      await answers(b)
      await replicas.pass(leaseDuration - retryPeriod)
      expect([b.changes, replicas.server.writes.filter((write) => write.startsWith('b'))]).to.deep.equal([[], []])
      expect(await replicas.until((name) => name === 'b')).to.be.at.most(2 * retryPeriod + TICK)
    })

    it('a leader whose lease was given to another process stops', async () => {
      const { a } = await pair()
      a.line.fault = 'conflict'
      await reads(a)
      replicas.server.edit({ holderIdentity: 'other' })
      await answers(a)
      await replicas.pass(leaseDuration - retryPeriod)
      expect([a.changes, replicas.leaders()]).to.deep.equal([[true, false], []])
    })

    it('its leader goes on', async () => {
      const { a } = await pair()
      a.line.fault = 'conflict'
      await reads(a)
      replicas.server.edit({ leaseTransitions: 7 })
      await answers(a)
      await replicas.pass(30_000)
      expect([a.changes, replicas.leaders()]).to.deep.equal([[true], ['a']])
    })
  })

  it('a leader whose event loop stood still past the deadline gives up', async () => {
    const { a } = await pair()
    a.clock.pass(12_000)
    expect(a.leads).to.equal(false)
    await a.catchUp()
    expect(a.changes.slice(0, 2)).to.deep.equal([true, false])
  })

  it('a leader whose renewal came in time, while its event loop stood still past the deadline, begins anew', async () => {
    const a = replicas.add('a')
    await replicas.pass(1_000)
    a.line.fault = 'failing'
    await replicas.pass(6_500)
    a.line.fault = 'none'
    a.line.holdsWrites = true
    await replicas.pass(1_500)
    expect(a.leads).to.equal(true)
    a.clock.pass(1_500)
    expect(a.leads).to.equal(false)
    a.line.release?.()
    await a.clock.settle()
    expect([a.leads, a.changes]).to.deep.equal([true, [true, false, true]])
  })

  describe('a clock that is wrong', () => {
    const steps: Record<string, number> = {
      'an hour on': 3_600_000,
      'an hour back': -3_600_000,
      'by a leap second': 1_000,
    }
    for (const [name, step] of Object.entries(steps)) {
      it(`the clocks of leader or follower are set ${name}: nothing happens`, async () => {
        const { a, b } = await pair()
        a.clock.stepWallTime(step)
        await replicas.pass(5_000)
        b.clock.stepWallTime(step)
        await replicas.pass(20_000)
        expect([a.changes, b.changes]).to.deep.equal([[true], []])
      })
    }

    for (const [slow, fast] of [
      [1, 1.49],
      [1 / 1.49, 1],
    ] as const) {
      it(`a follower's clock that runs half again as fast (${fast} to ${slow.toFixed(2)}) makes no second leader`, async () => {
        const { a, b } = await pair()
        a.rate = slow
        b.rate = fast
        await replicas.pass(20_000)
        expect(a.changes).to.deep.equal([true])
        a.line.fault = 'cut'
        await replicas.until((name) => name === 'b')
        expect(a.changes).to.deep.equal([true, false])
      })
    }
  })

  describe('a leader that ends', () => {
    it('leads no longer before it lets go, and another one leads within a second', async () => {
      const { a } = await pair()
      await Promise.all([a.end(), replicas.pass(100)])
      expect(a.changes).to.deep.equal([true, false])
      expect(replicas.server.writes).to.include('a: release')
      expect(await replicas.until((name) => name === 'b')).to.be.below(1_000)
      expect(replicas.server.spec).to.include({ holderIdentity: 'b', leaseTransitions: 1, leaseDurationSeconds: 15 })
    })

    for (const after of [0, 400, 800, 1_200, 1_600]) {
      it(`is followed within a second, whenever the next one would have looked again (${after} ms)`, async () => {
        const { a } = await pair()
        await replicas.pass(after)
        await Promise.all([a.end(), replicas.pass(100)])
        expect(await replicas.until((name) => name === 'b')).to.be.below(1_000)
      })
    }

    const looks: Record<string, (a: Replica, b: Replica) => Promise<void>> = {
      'has just looked': async (a, b) => {
        await reads(b)
        await answers(b)
        await a.end()
      },
      'looks, and gets an older answer': async (a, b) => {
        await reads(b)
        await a.end()
        await answers(b)
      },
    }
    for (const [name, end] of Object.entries(looks)) {
      it(`is followed a tenth of the retry period later, when the next one ${name}`, async () => {
        const { a, b } = await pair()
        await end(a, b)
        expect(b.leads).to.equal(false)
        expect(await replicas.until((leader) => leader === 'b')).to.be.within(retryPeriod / 10, TICK)
      })
    }

    it('leaves the lease alone that another one holds', async () => {
      const { a } = await pair()
      replicas.server.edit({ holderIdentity: 'other' })
      await a.end()
      expect(replicas.server.spec.holderIdentity).to.equal('other')
    })

    it('sends nothing when it never tried', async () => {
      const { b } = await pair()
      replicas.server.requests = 0
      await b.end()
      expect(replicas.server.requests).to.equal(0)
    })

    it('gives up letting go of a lease that is in conflict for ever', async () => {
      const { a } = await pair()
      a.line.fault = 'conflict'
      await a.end()
      expect(replicas.server.spec.holderIdentity).to.equal('a')
      expect(a.log.at(-1)).to.match(/cannot release the lease.*another client keeps writing it/)
    })

    it('ends when the server is out of reach', async () => {
      const { a } = await pair()
      a.line.fault = 'cut'
      const ended = a.askToEnd()
      await replicas.pass(renewDeadline)
      await ended
      expect(a.log.at(-1)).to.equal(
        'leader election: cannot release the lease, so that others wait until it runs out: no answer came within 5000 ms',
      )
    })
  })

  it('says why it cannot let go of a lease, when the server says so', async () => {
    const { a } = await pair()
    a.line.fault = 'refused'
    await a.end()
    expect(a.log.at(-1)).to.match(/cannot release the lease.*not allowed/)
  })

  it('stops calling a listener that has unsubscribed', async () => {
    const { a } = await pair()
    const heard: boolean[] = []
    a.election.onChange((leads) => heard.push(leads))()
    await a.end()
    expect(heard).to.deep.equal([])
  })

  it('is always won by a process that is alone', () => {
    expect(soleLeader.leads).to.equal(true)
    soleLeader.onChange(() => undefined)()
  })
})
